// Streams from the own shard to other shards. They are opened when the core wants them, to settle the transactions of a dead client, and
// stay open. A broken stream is reopened only if it is still wanted, after a delay.
import type { Environment } from '@claret/client';
import { shardEnvironment } from './environment.ts';
import type { PeerLink, ShardHost } from './shard-host.ts';

const REOPEN_MS = 200;

export interface ShardStreamHandlers {
  onFrame(frame: Uint8Array): void;
  /** The stream takes frames again. */
  onWritable(): void;
  /** The stream has closed. Called once, never within `OpenShard`. */
  onClose(): void;
}

/** Opens a Session stream to another shard; undefined if there is no such shard. */
export type OpenShard = (shard: number, handlers: ShardStreamHandlers) => PeerLink | undefined;

export class ShardLinks {
  private readonly host: ShardHost;
  private readonly openShard: OpenShard;
  private readonly environment: Environment;
  private readonly open = new Set<number>();
  private readonly notBeforeMs = new Map<number, number>();

  constructor(host: ShardHost, openShard: OpenShard, environment: Environment = shardEnvironment) {
    this.host = host;
    this.openShard = openShard;
    this.environment = environment;
    host.onWantedShards = (shards) => {
      for (const shard of shards) this.want(shard);
    };
  }

  private want(shard: number): void {
    if (this.open.has(shard) || this.environment.monotonicMs() < (this.notBeforeMs.get(shard) ?? 0)) return;
    const link = this.openShard(shard, {
      onFrame: (frame) => this.host.receive(peer, frame),
      onWritable: () => this.host.writable(peer),
      onClose: () => {
        this.open.delete(shard);
        this.notBeforeMs.set(shard, this.environment.monotonicMs() + REOPEN_MS);
        this.host.disconnect(peer);
        this.environment.setTimeout(() => this.host.wake(), REOPEN_MS); // a turn asks the core again which streams it wants
      },
    });
    if (link === undefined) return;
    this.open.add(shard);
    const peer = this.host.connectShard(link, shard);
  }
}
