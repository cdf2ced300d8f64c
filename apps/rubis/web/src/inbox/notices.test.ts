import { describe, expect, it } from 'vitest';
import type * as api from '../../../server/api.ts';
import { countUnread, joinAnswers, mergeNotices, newestOf } from './notices.ts';
import { noticeWords } from './noticeWords.ts';

const about = { item_id: '7', title: 'Clock', price_cents: 500 };
const told = (id: string, at_ms: number, more: Partial<api.LiveNotice> = {}): api.LiveNotice => ({
  ...about,
  id,
  at_ms,
  kind: 'outbid',
  min_next_bid_cents: 600,
  tied: false,
  server_time_ms: at_ms,
  ...more,
});
const read = (id: string, at_ms: number, more: Partial<api.InboxNotice> = {}): api.InboxNotice => ({
  ...about,
  id,
  at_ms,
  kind: 'won',
  quantity: 1,
  buyer: null,
  tied: false,
  ...more,
});
const standing = (item_id: string, name: api.StandingName) => new Map([[item_id, { item_id, standing: name } as api.Standing]]);
const ids = (notices: api.InboxNotice[]) => notices.map(({ id }) => id);

describe('the inbox', () => {
  it('lists read and streamed notices, newest first, each once, in the version that was read', () => {
    const list = mergeNotices(
      [read('a', 10), read('b', 30, { kind: 'sold', quantity: 3 })],
      [told('b', 30, { kind: 'sold' }), told('c', 40)],
      new Map(),
    );
    expect(ids(list)).toEqual(['c', 'b', 'a']);
    expect(list[1]!.quantity).toBe(3);
  });
  it('has one outbid notice per auction, and none once the person leads again', () => {
    const outbids = [told('x', 10), told('y', 20), told('z', 15, { item_id: '8' })];
    expect(ids(mergeNotices([], outbids, new Map()))).toEqual(['y', 'z']);
    expect(ids(mergeNotices([], outbids, standing('7', 'outbid')))).toEqual(['y', 'z']);
    expect(ids(mergeNotices([], outbids, standing('7', 'leading')))).toEqual(['z']);
  });
  it('keeps notices of ended auctions, whatever the standing', () => {
    expect(ids(mergeNotices([read('a', 10)], [], standing('7', 'won')))).toEqual(['a']);
  });
  it('is bounded', () => {
    const many = Array.from({ length: 150 }, (_, at) => read(`n${at}`, at));
    expect(mergeNotices(many, [], new Map())).toHaveLength(100);
  });
  it('combines the whole inbox with a later read of unread notices, and ignores an earlier one', () => {
    const inbox = (server_time_ms: number, notices: api.InboxNotice[], seen_until_ms = 0): api.Inbox => ({
      notices,
      unread: notices.length,
      seen_until_ms,
      server_time_ms,
    });
    const unread = inbox(20, [read('b', 15, { kind: 'outbid', price_cents: 700 })], 5);
    expect(joinAnswers(null, null)).toEqual({ read: [], seen_until_ms: 0 });
    expect(joinAnswers(null, unread)).toEqual({ read: unread.notices, seen_until_ms: 5 });
    const older = inbox(10, [read('b', 15, { kind: 'outbid' }), read('a', 1)]);
    const joined = joinAnswers(older, unread);
    expect(mergeNotices(joined.read, [], new Map()).map(({ id, price_cents }) => [id, price_cents])).toEqual([
      ['b', 700],
      ['a', 500],
    ]);
    const later = inbox(30, [read('a', 1)]);
    expect(ids(joinAnswers(later, unread).read)).toEqual(['a']); // the person leads again
    expect(joinAnswers(inbox(30, [], 9), unread).seen_until_ms).toBe(9);
  });
  it('counts notices since it was last read', () => {
    const list = mergeNotices([read('a', 10), read('b', 20)], [], new Map());
    expect(countUnread(list, 0)).toBe(2);
    expect(countUnread(list, 10)).toBe(1);
    expect(countUnread(list, newestOf(list))).toBe(0);
    expect(newestOf([])).toBe(0);
  });
});

describe('the words of a notice', () => {
  it('include the number of pieces and the sum', () => {
    const words = noticeWords(read('a', 1, { kind: 'sold', quantity: 3, buyer: { id: 'ben', nickname: 'ben' } }));
    expect(words.text).toBe('3 pieces of “Clock” sold to ben for $15.');
    expect(noticeWords(read('a', 1, { kind: 'bought' })).text).toBe('“Clock” for $5.');
  });
  it('explain a tie: the same amount was bid before', () => {
    for (const kind of ['outbid', 'lost'] as const)
      expect(noticeWords(read('a', 1, { kind, tied: true })).text).toBe('Someone bid $5 on “Clock” before you.');
  });
  it('do not claim that someone else won: the reserve may not have been met', () => {
    expect(noticeWords(read('a', 1, { kind: 'lost' })).text).not.toMatch(/someone/i);
  });
});
