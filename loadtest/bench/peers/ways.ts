// The compared ways of running a transaction, and their guarantees.

import type { WorkloadName } from '../paper/points.ts';

/** `door`: Claret's, for Redis clients */
export type Peer = 'claret' | 'door' | 'redis';
export type WayName =
  | 'claret interactive'
  | 'claret one-shot'
  | 'claret door MULTI'
  | 'claret door WATCH'
  | 'redis WATCH'
  | 'redis WATCH pooled'
  | 'redis MULTI'
  | 'redis MULTI bare'
  | 'redis Lua';

export interface Way {
  name: WayName;
  peer: Peer;
  workloads: readonly WorkloadName[];
  /** how a transaction is sent, and what is guaranteed */
  guarantees: string;
}

export const WAYS: readonly Way[] = [
  {
    name: 'claret interactive',
    peer: 'claret',
    workloads: ['rawmix', 'rubis'],
    guarantees:
      "decides on what it reads; strictly serializable, across shards. rawmix: each operation awaited before the next; rubis: the site's code as it is",
  },
  {
    name: 'claret one-shot',
    peer: 'claret',
    workloads: ['rawmix'],
    guarantees: 'all operations at once; strictly serializable, across shards',
  },
  {
    name: 'claret door MULTI',
    peer: 'door',
    workloads: ['rawmix'],
    guarantees: "`redis MULTI` as it is, with its Redis client, at Claret's Redis door; strictly serializable, across shards",
  },
  {
    name: 'claret door WATCH',
    peer: 'door',
    workloads: ['rawmix'],
    guarantees: '`redis WATCH` as it is, at the door; strictly serializable',
  },
  {
    name: 'redis WATCH',
    peer: 'redis',
    workloads: ['rawmix', 'rubis'],
    guarantees:
      'decides on what it reads; optimistic: tried again when what it read has changed; serializable, on one node. A connection for each client',
  },
  {
    name: 'redis WATCH pooled',
    peer: 'redis',
    workloads: ['rawmix', 'rubis'],
    guarantees: 'the same with fewer connections, for which transactions wait: so fewer meet',
  },
  {
    name: 'redis MULTI',
    peer: 'redis',
    workloads: ['rawmix'],
    guarantees: 'all commands at once; atomic, with no deciding on what was read; on one node',
  },
  {
    name: 'redis MULTI bare',
    peer: 'redis',
    workloads: ['rawmix'],
    guarantees:
      'the same by a bare pipelining client: commands encoded by hand, replies read without conversion; shows what the server can do',
  },
  {
    name: 'redis Lua',
    peer: 'redis',
    workloads: ['rawmix', 'rubis'],
    guarantees: 'the transaction is a script within Redis, which runs nothing else meanwhile; atomic; on one node',
  },
];

/** Guarantees that do not depend on the way. */
export const COMMON_GUARANTEES = [
  "Redis: one process, one thread for all data; in a cluster no transaction across slots; with these settings (--save '' --appendonly no) nothing is durable at commit.",
  'Claret: any number of shards, a transaction across any of them; this run keeps no log (durability none): nothing is durable at commit either.',
];

export const wayNamed = (name: WayName): Way => WAYS.find((way) => way.name === name)!;
