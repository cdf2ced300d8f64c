// What pages ask the live stream for, and how their wishes become one query.
//
// A new query is a new stream. So only something wished for that the stream does not carry makes another one, and that
// takes in, while there is room, the posts that may be seen soon and those that have only fallen out of sight.

export interface LiveWish {
  timeline?: boolean;
  latest?: boolean;
  trending?: boolean;
  posts?: readonly string[];
  /** Posts that may be wished for soon. */
  soon?: readonly string[];
  users?: readonly string[];
}

export type LiveQuery = Required<Omit<LiveWish, 'soon'>>;

export const NOTHING: LiveQuery = { timeline: false, latest: false, trending: false, posts: [], users: [] };

/** The server's LIMITS.live_posts_max and LIMITS.live_users_max. */
const POSTS_MAX = 60;
const USERS_MAX = 20;

/** What the stream should carry; the same object as `before` while that carries all that is wished for. */
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

/** The last `count` different ones; what was asked for last stands last. */
function newest(ids: readonly string[], count: number): string[] {
  return [...new Set(ids.toReversed())].slice(0, count).reverse();
}

function carries(query: LiveQuery, wished: LiveQuery): boolean {
  const flags = (['timeline', 'latest', 'trending'] as const).every((flag) => query[flag] || !wished[flag]);
  const has = (ids: readonly string[], all: readonly string[]) => all.every((id) => ids.includes(id));
  return flags && has(query.posts, wished.posts) && has(query.users, wished.users);
}

/** Ids stand sorted: the same wishes in another order are the same address. */
export function liveAddress(query: LiveQuery): string {
  const parameters = new URLSearchParams();
  for (const flag of ['timeline', 'latest', 'trending'] as const) if (query[flag]) parameters.set(flag, '1');
  for (const list of ['posts', 'users'] as const) {
    if (query[list].length > 0) parameters.set(list, query[list].toSorted().join(','));
  }
  return parameters.size > 0 ? `/api/live?${parameters}` : '/api/live';
}
