// Requests whose bodies are still being sent: they have no place at work, so that whoever sends slowly keeps nobody out, and their
// time has not begun. A request takes its place, or is refused, once all of it is there, before any of its work begins.
import { setImmediate } from 'node:timers/promises';

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { App } from '../http.ts';
import { RequestProblem } from '../problem.ts';
import { SENDING } from './limits.ts';
import { retryAfterS } from './refusal.ts';
import { Shares } from './shares.ts';
import { visitOf, type Visit } from './visit.ts';

/** For all routes of `app`. */
export function waitForBodies(app: App): void {
  const shares = new Shares(SENDING);
  const ends = new WeakMap<Visit, () => void>();

  app.addHook('onRequest', async (request, reply) => {
    const visit = visitOf(request.raw);
    if (visit === null || !visit.sending) return;
    await setImmediate(); // then what came in one piece has been read
    if (request.raw.complete) return begin(visit);
    if (reply.raw.destroyed) return; // nobody is there
    const end = shares.take(request.ip);
    if (end === null) throw refused(reply);
    ends.set(visit, end);
    reply.raw.once('close', end);
  });
  app.addHook('preValidation', async (request: FastifyRequest) => {
    const visit = visitOf(request.raw);
    if (visit === null || !visit.sending) return;
    ends.get(visit)?.();
    begin(visit);
  });
}

function begin(visit: Visit): void {
  if (!visit.begin(performance.now())) throw new RequestProblem('overloaded', { retry_after_s: retryAfterS() });
}

/** The rest of the body is not waited for. */
function refused(reply: FastifyReply): RequestProblem {
  reply.header('connection', 'close');
  return new RequestProblem('overloaded', { retry_after_s: retryAfterS() });
}
