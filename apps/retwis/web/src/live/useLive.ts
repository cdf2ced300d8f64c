// The hooks for live data. No other file uses the stream.
import { createLive } from '@claret/ui/site';
import { useMemo, useState, type RefObject } from 'react';
import type * as api from '../../../server/api.ts';
import { forgetPerson, hear, SILENT } from './liveState.ts';
import { liveAddress, NOTHING, queryFor } from './liveWish.ts';
import { knownOf, newsOf, type EntryKey } from './news.ts';
import { useNearness } from './useNearness.ts';

const live = createLive({ silent: SILENT, nothing: NOTHING, hear, query: queryFor, address: liveAddress }, (store) =>
  store.change(forgetPerson),
);

export const LiveProvider = live.Provider;
export const { useConnection, useTrouble } = live;

/** a list that the stream carries */
export type LiveList = 'timeline' | 'latest';

const NONE: readonly EntryKey[] = [];

/**
 * The entries added to a list, newest first, since the page read it; for the pill. `shown`: the entries on the page, newest first,
 * undefined before the first read; `read_at_ms`: server_time_ms of the answer with the topmost of them. Without a list (null) there is no
 * news.
 */
export function useNews(list: LiveList | null, shown: readonly EntryKey[] | undefined, read_at_ms: number): readonly EntryKey[] {
  live.useWish(list && { [list]: true }, list ?? '');
  const heard = live.useLive((state) => list && state[list])?.entries;
  const [known, setKnown] = useState<{ list: LiveList; read_at_ms: number; entries: readonly EntryKey[] } | null>(null);
  const isKnown = known?.list === list && known?.read_at_ms === read_at_ms;
  if (list && heard && shown && !isKnown) setKnown({ list, read_at_ms, entries: knownOf(heard, shown) });
  return useMemo(() => (heard && shown && known && isKnown ? newsOf(heard, known.entries, shown) : NONE), [heard, shown, known, isKnown]);
}

/** The trending posts, hottest first; null: not received yet. */
export function useLiveTrending(): readonly string[] | null {
  live.useWish({ trending: true }, 'trending');
  return live.useLive((state) => state.trending)?.post_ids ?? null;
}

/** The stream's latest state of the post, subscribed to while `card`, the element that shows it, is on or near the screen. */
export function useHeardPost(post_id: string, card: RefObject<Element | null>): api.LivePost | undefined {
  const nearness = useNearness(card);
  const wish = nearness === 'here' ? { posts: [post_id] } : { soon: [post_id] };
  live.useWish(nearness === 'away' ? null : wish, `${nearness} ${post_id}`);
  return live.useLive((state) => state.posts.get(post_id));
}

/** The post with the newest count: of the page's read at `read_at_ms` (the answer's server_time_ms) and the stream's later events. */
export function useLivePost<Post extends Pick<api.PostView, 'id' | 'reposts'>>(
  read: Post,
  read_at_ms: number,
  card: RefObject<Element | null>,
): Post {
  const heard = useHeardPost(read.id, card);
  return useMemo(
    () => (heard && heard.server_time_ms >= read_at_ms ? { ...read, reposts: heard.reposts } : read),
    [heard, read, read_at_ms],
  );
}

/** The stream's latest state of the person. */
export function useHeardUser(user_id: string): api.LiveUser | undefined {
  live.useWish({ users: [user_id] }, user_id);
  return live.useLive((state) => state.users.get(user_id));
}
