// Deadlines of requests, passed down to the store: every transaction of a request has what is left of the request's time, and
// what was begun to be read for a visitor who has gone is called off.
import { Scope, type Claret } from '@claret/client';

import type { App } from '../http.ts';
import { laneOf } from './lanes.ts';
import { DEADLINE_MS } from './limits.ts';
import { visitOf } from './visit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The server's client, bounded by the request's deadline; observed for its cost (cost.ts). */
    claret: Claret;
    /** What bounds it; null: the request is no API's. */
    scope: Scope | null;
  }
}

/** For all routes of `api`. */
export function giveDeadlines(api: App, claret: Claret): void {
  api.decorateRequest('claret', null as unknown as Claret);
  api.decorateRequest('scope', null);
  api.addHook('onRequest', async (request) => {
    request.scope = visitOf(request.raw)?.scope ?? scopeFromNow(request.method, request.url);
    request.claret = claret.within(request.scope);
  });
  // Its time begins once its body is there (bodies.ts).
  api.addHook('preValidation', async (request) => {
    const visit = visitOf(request.raw);
    if (visit === null) return;
    request.scope = visit.scope;
    request.claret = request.claret.within(visit.scope);
  });
}

function scopeFromNow(method: string, url: string): Scope {
  return new Scope(performance.now() + DEADLINE_MS[laneOf(method, url) === 'write' ? 'write' : 'read']);
}
