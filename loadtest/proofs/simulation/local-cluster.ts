// LocalCluster: each shard has a process of its own, with a disk.
import { evenTopology } from '@claret/client';
import type { TopologyDescription } from '@claret/client';
import type { Chance } from '../../kit/random.ts';
import type { ClusterOptions, SimulatedCluster } from './cluster.ts';
import type { Network } from './network.ts';
import type { SimulatedNode } from './node.ts';
import { ShardServer, addressOf } from './shard-server.ts';

export class LocalCluster implements SimulatedCluster {
  readonly shards: readonly ShardServer[];
  readonly addresses: string[];
  readonly #network: Network;

  constructor({ world, network, chance, shards: options, createShard, skewMs }: ClusterOptions) {
    this.#network = network;
    this.shards = Array.from({ length: options.shards }, (_, number) => {
      const server = new ShardServer(world, network, chance.fork(), number, options, createShard);
      server.skewMs = skewMs === 0 ? 0 : chance.between(-skewMs, skewMs);
      return server;
    });
    this.addresses = this.shards.map(({ number }) => addressOf(number));
  }

  get machines(): readonly ShardServer[] {
    return this.shards;
  }

  start(): void {
    for (const server of this.shards) server.start();
  }

  topology(node: SimulatedNode, address: string): Promise<TopologyDescription> {
    return new Promise((resolve, reject) => {
      node.setTimeout(() => {
        if (this.#network.listeners.has(address)) resolve({ ...evenTopology(this.addresses), durability: 'sync' });
        else reject(new Error(`nobody listens at ${address}`));
      }, 1);
    });
  }

  heal(): void {
    for (const { disk } of this.shards) disk.heal();
  }

  async startAgain(chance: Chance): Promise<void> {
    for (const server of this.shards) {
      if (chance.happens(0.3)) await server.checkpoint();
      if (chance.happens(0.5)) server.crashAndStart(0);
    }
  }
}
