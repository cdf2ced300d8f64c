// Calls that change the cluster must say that they are JSON. A page of another origin cannot send such a request without
// asking first (and is refused then): a form, which it can send, says something else.
import type { FastifyRequest } from 'fastify';
import { GatewayError } from '../errors.ts';
import { SAFE_METHODS } from './origin.ts';

export const ADMIN = '/v1/admin/';

export async function checkAdminCall(request: FastifyRequest): Promise<void> {
  if (SAFE_METHODS.has(request.method) || !request.routeOptions.url?.startsWith(ADMIN)) return;
  const [type] = (request.headers['content-type'] ?? '').split(';');
  if (type!.trim().toLowerCase() === 'application/json') return;
  throw new GatewayError(
    'unsupported_media_type',
    'Calls that change the cluster need `content-type: application/json`, also with an empty body.',
  );
}
