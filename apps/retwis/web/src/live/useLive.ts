// The hooks through which pages see live data. Nothing else knows of the stream.
import { createContext, use, useEffect, useMemo, useState, useSyncExternalStore, type RefObject } from 'react';
import type { ConnectionStateName } from '@claret/ui/kit';
import type * as api from '../../../server/api.ts';
import type { LiveState } from './liveState.ts';
import { LiveStore } from './liveStore.ts';
import { knownOf, newsOf, type Place } from './news.ts';
import { useIsOnScreen } from './useIsOnScreen.ts';

export interface Live {
  store: LiveStore;
  connection: ConnectionStateName;
}

export const LiveContext = createContext<Live>({ store: new LiveStore(), connection: 'connecting' });

function useHeard<Part>(pick: (state: LiveState) => Part): Part {
  const { store } = use(LiveContext);
  return useSyncExternalStore(store.subscribe, () => pick(store.snapshot()));
}

/** How the line is; also stale while the app server itself cannot reach the store. */
export function useConnection(): ConnectionStateName {
  const { connection } = use(LiveContext);
  const isStoreReachable = useHeard((state) => state.isStoreReachable);
  return connection === 'live' && !isStoreReachable ? 'stale' : connection;
}

/** A list that the stream tells of. */
export type LiveList = 'timeline' | 'latest';

const NONE: readonly Place[] = [];

/**
 * What has come to a list, newest first, since the page read it; for the pill. `shown`: the entries on the page, newest
 * first, undefined while nothing was read; `read_at_ms`: server_time_ms of the answer that its top came with.
 */
export function useNews(list: LiveList, shown: readonly Place[] | undefined, read_at_ms: number): readonly Place[] {
  const { store } = use(LiveContext);
  useEffect(() => store.wish({ [list]: true }), [store, list]);
  const heard = useHeard((state) => state[list])?.entries;
  const [known, setKnown] = useState<{ list: LiveList; read_at_ms: number; places: readonly Place[] } | null>(null);
  const isKnown = known?.list === list && known.read_at_ms === read_at_ms;
  if (heard && shown && !isKnown) setKnown({ list, read_at_ms, places: knownOf(heard, shown) });
  return useMemo(
    () => (heard && shown && known && isKnown ? newsOf(heard, known.places, shown) : NONE),
    [heard, shown, known, isKnown],
  );
}

/** The posts that are reposted most, highest first; null: not heard yet. */
export function useLiveTrending(): readonly string[] | null {
  const { store } = use(LiveContext);
  useEffect(() => store.wish({ trending: true }), [store]);
  return useHeard((state) => state.trending)?.post_ids ?? null;
}

/**
 * The post with the newest count: of what the page read at `read_at_ms` (the answer's server_time_ms) and what the stream
 * said since. Followed while `card`, the element that shows it, is on the screen or near it.
 */
export function useLivePost<Post extends Pick<api.PostView, 'id' | 'reposts'>>(
  read: Post,
  read_at_ms: number,
  card: RefObject<Element | null>,
): Post {
  const { store } = use(LiveContext);
  const isOnScreen = useIsOnScreen(card);
  const { id } = read;
  useEffect(() => (isOnScreen ? store.wish({ posts: [id] }) : undefined), [store, id, isOnScreen]);
  const heard = useHeard((state) => state.posts.get(id));
  return useMemo(
    () => (heard && heard.server_time_ms >= read_at_ms ? { ...read, reposts: heard.reposts } : read),
    [heard, read, read_at_ms],
  );
}

/** The person with the newest counts, likewise; those that the page did not read stay away. */
export function useLiveUser<Counts extends { followers: number; following?: number }>(
  user_id: string,
  read: Counts,
  read_at_ms: number,
): Counts {
  const { store } = use(LiveContext);
  useEffect(() => store.wish({ users: [user_id] }), [store, user_id]);
  const heard = useHeard((state) => state.users.get(user_id));
  return useMemo(() => {
    if (!heard || heard.server_time_ms < read_at_ms) return read;
    const { followers, following } = heard;
    return { ...read, followers, ...(read.following === undefined ? {} : { following }) };
  }, [heard, read, read_at_ms]);
}
