// AppServer: one application process with the real client in it, which runs a workload. It may stall, and it may die at any moment:
// then none of its code runs any more, and promises to it never settle.
import { connectForTests, type TestConnectOptions } from '@claret/client/testing';
import type { Claret, Link, LinkHandlers, Transport } from '@claret/client';
import type { Chance } from '../../kit/random.ts';
import type { SimulatedCluster } from './cluster.ts';
import { DoorClient } from './doors/door-client.ts';
import { doorOf } from './doors/simulated-door.ts';
import type { Network } from './network.ts';
import { SimulatedNode } from './node.ts';
import type { World } from './world.ts';

/** Longer than any downtime of a shard. */
const CONNECT_MS = 60_000;

/** The observable state of a worker (worker.ts). */
export interface WorkerState {
  /** when the current transaction began; null: none is running */
  readonly begunMs: number | null;
  readonly ended: boolean;
}

export class AppServer {
  readonly node: SimulatedNode;
  readonly workers: WorkerState[] = [];
  /** null: not connected yet */
  claret: Claret | null = null;
  readonly #world: World;
  readonly #network: Network;
  readonly #cluster: SimulatedCluster;

  constructor(world: World, network: Network, chance: Chance, name: string, cluster: SimulatedCluster) {
    this.#world = world;
    this.#network = network;
    this.#cluster = cluster;
    this.node = new SimulatedNode(world, name, chance);
  }

  async open(options: Partial<TestConnectOptions>): Promise<Claret> {
    const { node } = this;
    const ground = { addresses: this.#cluster.addresses, name: node.name, transport: this.#transport(), environment: node };
    this.claret = await connectForTests({ ...ground, connectTimeoutMs: CONNECT_MS, ...options });
    return this.claret;
  }

  enterDoor(chance: Chance, timeoutMs: number): Promise<DoorClient> {
    return DoorClient.open(this.#network, this.node, doorOf(chance.pick(this.#cluster.addresses)), timeoutMs);
  }

  stall(forMs: number): void {
    this.node.stall(forMs);
  }

  #transport(): Transport {
    return {
      open: (address: string, { onFrame, onClose }: LinkHandlers): Link => {
        const end = this.#network.open(this.node, address, { onFrame, onClose, onWritable: () => {} });
        return { send: (frame) => end.send(frame), close: () => end.close() };
      },
      topology: (address) => this.#cluster.topology(this.node, address),
      close: () => {},
    };
  }

  die(): void {
    this.#world.note(`${this.node.name} dies`);
    this.node.alive = false;
    this.#network.died(this.node);
  }
}
