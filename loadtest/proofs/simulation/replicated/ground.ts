// What the gateways of a replicated cluster stand on, and what they have.
import type { Conditions } from '@claret/core';
import type { Log } from '@claret/gateway/log/log.ts';
import type { ModelEntries } from '@claret/gateway/replication/testing/model-entries.ts';
import type { ModelStreams } from '@claret/gateway/replication/testing/model-streams.ts';
import type { Ownership } from '@claret/gateway/replication/ownership.ts';
import type { Checkpointer, CheckpointLimits } from '@claret/gateway/store/checkpointer.ts';
import type { ShardHost } from '@claret/gateway/store/shard-host.ts';
import type { Topology } from '@claret/gateway/topology.ts';
import type { MoveSettings, MovingPart } from '../moves/moving-part.ts';
import type { Network } from '../network.ts';
import type { CreateShard, ShardServerOptions } from '../shard-server.ts';
import type { TypesPart } from '../types/types-part.ts';
import type { World } from '../world.ts';

/** What a gateway has while it serves a shard. */
export interface Serving {
  readonly shard: number;
  readonly incarnation: number;
  readonly host: ShardHost;
  readonly log: Log;
  readonly ownership: Ownership;
  readonly checkpointer: Checkpointer;
  readonly topology: Topology;
  /** where slots move */
  readonly moving: MovingPart | undefined;
  /** where types are installed */
  readonly types: TypesPart | undefined;
}

/** What its gateways stand on. */
export interface ReplicatedGround {
  readonly world: World;
  readonly network: Network;
  readonly entries: ModelEntries;
  readonly streams: ModelStreams;
  readonly shards: number;
  /** the number of them among which the slots are dealt at first */
  readonly dealt: number;
  /** undefined: slots do not move */
  readonly moves: MoveSettings | undefined;
  partAt(address: string): MovingPart | undefined;
  onMoved(shard: number): void;
  /** Types are installed. */
  readonly haveTypes: boolean;
  /** of the gateway that serves a shard at that address */
  typesAt(address: string): TypesPart | undefined;
  readonly addresses: readonly string[];
  readonly leaseMs: number;
  /** undefined: there are no Redis doors */
  readonly doorsTimeoutMs: number | undefined;
  readonly conditions: Conditions;
  readonly hostOptions: Omit<ShardServerOptions, 'checkpoints'>;
  readonly checkpoints: CheckpointLimits;
  readonly createShard: CreateShard | undefined;
  /** a new base of a checkpoint is not written before so many bytes */
  readonly rebaseBytesLeast: number;
  onServing(serving: Serving): void;
  /** A gateway sends something as the owner of its shard. */
  onAnswer(by: { readonly address: string; readonly serving: Serving | null }): void;
  blame(rule: string, text: string): void;
}
