// The token at the REST door: every route under /v1 needs it but those that tell of the cluster. Those stay open, as the pages of the
// dashboard do, probes and metrics: types, topology, error codes, telemetry.
import type { FastifyRequest } from 'fastify';
import { tokenCheck } from '../token.ts';

const OPEN = /^\/v1\/(?:types|topology|errors|telemetry)(?:\/|$)/;

export function checkToken(token: string): (request: FastifyRequest) => Promise<void> {
  const check = tokenCheck(token);
  return async ({ routeOptions, headers }) => {
    if (routeOptions.url !== undefined && !OPEN.test(routeOptions.url)) check(headers.authorization);
  };
}
