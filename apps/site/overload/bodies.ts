// Requests whose bodies are still being received. They take no slot, so that slow senders keep no other request out, and their deadline has
// not started. A request is admitted or shed once its body is complete, before any of its work begins.
import { setImmediate } from 'node:timers/promises';

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { App } from '../http.ts';
import { RequestProblem } from '../problem.ts';
import { inFlightRequestOf, type InFlightRequest } from './in-flight-request.ts';
import { SENDING } from './limits.ts';
import { retryAfterS } from './refusal.ts';
import { Shares } from './shares.ts';

/** for all routes of `app` */
export function waitForBodies(app: App): void {
  const shares = new Shares(SENDING);
  const ends = new WeakMap<InFlightRequest, () => void>();

  app.addHook('onRequest', async (request, reply) => {
    const inFlight = inFlightRequestOf(request.raw);
    if (inFlight === null || !inFlight.isReceiving) return;
    await setImmediate(); // by then a body that came with the head has been read
    if (request.raw.complete) return start(inFlight);
    if (reply.raw.destroyed) return; // the visitor has disconnected
    const end = shares.take(request.ip);
    if (end === null) throw refused(reply);
    ends.set(inFlight, end);
    reply.raw.once('close', end);
  });
  app.addHook('preValidation', async (request: FastifyRequest) => {
    const inFlight = inFlightRequestOf(request.raw);
    if (inFlight === null || !inFlight.isReceiving) return;
    ends.get(inFlight)?.();
    start(inFlight);
  });
}

function start(inFlight: InFlightRequest): void {
  if (!inFlight.start(performance.now())) throw new RequestProblem('overloaded', { retry_after_s: retryAfterS() });
}

/** The rest of the body is not awaited. */
function refused(reply: FastifyReply): RequestProblem {
  reply.header('connection', 'close');
  return new RequestProblem('overloaded', { retry_after_s: retryAfterS() });
}
