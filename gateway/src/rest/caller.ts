// Calls off a request's transactions, or other work, when its caller disconnects.
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

/** Aborted when the caller disconnects before the reply. */
export function signalOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableEnded) gone.abort();
  });
  if (raw.destroyed) gone.abort();
  return gone.signal;
}
