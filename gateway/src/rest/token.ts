// Requires the cluster's token for every route under /v1, except the routes that describe the cluster: types, topology, error codes and
// telemetry stay open, as do the pages of the dashboard, the probes and the metrics. Changes of the types need the admin token, where there is one.
import type { FastifyRequest } from 'fastify';
import { adminTokenCheck, tokenCheck } from '../token.ts';
import type { Tokens } from '../token.ts';
import { SAFE_METHODS } from './origin.ts';

const OPEN = /^\/v1\/(?:topology|errors|telemetry)(?:\/|$)/;
const TYPES = /^\/v1\/types(?:\/|$)/;

export function checkToken(tokens: Tokens): (request: FastifyRequest) => Promise<void> {
  const check = tokenCheck(tokens);
  const checkAdmin = adminTokenCheck(tokens);
  return async ({ method, routeOptions: { url }, headers }) => {
    if (url === undefined || OPEN.test(url)) return;
    if (!TYPES.test(url)) check(headers.authorization);
    else if (!SAFE_METHODS.has(method)) checkAdmin(headers.authorization);
  };
}
