// The hooks for live data. No other file uses the stream.
import { createLive } from '@claret/ui/site';
import { useMemo } from 'react';
import type * as api from '../../../server/api.ts';
import { API } from '../api/paths.ts';
import { hear, SILENT, type LiveState } from './liveState.ts';

/** of one page, and of all visible pages together */
const FOLLOWED_MAX = 40;
const SHARED_MAX: typeof api.LIMITS.live_items_max = 160;

/** wishes are item ids */
const live = createLive<LiveState, readonly string[], string>(
  {
    silent: SILENT,
    hear,
    nothing: '',
    query: (wishes) => newest(wishes.flat(), FOLLOWED_MAX),
    address: (queries) => API.live(newest(queries.join().split(','), SHARED_MAX)),
  },
  // Another person's data must not be shown: auctions are public, the rest is not.
  (store) => store.change(({ items }) => ({ ...SILENT, items })),
);

/** The last `count` different ids, in an order of their own: the same ones make the same stream. */
function newest(ids: readonly string[], count: number): string {
  const last = [...new Set(ids.filter(Boolean).toReversed())].slice(0, count);
  return last.sort().join();
}

export const LiveProvider = live.Provider;
export const { useConnection, useTrouble } = live;

/** Subscribes to these items while the page shows them. */
export function useFollow(ids: readonly string[]): void {
  live.useWish(ids.length === 0 ? null : ids, ids.join());
}

/** The newer of the page's read and the stream's state. REQUIRES: the item is followed as well. */
export function useLiveItem<Item extends { id: string }>(read: Item): Item | (Item & api.LiveItem) {
  const heard = live.useLive(({ items }) => items.get(read.id));
  return useMemo(() => (heard && isNewer(heard, read) ? { ...read, ...heard } : read), [heard, read]);
}

/** An auction's state only moves forward: more bids, then closed. A state behind that is older. */
export function isNewer(heard: api.LiveItem, read: object): boolean {
  const { status, bid_count } = read as Partial<api.LiveItem>;
  if (status === 'closed' && heard.status === 'open') return false;
  return heard.status === 'closed' || heard.bid_count >= (bid_count ?? 0);
}

export function useStanding(item_id: string): api.Standing | null {
  return live.useLive(({ standings }) => standings.get(item_id)) ?? null;
}

export function useStandings(): ReadonlyMap<string, api.Standing> {
  return live.useLive(({ standings }) => standings);
}

/** newest first */
export function useNotices(): readonly api.LiveNotice[] {
  return live.useLive(({ notices }) => notices);
}
