// Limits the connections of a server (descriptors.ts). Node closes those beyond the limit at once; a log line says so from time to time.
import type { Server } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';

const LOG_EVERY_MS = 10_000;

/** `max`: Infinity for no limit; `protocol`: for the log line */
export function limitConnections(server: Server, max: number, protocol: string, log: Pick<FastifyBaseLogger, 'warn'>): void {
  if (max === Infinity) return;
  server.maxConnections = max;
  server.on('drop', tellDropped(max, protocol, log));
}

/** To be called for each connection that was closed because `max` are open. */
export function tellDropped(max: number, protocol: string, log: Pick<FastifyBaseLogger, 'warn'>): () => void {
  let dropped = 0;
  let loggedMs = -Infinity;
  return () => {
    dropped++;
    if (performance.now() - loggedMs < LOG_EVERY_MS) return;
    log.warn(
      `${protocol}: ${max} connections are open, as many as fit into this process's limit of open files: ${dropped} closed as they came`,
    );
    loggedMs = performance.now();
    dropped = 0;
  };
}
