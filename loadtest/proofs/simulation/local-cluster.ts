// LocalCluster: each shard has a process of its own, with a disk.
import { evenTopology } from '@claret/client';
import type { TopologyDescription } from '@claret/client';
import type { Chance } from '../../kit/random.ts';
import type { ClusterOptions, SimulatedCluster } from './cluster.ts';
import { topologyOf } from './members.ts';
import { openDoor } from './doors/simulated-door.ts';
import { MovingPart } from './moves/moving-part.ts';
import { slotsWronglyOwned } from './moves/slots-judge.ts';
import type { Network } from './network.ts';
import type { SimulatedNode } from './node.ts';
import { ShardServer, addressOf } from './shard-server.ts';
import { TypesPart } from './types/types-part.ts';

/** A process that dies at the end of a move does so within this time: before its log is durable, or after. */
const DEATH_MS = 1;

export class LocalCluster implements SimulatedCluster {
  readonly shards: readonly ShardServer[];
  readonly addresses: string[];
  readonly #network: Network;
  #isHealed = false;

  constructor({ world, network, chance, shards: options, createShard, skewMs, doorsTimeoutMs, moves, haveTypes, blame }: ClusterOptions) {
    this.#network = network;
    this.shards = Array.from({ length: options.shards + (moves?.joiners ?? 0) }, (_, number) => {
      const server = new ShardServer(world, network, chance.fork(), number, options, createShard);
      server.skewMs = skewMs === 0 ? 0 : chance.between(-skewMs, skewMs);
      return server;
    });
    this.addresses = this.shards.map(({ number }) => addressOf(number));
    const haveDoors = doorsTimeoutMs !== undefined;
    const topology = () => topologyOf(this.addresses, options.shards, false, haveDoors);
    for (const server of haveDoors ? this.shards : [])
      server.openDoor = (node, host) => {
        const ground = { node, network, host, shard: server.number, topology: server.moving?.topology ?? topology() };
        void openDoor({ ...ground, timeoutMs: doorsTimeoutMs!, judge: (link) => link });
      };
    for (const server of haveTypes ? this.shards : [])
      server.createTypes = (node, host) => {
        const { members } = server.moving?.topology ?? topology();
        return new TypesPart({ node, network, shard: server.number, host, members, partAt: (address) => this.typesAt(address) });
      };
    if (moves === undefined) return;
    const draws = chance.fork();
    const onMoved = (shard: number) => {
      const wrong = slotsWronglyOwned(this.shards, false);
      if (wrong !== undefined) blame('slots', wrong);
      if (!this.#isHealed && draws.happens(moves.deaths))
        world.after(draws.between(0, DEATH_MS), () => this.shards[shard]!.crashAndStart(0));
    };
    const partAt = (address: string) => this.shards[this.addresses.indexOf(address)]?.moving ?? undefined;
    for (const server of this.shards)
      server.createMoving = (node, host) => {
        return new MovingPart({
          node,
          network,
          shard: server.number,
          host,
          topology: topology(),
          settings: moves,
          partAt,
          onMoved,
          isOwner: () => true,
        });
      };
  }

  get moving(): readonly MovingPart[] {
    return this.shards.flatMap(({ moving }) => moving ?? []);
  }

  typesAt(address: string): TypesPart | undefined {
    return this.shards[this.addresses.indexOf(address)]?.types ?? undefined;
  }

  get machines(): readonly ShardServer[] {
    return this.shards;
  }

  start(): void {
    for (const server of this.shards) server.start();
  }

  topology(node: SimulatedNode, address: string): Promise<TopologyDescription> {
    const server = this.shards[this.addresses.indexOf(address)];
    if (server?.createMoving !== undefined) return this.#network.ask(node, address, () => server.moving!.topology.describe());
    return new Promise((resolve, reject) => {
      node.setTimeout(() => {
        if (this.#network.listeners.has(address)) resolve({ ...evenTopology(this.addresses), durability: 'sync' });
        else reject(new Error(`nobody listens at ${address}`));
      }, 1);
    });
  }

  heal(): void {
    this.#isHealed = true;
    for (const { disk } of this.shards) disk.heal();
  }

  async startAgain(chance: Chance): Promise<void> {
    for (const server of this.shards) {
      if (chance.happens(0.3)) await server.checkpoint();
      if (chance.happens(0.5)) server.crashAndStart(0);
    }
  }
}
