// What a ShardHost is given: its settings, what it works with, and the streams to its peers.
import type { Environment } from '@claret/client';
import type { Conditions, Shard, ShardOptions } from '@claret/core';
import type { Log } from '../log/log.ts';

/** The stream to a peer. */
export interface PeerLink {
  /** False: nothing more must be written until `ShardHost.writable` is called (backpressure). The frame is never changed afterwards. */
  write(frame: Uint8Array): boolean;
  /** Writes what `write` has left for later, if it does so. False: as `write`. */
  writeRest?(): boolean;
  /** The session has ended: close the stream once everything written has been sent. */
  end(): void;
  /** The session has ended, and its peer does not read: drop the stream. */
  destroy(): void;
}

export interface ShardHostOptions extends Omit<ShardOptions, 'logged'> {
  pollMicroseconds: number;
  conditions: Conditions;
}

/** All have defaults. */
export interface ShardHostDependencies {
  /** the real one by default */
  environment?: Environment;
  /** absent: durability none, the shard starts empty; else nothing is appended before `restored` */
  log?: Pick<Log, 'append'> | undefined;
  /**
   * Until when replies may leave, on the monotonic clock (replication/ownership.ts); looked at for each peer that has some. Those that may
   * not leave wait for `leaseRenewed`. Absent: they may always.
   */
  answersUntilMs?: (() => number) | undefined;
  /**
   * All timestamps of this start are to be above that wall time (replication/ownership.ts); looked at when the host is restored. Absent: this
   * machine's clock is above those of all starts before.
   */
  wallMsLeast?: (() => number) | undefined;
  /** the core's constructor by default */
  createShard?: (options: ShardOptions) => Shard;
}
