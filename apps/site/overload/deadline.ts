// Deadlines of requests, passed down to the store: every transaction of a request gets the rest of the request's time, and reads for a
// visitor who has disconnected are called off.
import { Scope, type Claret } from '@claret/client';

import type { App } from '../http.ts';
import { inFlightRequestOf } from './in-flight-request.ts';
import { laneOf } from './lanes.ts';
import { DEADLINE_MS } from './limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The server's client, bounded by the request's deadline and observed for its cost (cost.ts). */
    claret: Claret;
    /** Bounds the request's transactions; null: not a request of the API. */
    scope: Scope | null;
  }
}

/** for all routes of `api` */
export function applyDeadlines(api: App, claret: Claret): void {
  api.decorateRequest('claret', null as unknown as Claret);
  api.decorateRequest('scope', null);
  api.addHook('onRequest', async (request) => {
    request.scope = inFlightRequestOf(request.raw)?.scope ?? scopeFromNow(request.method, request.url);
    request.claret = claret.within(request.scope);
  });
  // The deadline starts once the body is complete (bodies.ts).
  api.addHook('preValidation', async (request) => {
    const inFlight = inFlightRequestOf(request.raw);
    if (inFlight === null) return;
    request.scope = inFlight.scope;
    request.claret = request.claret.within(inFlight.scope);
  });
}

function scopeFromNow(method: string, url: string): Scope {
  return new Scope(performance.now() + DEADLINE_MS[laneOf(method, url) === 'write' ? 'write' : 'read']);
}
