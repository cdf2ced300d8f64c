// Streams from the own shard to others, opened when its core wants them (to settle what a dead client left) and kept as
// long as they live. A stream that breaks is opened again only when it is wanted again, and not at once.
import type { ClusterMember } from '../cluster.ts';
import type { Peers } from '../grpc/peers.ts';
import type { ShardHost } from './shard-host.ts';

const REOPEN_MS = 200;

export class ShardLinks {
  private readonly host: ShardHost;
  private readonly members: ClusterMember[];
  private readonly peers: Peers;
  private readonly open = new Set<number>();
  private readonly notBeforeMs = new Map<number, number>();

  constructor(host: ShardHost, members: ClusterMember[], peers: Peers) {
    this.host = host;
    this.members = members;
    this.peers = peers;
    host.onWantedShards = (shards) => {
      for (const shard of shards) this.want(shard);
    };
  }

  private want(shard: number): void {
    const member = this.members[shard];
    if (!member || this.open.has(shard) || performance.now() < (this.notBeforeMs.get(shard) ?? 0)) return;
    this.open.add(shard);
    const stream = this.peers.openSession(member);
    const peer = this.host.connectShard(
      { write: (frame) => stream.write(asBuffer(frame)), end: () => stream.cancel(), destroy: () => stream.cancel() },
      shard,
    );
    stream.on('data', (frame: Buffer) => this.host.receive(peer, frame));
    stream.on('drain', () => this.host.writable(peer));
    stream.on('error', () => {}); // 'close' follows
    stream.on('close', () => {
      this.open.delete(shard);
      this.notBeforeMs.set(shard, performance.now() + REOPEN_MS);
      this.host.disconnect(peer);
      setTimeout(() => this.host.wake(), REOPEN_MS).unref(); // asks again what is wanted
    });
  }
}

const asBuffer = (frame: Uint8Array): Buffer => Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
