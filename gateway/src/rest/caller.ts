// Calls off a request's transactions when its caller disconnects.
import { Scope } from '@claret/client';
import type { FastifyReply } from 'fastify';

/** A scope that is called off when the caller disconnects before the reply. */
export function scopeOf({ raw }: FastifyReply): Scope {
  const scope = new Scope();
  raw.once('close', () => {
    if (!raw.writableEnded) scope.callOff();
  });
  return scope;
}
