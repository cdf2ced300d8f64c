// Which page a request comes from: what other sites' pages may make a visitor's browser do here, which is nothing.
//
// Changes. Three things together: the session cookie is SameSite=Strict; every such request carries CSRF_HEADER, which a page
// of another site cannot send without asking first (CORS), and this server never agrees; and what the browser itself says about
// the origin must fit. Sec-Fetch-Site is the browser's own judgement and cannot be forged by a page; where it is missing, Origin
// must name this host. A client that is no browser sends neither, and has no cookie that another site could ride on.
//
// Reads of the API. Another site's page could not see the answer, but its size and how long it took, and another port of this
// host is "same-site": its pages' requests do carry the cookie. So they are not answered. Somebody may still follow a link.
import { CSRF_HEADER } from '@claret/ui/site/api/csrf.ts';
import type { FastifyRequest } from 'fastify';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const FOREIGN = new Set(['cross-site', 'same-site']);

type Asking = Pick<FastifyRequest, 'method' | 'headers' | 'host'>;

/** Of a request that changes nothing: true. */
export function comesFromThisSite({ method, headers, host }: Asking): boolean {
  if (SAFE_METHODS.has(method)) return true;
  if (headers[CSRF_HEADER] === undefined) return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = headers;
  return origin === undefined || hostOf(origin) === host;
}

/** Whether what the API answers may go to whoever asks. */
export function mayReadApi({ headers }: Asking): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = headers;
  if (site === undefined || !FOREIGN.has(String(site))) return true;
  return mode === 'navigate' && destination === 'document';
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
