// No page of another origin may change anything through a visitor's browser. Browsers name the page's origin in every
// request that is not a plain GET; programs send none. They also say themselves whether it is the origin that they send the
// request to (`sec-fetch-site`, which no page can set): a proxy or a forwarded port in between may have changed scheme or
// host on the way.
import type { FastifyRequest } from 'fastify';
import { GatewayError } from '../errors.ts';

export const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

export async function checkOrigin(request: FastifyRequest): Promise<void> {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin === undefined || SAFE_METHODS.has(request.method)) return;
  if (site === 'same-origin' || origin === `${request.protocol}://${request.headers.host}`) return;
  throw new GatewayError('forbidden_origin', `Requests from pages of ${origin.slice(0, 100)} are not taken.`);
}
