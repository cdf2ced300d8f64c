// The hooks through which pages see live data. Nothing else knows of the stream.
import { createLive } from '@claret/ui/site';
import { useMemo } from 'react';
import type * as api from '../../../server/api.ts';
import { API } from '../api/paths.ts';
import { hear, SILENT, type LiveState } from './liveState.ts';

const FOLLOWED_MAX: typeof api.LIMITS.live_items_max = 40;

/** Pages wish for items by their ids. */
const live = createLive<LiveState, readonly string[], string>(
  {
    silent: SILENT,
    hear,
    nothing: '',
    query: (wishes) => [...new Set(wishes.flat())].slice(-FOLLOWED_MAX).sort().join(),
    address: API.live,
  },
  // Nothing of the person before may be shown: auctions are everybody's, the rest is not.
  (store) => store.change(({ items }) => ({ ...SILENT, items })),
);

export const LiveProvider = live.Provider;
export const { useConnection } = live;

/** Asks for live news of these items while the page shows them. */
export function useFollow(ids: readonly string[]): void {
  live.useWish(ids.length === 0 ? null : ids, ids.join());
}

/** The newest of what the page read and what the stream said since; follow the item as well. */
export function useLiveItem<Item extends { id: string }>(read: Item): Item | (Item & api.LiveItem) {
  const heard = live.useLive(({ items }) => items.get(read.id));
  return useMemo(() => (heard && isNewer(heard, read) ? { ...read, ...heard } : read), [heard, read]);
}

/** An auction only moves on: more bids, then closed. What is behind that is older. */
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

/** Newest first. */
export function useNotices(): readonly api.LiveNotice[] {
  return live.useLive(({ notices }) => notices);
}
