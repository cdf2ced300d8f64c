// The hooks through which pages see live data. Nothing else knows of the stream.
import type { ConnectionStateName } from '@claret/ui/kit';
import { createContext, use, useEffect, useMemo, useSyncExternalStore } from 'react';
import type * as api from '../../../server/api.ts';
import { LiveStore } from './liveStore.ts';

export interface Live {
  store: LiveStore;
  connection: ConnectionStateName;
}

export const LiveContext = createContext<Live>({ store: new LiveStore(), connection: 'connecting' });

function useLiveState<Part>(pick: (store: LiveStore) => Part): Part {
  const { store } = use(LiveContext);
  return useSyncExternalStore(store.subscribe, () => pick(store));
}

/** How the line is; also stale while the app server itself cannot reach the store. */
export function useConnection(): ConnectionStateName {
  const { connection } = use(LiveContext);
  const isStoreReachable = useLiveState((store) => store.snapshot().isStoreReachable);
  return connection === 'live' && !isStoreReachable ? 'stale' : connection;
}

/** Asks for live news of these items while the page shows them. */
export function useFollow(ids: readonly string[]): void {
  const { store } = use(LiveContext);
  const joined = ids.join();
  useEffect(() => (joined === '' ? undefined : store.follow(joined.split(','))), [store, joined]);
}

/** The newest of what the page read and what the stream said since; follow the item as well. */
export function useLiveItem<Item extends { id: string }>(read: Item): Item | (Item & api.LiveItem) {
  const heard = useLiveState((store) => store.snapshot().items.get(read.id));
  return useMemo(() => (heard && isNewer(heard, read) ? { ...read, ...heard } : read), [heard, read]);
}

/** An auction only moves on: more bids, then closed. What is behind that is older. */
export function isNewer(heard: api.LiveItem, read: object): boolean {
  const { status, bid_count } = read as Partial<api.LiveItem>;
  if (status === 'closed' && heard.status === 'open') return false;
  return heard.status === 'closed' || heard.bid_count >= (bid_count ?? 0);
}

export function useStanding(item_id: string): api.Standing | null {
  return useLiveState((store) => store.snapshot().standings.get(item_id)) ?? null;
}

export function useStandings(): ReadonlyMap<string, api.Standing> {
  return useLiveState((store) => store.snapshot().standings);
}

/** Newest first. */
export function useNotices(): readonly api.LiveNotice[] {
  return useLiveState((store) => store.snapshot().notices);
}
