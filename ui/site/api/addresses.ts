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

/** A place on this site to go on to, whatever an address claims; anything else is the home page. */
export function safeNext(next: string | null): string {
  return next?.startsWith('/') && !/^\/[/\\]/.test(next) ? next : DOOR.home;
}
