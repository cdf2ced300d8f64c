import { describe, expect, it } from 'vitest';
import type * as api from '../../../server/api.ts';
import { hear, SILENT } from './liveState.ts';

const item = (id: string, price_cents: number): api.LiveItem => ({
  id,
  status: 'open',
  closes_at_ms: 9_000,
  price_cents,
  bid_count: 1,
  min_next_bid_cents: price_cents + 100,
  top_bids: [],
  winner: null,
  closed_at_ms: null,
  ended_by: null,
  reserve: 'none',
  buy_now: null,
  watchers: 0,
});
const notice = (id: string, at_ms: number): api.LiveNotice => ({
  id,
  at_ms,
  kind: 'outbid',
  item_id: '7',
  title: 'Clock',
  price_cents: 500,
  min_next_bid_cents: 600,
  tied: false,
  server_time_ms: at_ms,
});
const say = (state: typeof SILENT, name: keyof api.LiveEvents, event: object) => hear(state, name, event);

describe('the state of the live stream', () => {
  it('keeps the newest state of each item', () => {
    let state = say(SILENT, 'item', { item: item('7', 500) });
    state = say(state, 'item', { item: item('8', 100) });
    state = say(state, 'item', { item: item('7', 700) });
    expect(state.items.get('7')?.price_cents).toBe(700);
    expect(state.items.get('8')?.price_cents).toBe(100);
    expect(SILENT.items.size).toBe(0);
  });
  it('lists notices newest first, each once, also when they come again after a reconnect', () => {
    let state = say(SILENT, 'notice', notice('b', 20));
    state = say(state, 'notice', notice('a', 10));
    const again = say(state, 'notice', notice('b', 20));
    expect(again).toBe(state);
    expect(state.notices.map(({ id }) => id)).toEqual(['b', 'a']);
  });
  it('drops the oldest notices and items, so that an open page does not grow', () => {
    let state = SILENT;
    for (let at = 0; at < 500; at++) {
      state = say(state, 'notice', notice(`n${at}`, at));
      state = say(state, 'item', { item: item(`i${at}`, 100) });
    }
    expect(state.notices).toHaveLength(50);
    expect(state.notices[0]!.id).toBe('n499');
    expect(state.items.size).toBe(400);
    expect(state.items.has('i499')).toBe(true);
    expect(state.items.has('i0')).toBe(false);
  });
  it('remembers the viewer’s own bid when a crowd pushes it out of the stream’s state', () => {
    const standing = { item_id: '7', standing: 'outbid', price_cents: 500, my_bid_cents: 300, my_max_cents: 300 };
    const state = say(SILENT, 'standing', { standing });
    const next = say(state, 'standing', { standing: { ...standing, price_cents: 900, my_bid_cents: null, my_max_cents: null } });
    expect(next.standings.get('7')).toMatchObject({ price_cents: 900, my_bid_cents: 300, my_max_cents: 300 });
    const strange = say(SILENT, 'standing', { standing: { ...standing, my_bid_cents: null, my_max_cents: null } });
    expect(strange.standings.get('7')).toMatchObject({ my_bid_cents: null });
  });
  it('ignores unknown events', () => {
    expect(hear(SILENT, 'weather', {})).toBe(SILENT);
  });
});
