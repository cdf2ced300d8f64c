// The wishes of pages for live data, and their combination into one query.
//
// A new query opens a new stream. So the query changes only for a wish that the stream does not carry. It then includes, while there is
// room, the posts that may soon be visible and those that have just scrolled out of view.

export interface LiveWish {
  timeline?: boolean;
  latest?: boolean;
  trending?: boolean;
  posts?: readonly string[];
  /** posts that may soon be visible */
  soon?: readonly string[];
  users?: readonly string[];
}

export type LiveQuery = Required<Omit<LiveWish, 'soon'>>;

export const NOTHING: LiveQuery = { timeline: false, latest: false, trending: false, posts: [], users: [] };

/** The server's LIMITS.live_posts_max and LIMITS.live_users_max. */
const POSTS_MAX = 60;
const USERS_MAX = 20;

/** The query for all wishes; the same object as `before` while the present stream carries them. */
export function queryFor(wishes: readonly LiveWish[], before: LiveQuery): LiveQuery {
  const next = {
    timeline: wishes.some(({ timeline }) => timeline),
    latest: wishes.some(({ latest }) => latest),
    trending: wishes.some(({ trending }) => trending),
    posts: newest(
      wishes.flatMap(({ posts = [] }) => posts),
      POSTS_MAX,
    ),
    users: newest(
      wishes.flatMap(({ users = [] }) => users),
      USERS_MAX,
    ),
  };
  if (carries(before, next)) return before;
  return {
    ...next,
    posts: newest([...before.posts, ...wishes.flatMap(({ soon = [] }) => soon), ...next.posts], POSTS_MAX),
    users: newest([...before.users, ...next.users], USERS_MAX),
  };
}

/** The last `count` different ids, the latest last. */
function newest(ids: readonly string[], count: number): string[] {
  return [...new Set(ids.toReversed())].slice(0, count).reverse();
}

function carries(query: LiveQuery, wished: LiveQuery): boolean {
  const flags = (['timeline', 'latest', 'trending'] as const).every((flag) => query[flag] || !wished[flag]);
  const has = (ids: readonly string[], all: readonly string[]) => all.every((id) => ids.includes(id));
  return flags && has(query.posts, wished.posts) && has(query.users, wished.users);
}

/** Ids are sorted, so that the same wishes in another order give the same URL. */
export function liveAddress(query: LiveQuery): string {
  const parameters = new URLSearchParams();
  for (const flag of ['timeline', 'latest', 'trending'] as const) if (query[flag]) parameters.set(flag, '1');
  for (const list of ['posts', 'users'] as const) {
    if (query[list].length > 0) parameters.set(list, query[list].toSorted().join(','));
  }
  return parameters.size > 0 ? `/api/live?${parameters}` : '/api/live';
}
