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

/** what one page follows */
const PAGE_MAX = { posts: 60, users: 20 };
/** The server's LIMITS.live_posts_max and LIMITS.live_users_max, for all visible pages. */
const SHARED_MAX = { posts: 240, users: 80 };

/** The query for all wishes; the same object as `before` while the present stream carries them. */
export function queryFor(wishes: readonly LiveWish[], before: LiveQuery): LiveQuery {
  const next = together(wishes, PAGE_MAX);
  if (carries(before, next)) return before;
  return {
    ...next,
    posts: newest([...before.posts, ...wishes.flatMap(({ soon = [] }) => soon), ...next.posts], PAGE_MAX.posts),
    users: newest([...before.users, ...next.users], PAGE_MAX.users),
  };
}

function together(wishes: readonly LiveWish[], max: typeof PAGE_MAX): LiveQuery {
  return {
    timeline: wishes.some(({ timeline }) => timeline),
    latest: wishes.some(({ latest }) => latest),
    trending: wishes.some(({ trending }) => trending),
    posts: newest(
      wishes.flatMap(({ posts = [] }) => posts),
      max.posts,
    ),
    users: newest(
      wishes.flatMap(({ users = [] }) => users),
      max.users,
    ),
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

/** The stream of all visible pages. Ids are sorted, so that the same wishes in another order give the same URL. */
export function liveAddress(queries: readonly LiveQuery[]): string {
  const query = together(queries, SHARED_MAX);
  const parameters = new URLSearchParams();
  for (const flag of ['timeline', 'latest', 'trending'] as const) if (query[flag]) parameters.set(flag, '1');
  for (const list of ['posts', 'users'] as const) {
    if (query[list].length > 0) parameters.set(list, query[list].toSorted().join(','));
  }
  return parameters.size > 0 ? `/api/live?${parameters}` : '/api/live';
}
