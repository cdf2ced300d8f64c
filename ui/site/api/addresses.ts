// Paths that every site has, and helpers for URLs.

/** the server's session routes */
export const SESSION_API = {
  session: '/api/session',
  register: '/api/register',
  login: '/api/login',
  logout: '/api/logout',
};

/** the server's route for how the cluster's conditions differ from the usual ones */
export const CONDITIONS_API = '/api/conditions';

/** The home page and the login pages; `next` is the page to show after login. */
export const SITE_PATHS = {
  home: '/',
  login: (next?: string) => withQuery('/login', { next }),
  register: (next?: string) => withQuery('/register', { next }),
};

/** The path with the query parameters that have a value. */
export function withQuery(path: string, parameters: Record<string, string | null | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value);
  return query.size > 0 ? `${path}?${query}` : path;
}

/**
 * The path on this site that `next` names; the home page if it names anything else. Parsed like a browser does, which ignores tabs and line
 * breaks, takes \ for / and resolves dots: the result must not begin like the URL of another host.
 */
export function safeNext(next: string | null): string {
  const url = next?.startsWith('/') ? URL.parse(next, 'http://here.invalid') : null;
  if (url?.host !== 'here.invalid' || url.pathname.startsWith('//')) return SITE_PATHS.home;
  return url.pathname + url.search + url.hash;
}
