// Connections to the Redis of this machine, with the scripts of the workloads. None is open before `connect`.

import { createClient, createClientPool } from 'redis';
import { SCRIPTS } from './redis-scripts.ts';

export type Connection = ReturnType<typeof connectionTo>;
export type Pool = ReturnType<typeof poolTo>;

const optionsFor = (port: number) => ({ socket: { host: '127.0.0.1', port }, scripts: SCRIPTS });

export const connectionTo = (port: number) => createClient(optionsFor(port));

/** A pool of this many connections. Requests for a connection wait without a time limit. */
export const poolTo = (port: number, connections: number) =>
  createClientPool(optionsFor(port), { minimum: connections, maximum: connections, acquireTimeout: 0 });
