// Addresses that every site has, and what is done with addresses.

/** The server's routes to who is logged in. */
export const SESSION_API = {
  session: '/api/session',
  register: '/api/register',
  login: '/api/login',
  logout: '/api/logout',
};

/** The pages at the door; `next` is where one goes on to from there. */
export const DOOR = {
  home: '/',
  login: (next?: string) => withQuery('/login', { next }),
  register: (next?: string) => withQuery('/register', { next }),
};

/** The path with those parameters that have a value. */
export function withQuery(path: string, parameters: Record<string, string | null | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value);
  return query.size > 0 ? `${path}?${query}` : path;
}

/**
 * A place on this site to go on to, whatever an address claims; anything else is the home page. Read as a browser reads it, which
 * leaves out tabs and line breaks, takes \ for / and resolves dots: what is left must not begin like another host's.
 */
export function safeNext(next: string | null): string {
  const url = next?.startsWith('/') ? URL.parse(next, 'http://here.invalid') : null;
  if (url?.host !== 'here.invalid' || url.pathname.startsWith('//')) return DOOR.home;
  return url.pathname + url.search + url.hash;
}
