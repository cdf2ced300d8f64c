// Requires the cluster's token for every route under /v1, except the routes that describe the cluster: types, topology, error codes and
// telemetry stay open, as do the pages of the dashboard, the probes and the metrics.
import type { FastifyRequest } from 'fastify';
import { tokenCheck } from '../token.ts';

const OPEN = /^\/v1\/(?:types|topology|errors|telemetry)(?:\/|$)/;

export function checkToken(token: string): (request: FastifyRequest) => Promise<void> {
  const check = tokenCheck(token);
  return async ({ routeOptions, headers }) => {
    if (routeOptions.url !== undefined && !OPEN.test(routeOptions.url)) check(headers.authorization);
  };
}
