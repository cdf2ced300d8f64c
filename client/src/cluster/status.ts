// Status and Load: the sessions of a cluster as applications see them.

import type { SessionState } from '../session/session.ts';

export interface Status {
  shards: ShardStatus[];
}

interface ShardStatus {
  shard: number;
  address: string;
  state: SessionState;
}

/** The backlog of a client. */
export interface Load {
  shards: ShardLoad[];
  /** transactions that run, and those that wait until fewer do */
  running: number;
  waiting: number;
}

export interface ShardLoad {
  shard: number;
  /** the age of the oldest frame that the shard has not received, or of the oldest request that waits to be sent */
  behindMs: number;
  /** requests that wait to be sent */
  unsent: number;
}
