// Requests that change something must come from this site's own pages.
//
// Three things together: the session cookie is SameSite=Lax; every such request carries CSRF_HEADER, which a page of another
// site cannot send without asking first (CORS), and this server never agrees; and what the browser itself says about
// the origin must fit. Sec-Fetch-Site is the browser's own judgement and cannot be forged by a page; where it is missing, Origin
// must name this host. A client that is no browser sends neither, and has no cookie that another site could ride on.
import { CSRF_HEADER } from '@claret/ui/site/api/csrf.ts';
import type { FastifyRequest } from 'fastify';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

export function comesFromThisSite(request: FastifyRequest): boolean {
  if (SAFE_METHODS.has(request.method)) return true;
  const { headers } = request;
  if (headers[CSRF_HEADER] === undefined) return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = headers;
  return origin === undefined || hostOf(origin) === headers.host;
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
