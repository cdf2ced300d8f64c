// Where things are: the server's routes on one side, the site's own addresses on the other.
// One place, so that a link and the prefetch behind it agree.

export const API = {
  catalogue: '/api/catalogue',
  popular: '/api/popular',
  session: '/api/session',
  register: '/api/register',
  login: '/api/login',
  logout: '/api/logout',
  me: '/api/me',
  items: '/api/items',
  item: (id: string) => `/api/items/${encodeURIComponent(id)}`,
  bids: (id: string) => `/api/items/${encodeURIComponent(id)}/bids`,
  comments: (id: string) => `/api/items/${encodeURIComponent(id)}/comments`,
  user: (id: string) => `/api/users/${encodeURIComponent(id)}`,
  browse: (filter: { category?: string | null; region?: string | null }) => withQuery('/api/items', filter),
  search: (q: string) => withQuery('/api/search', { q }),
  live: (items: readonly string[]) => withQuery('/api/live', { items: items.join(',') }),
};

export const PAGE = {
  home: '/',
  sell: '/sell',
  me: '/me',
  item: (id: string) => `/items/${encodeURIComponent(id)}`,
  user: (id: string) => `/users/${encodeURIComponent(id)}`,
  browse: (filter: { category?: string | null; region?: string | null } = {}) => withQuery('/browse', filter),
  search: (q: string) => withQuery('/search', { q }),
  login: (next?: string) => withQuery('/login', { next }),
  register: (next?: string) => withQuery('/register', { next }),
};

/** The path with those parameters that have a value. */
export function withQuery(path: string, parameters: Record<string, string | null | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value);
  return query.size > 0 ? `${path}?${query}` : path;
}

/** A place on this site to go on to, whatever an address claims; anything else is the home page. */
export function safeNext(next: string | null): string {
  return next?.startsWith('/') && !/^\/[/\\]/.test(next) ? next : PAGE.home;
}
