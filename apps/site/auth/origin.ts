// Cross-site request protection: pages of other sites can neither change nor read anything with a visitor's cookie.
//
// Changes. Three defences together: the session cookie is SameSite=Strict; a change needs CSRF_HEADER, which a page of another site cannot
// send without a CORS preflight, and this server never grants one; and the browser's own statement of the origin must fit. Sec-Fetch-Site
// cannot be forged by a page; where it is missing, Origin must name this host. A client other than a browser sends neither header, and has
// no cookie that another site could abuse. Pages send CSRF_HEADER with each request, since reading may count as well.
//
// Reads of the API. A page of another site cannot read the answer, but it can measure size and time; and another port of this host counts
// as "same-site", so its requests carry the cookie. Such reads are refused. Following a link still works.
import { CSRF_HEADER } from '@claret/ui/site/api/csrf.ts';
import type { FastifyRequest } from 'fastify';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const FOREIGN = new Set(['cross-site', 'same-site']);

type Asking = Pick<FastifyRequest, 'method' | 'headers' | 'host'>;

/** True for every request that changes nothing. */
export function comesFromThisSite(request: Asking): boolean {
  return SAFE_METHODS.has(request.method) || isOwnRequest(request);
}

/** True for what the pages of this site send, and clients other than browsers. */
export function isOwnRequest({ headers, host }: Asking): boolean {
  if (headers[CSRF_HEADER] === undefined) return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = headers;
  return origin === undefined || hostOf(origin) === host;
}

/** Whether the API may answer this request. */
export function mayReadApi({ headers }: Asking): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = headers;
  if (site === undefined || !FOREIGN.has(String(site))) return true;
  return mode === 'navigate' && destination === 'document';
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
