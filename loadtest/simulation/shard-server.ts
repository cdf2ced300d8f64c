// ShardServer: one shard's machine. What runs on it is the gateway's own session code around the real core; a crash loses
// the process, not the disk, and the next start is a new core with a greater incarnation, fed from the log.
import type { Conditions, Shard, ShardOptions } from '@claret/core';
import { ShardHost } from '@claret/gateway/store/shard-host.ts';
import type { ShardHostOptions } from '@claret/gateway/store/shard-host.ts';
import { ShardLinks } from '@claret/gateway/store/shard-links.ts';
import type { Chance } from './chance.ts';
import { Disk } from './disk.ts';
import type { Network, StreamEnd } from './network.ts';
import { SimulatedNode } from './node.ts';
import type { World } from './world.ts';

export type CreateShard = (options: ShardOptions) => Shard;

export const addressOf = (shard: number): string => `shard-${shard}`;

export class ShardServer {
  readonly number: number;
  readonly disk: Disk;
  /** null: it is down */
  host: ShardHost | null = null;
  node!: SimulatedNode;
  incarnation = 0;
  /** of its clock, over all starts */
  skewMs = 0;
  readonly #world: World;
  readonly #network: Network;
  readonly #chance: Chance;
  readonly #options: Omit<ShardHostOptions, 'shard' | 'incarnation'>;
  readonly #createShard: CreateShard | undefined;

  /** the cluster's: a shard that starts takes them over, as a gateway does from the others */
  conditions: Conditions;

  constructor(
    world: World,
    network: Network,
    chance: Chance,
    number: number,
    options: Omit<ShardHostOptions, 'shard' | 'incarnation'>,
    createShard: CreateShard | undefined,
  ) {
    this.#world = world;
    this.#network = network;
    this.#chance = chance;
    this.number = number;
    this.#options = options;
    this.#createShard = createShard;
    this.conditions = options.conditions;
    this.disk = new Disk(world, chance.fork());
  }

  start(): void {
    const address = addressOf(this.number);
    const node = new SimulatedNode(this.#world, address, this.#chance.fork());
    node.skewMs = this.skewMs;
    this.node = node;
    const options = { ...this.#options, conditions: this.conditions, shard: this.number, incarnation: ++this.incarnation };
    const ground = { environment: node, log: this.disk.open(node), ...(this.#createShard && { createShard: this.#createShard }) };
    const host = new ShardHost(options, ground);
    for (const entries of this.disk.pieces) host.restore(entries);
    host.restored();
    this.host = host;
    new ShardLinks(host, (shard, { onFrame, onWritable, onClose }) => {
      const end = this.#network.open(node, addressOf(shard), { onFrame, onWritable, onClose });
      return linkTo(end, onClose);
    }, node);
    this.#network.listeners.set(address, { node, accept: (end) => this.#accept(host, end) });
    this.#world.note(`${address} starts as ${this.incarnation}`);
  }

  // As gateway/src/grpc/session.ts does it with a gRPC stream.
  #accept(host: ShardHost, end: StreamEnd): void {
    if (end.closed) return;
    const gone = () => host.disconnect(peer);
    const peer = host.connect(linkTo(end, gone));
    end.handlers = { onFrame: (frame) => host.receive(peer, frame), onWritable: () => host.writable(peer), onClose: gone };
  }

  /** The process is gone in the middle of whatever it did. */
  crash(): void {
    if (this.host === null) return;
    this.#world.note(`${this.node.name} crashes`);
    this.host = null;
    this.node.alive = false;
    this.#network.listeners.delete(this.node.name);
    this.#network.died(this.node);
    this.disk.crash();
  }

  setSkew(skewMs: number): void {
    this.skewMs = skewMs;
    this.node.skewMs = skewMs;
  }
}

/** A gRPC stream that one side has ended or cancelled tells that side of its closing too. */
function linkTo(end: StreamEnd, onClose: () => void) {
  const over = () => {
    if (end.closed) return;
    end.close();
    end.node.setImmediate(onClose);
  };
  return { write: (frame: Uint8Array) => end.send(frame), end: over, destroy: over };
}
