// The hooks through which pages see live data. Nothing else knows of the stream.
import { createLive } from '@claret/ui/site';
import { useMemo, useState, type RefObject } from 'react';
import type * as api from '../../../server/api.ts';
import { forgetPerson, hear, SILENT } from './liveState.ts';
import { liveAddress, NOTHING, queryFor } from './liveWish.ts';
import { knownOf, newsOf, type Place } from './news.ts';
import { useNearness } from './useNearness.ts';

const live = createLive({ silent: SILENT, nothing: NOTHING, hear, query: queryFor, address: liveAddress }, (store) =>
  store.change(forgetPerson),
);

export const LiveProvider = live.Provider;
export const { useConnection } = live;

/** A list that the stream tells of. */
export type LiveList = 'timeline' | 'latest';

const NONE: readonly Place[] = [];

/**
 * What has come to a list, newest first, since the page read it; for the pill. `shown`: the entries on the page, newest
 * first, undefined while nothing was read; `read_at_ms`: server_time_ms of the answer that its top came with. Of no list
 * (null) there is no news.
 */
export function useNews(list: LiveList | null, shown: readonly Place[] | undefined, read_at_ms: number): readonly Place[] {
  live.useWish(list && { [list]: true }, list ?? '');
  const heard = live.useLive((state) => list && state[list])?.entries;
  const [known, setKnown] = useState<{ list: LiveList; read_at_ms: number; places: readonly Place[] } | null>(null);
  const isKnown = known?.list === list && known?.read_at_ms === read_at_ms;
  if (list && heard && shown && !isKnown) setKnown({ list, read_at_ms, places: knownOf(heard, shown) });
  return useMemo(() => (heard && shown && known && isKnown ? newsOf(heard, known.places, shown) : NONE), [heard, shown, known, isKnown]);
}

/** The posts that are reposted most, highest first; null: not heard yet. */
export function useLiveTrending(): readonly string[] | null {
  live.useWish({ trending: true }, 'trending');
  return live.useLive((state) => state.trending)?.post_ids ?? null;
}

/** What the stream said last of the post, followed while `card`, the element that shows it, is on the screen or near it. */
export function useHeardPost(post_id: string, card: RefObject<Element | null>): api.LivePost | undefined {
  const nearness = useNearness(card);
  const wish = nearness === 'here' ? { posts: [post_id] } : { soon: [post_id] };
  live.useWish(nearness === 'away' ? null : wish, `${nearness} ${post_id}`);
  return live.useLive((state) => state.posts.get(post_id));
}

/**
 * The post with the newest count: of what the page read at `read_at_ms` (the answer's server_time_ms) and what the stream
 * said since.
 */
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

/** What the stream said last of the person. */
export function useHeardUser(user_id: string): api.LiveUser | undefined {
  live.useWish({ users: [user_id] }, user_id);
  return live.useLive((state) => state.users.get(user_id));
}
