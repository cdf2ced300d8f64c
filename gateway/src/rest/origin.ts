// Protects against cross-origin requests: a page of another origin must not change anything through a visitor's browser. Browsers send the
// page's origin with every request that is not a plain GET; other programs send none. Browsers also say whether the request goes to the
// page's own origin (`sec-fetch-site`, which a page cannot set). That is checked first, since a proxy or a forwarded port may have changed
// scheme or host.
import type { FastifyRequest } from 'fastify';
import { GatewayError } from '../errors.ts';

export const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

export async function checkOrigin(request: FastifyRequest): Promise<void> {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin === undefined || SAFE_METHODS.has(request.method)) return;
  if (site === 'same-origin' || origin === `${request.protocol}://${request.headers.host}`) return;
  throw new GatewayError('forbidden_origin', `Requests from pages of ${origin.slice(0, 100)} are not taken.`);
}
