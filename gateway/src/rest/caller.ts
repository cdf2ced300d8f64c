// Whoever sent a request: once they have gone, nobody wants what was begun for them.
import { Scope } from '@claret/client';
import type { FastifyReply } from 'fastify';

/** Bounds the request's transactions: called off when its caller leaves before the answer. */
export function scopeOf({ raw }: FastifyReply): Scope {
  const scope = new Scope();
  raw.once('close', () => {
    if (!raw.writableEnded) scope.callOff();
  });
  return scope;
}
