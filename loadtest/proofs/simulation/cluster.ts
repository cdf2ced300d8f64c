// The cluster of a run. Its shards are served by whoever has them: a process with a disk (local-cluster.ts), or one of several gateways with
// a replicated log (replicated/replicated-cluster.ts).
import type { TopologyDescription } from '@claret/client';
import type { CreateShard, ShardServerOptions } from './shard-server.ts';
import type { Clocked } from './clocks.ts';
import type { MoveSettings, MovingPart } from './moves/moving-part.ts';
import type { Network } from './network.ts';
import type { SimulatedNode } from './node.ts';
import type { World } from './world.ts';
import type { Chance } from '../../kit/random.ts';
import type { ServedShard } from './served-shard.ts';
import type { TypesPart } from './types/types-part.ts';

export interface SimulatedCluster {
  readonly shards: readonly ServedShard[];
  /** the machines whose wall clocks give timestamps */
  readonly machines: readonly Clocked[];
  /** of gateways that may know the topology */
  readonly addresses: string[];
  /** of the processes that serve a shard at present, where slots move */
  readonly moving: readonly MovingPart[];
  /** of the process that serves a shard at that address, where types are installed */
  typesAt(address: string): TypesPart | undefined;
  start(): void;
  /** Asks the gateway at that address. Rejects if there is no answer. */
  topology(node: SimulatedNode, address: string): Promise<TopologyDescription>;
  /** All faults are over. */
  heal(): void;
  /** Some of the processes shut down with a checkpoint, some crash, some keep running. */
  startAgain(chance: Chance): Promise<void>;
}

export interface ClusterOptions {
  world: World;
  network: Network;
  chance: Chance;
  shards: ShardServerOptions;
  createShard: CreateShard | undefined;
  /** by how much the wall clocks of its machines differ at most */
  skewMs: number;
  /** how long a transaction that Redis clients cause may take; undefined: there are no Redis doors */
  doorsTimeoutMs: number | undefined;
  /** undefined: slots do not move */
  moves: MoveSettings | undefined;
  /** Types are installed. */
  haveTypes: boolean;
  blame(rule: string, text: string): void;
}
