// The token at the REST door: calls that operate the cluster, and those that read or write records. What tells of the cluster
// stays open, as the pages of the dashboard do: probes, metrics, types, topology, error codes, telemetry.
import type { FastifyRequest } from 'fastify';
import { tokenCheck } from '../token.ts';
import { ADMIN } from './admin.ts';

const GUARDED = [ADMIN, '/v1/transactions', '/v1/records'];

export function checkToken(token: string): (request: FastifyRequest) => Promise<void> {
  const check = tokenCheck(token);
  return async ({ routeOptions, headers }) => {
    if (GUARDED.some((path) => routeOptions.url?.startsWith(path))) check(headers.authorization);
  };
}
