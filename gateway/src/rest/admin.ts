// Calls that change the cluster must have the content type application/json. A page of another origin cannot send it without a preflight
// request, which is refused; a form, which it can send without one, has another content type.
import type { FastifyRequest } from 'fastify';
import { GatewayError } from '../errors.ts';
import { SAFE_METHODS } from './origin.ts';

const ADMIN = /^\/v1\/(?:admin\/|types(?:\/|$))/;

export async function checkAdminCall(request: FastifyRequest): Promise<void> {
  if (SAFE_METHODS.has(request.method) || !ADMIN.test(request.routeOptions.url ?? '')) return;
  const [type] = (request.headers['content-type'] ?? '').split(';');
  if (type!.trim().toLowerCase() === 'application/json') return;
  throw new GatewayError(
    'unsupported_media_type',
    'Calls that change the cluster need `content-type: application/json`, also with an empty body.',
  );
}
