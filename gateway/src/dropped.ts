// Connections that were closed as they came, since there were as many as fit (descriptors.ts): a line of the log now and then.
import type { Server } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';

const TELL_EVERY_MS = 10_000;

/** Infinity: as many as come. */
export function limitConnections(server: Server, max: number, door: string, log: Pick<FastifyBaseLogger, 'warn'>): void {
  if (max === Infinity) return;
  server.maxConnections = max;
  let dropped = 0;
  let toldMs = -Infinity;
  server.on('drop', () => {
    dropped++;
    if (performance.now() - toldMs < TELL_EVERY_MS) return;
    log.warn(
      `${door}: ${max} connections are open, as many as fit into this process's limit of open files: ${dropped} closed as they came`,
    );
    toldMs = performance.now();
    dropped = 0;
  });
}
