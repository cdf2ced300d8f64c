// A fault of a process, a stream or a clock, as a function on the run.
import type { Conditions } from '@claret/core';
import type { Chance } from '../../kit/random.ts';
import type { AppServer } from './app-server.ts';
import type { SimulatedCluster } from './cluster.ts';
import type { Freezes } from './freezes.ts';
import type { Network } from './network.ts';
import type { ShardServer } from './shard-server.ts';
import type { World } from './world.ts';

/** The run, as far as faults affect it (Simulation). */
export interface Target {
  readonly world: World;
  readonly network: Network;
  readonly cluster: SimulatedCluster;
  /** the processes of shards with disks */
  readonly servers: readonly ShardServer[];
  /** the running ones */
  readonly appServers: readonly AppServer[];
  readonly freezes: Freezes;
  conditions: Conditions;
  /** how long grants of warranties stand */
  readonly termMs: number;
  /** no more faults occur */
  readonly closing: boolean;
  kill(appServer: AppServer): void;
  startAppServer(): void;
}

export type Fault = (target: Target, chance: Chance) => void;
