// The services behind REST and gRPC, in one object, so that a route can name exactly those that it uses.
import type { Conflict } from '@claret/core';
import type { ClusterBackup } from './backup/cluster-backup.ts';
import type { OwnShardBackup } from './backup/own-shard-backup.ts';
import type { Laboratory } from './laboratory/laboratory.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { OwnMoves } from './moving/own-moves.ts';
import type { AwaitedChanges } from './transaction/awaited-changes.ts';
import type { Calls } from './transaction/calls.ts';
import type { Catalogue } from './transaction/catalogue.ts';
import type { Overview } from './replication/overview.ts';
import type { Agreement } from './store/agreement.ts';
import type { ClusterClocks } from './store/cluster-clocks.ts';
import type { ClusterConditions } from './store/cluster-conditions.ts';
import type { ClusterTypes } from './store/cluster-types.ts';
import type { ClusterWarranties } from './store/cluster-warranties.ts';
import type { ClusterTelemetry } from './telemetry/cluster-telemetry.ts';
import type { Marks } from './telemetry/marks.ts';
import type { ShardTelemetry } from './telemetry/shard-telemetry.ts';
import type { Topology } from './topology.ts';
import type { InteractiveTable } from './transaction/interactive.ts';
import type { Transactions } from './transaction/transactions.ts';

/** starting: not serving yet; closing: open work may finish, new work is refused */
export interface Lifecycle {
  phase: 'starting' | 'serving' | 'closing';
}

/** The conflict table of a shard. */
export interface OwnConflicts {
  shard: number;
  /** `dropped`: conflicts that were not counted because the table was full */
  read(): { rows: Conflict[]; dropped: number };
}

export interface Services {
  lifecycle: Lifecycle;
  catalogue: Catalogue;
  transactions: Transactions;
  /** limits the transactions in flight, and counts shed requests */
  calls: Calls;
  interactive: InteractiveTable;
  /** changes for which callers of REST wait */
  awaitedChanges: AwaitedChanges;
  /** how long the answer of a transaction with an id is kept */
  idempotencyMs: number;
  conditions: ClusterConditions;
  /** data types that are installed */
  types: ClusterTypes;
  /** the warranties of records, whichever shard has them */
  warranties: ClusterWarranties;
  /** compares the other gateways' clocks with this one's */
  clocks: ClusterClocks;
  topology: Topology;
  /** owners and standbys; absent in a cluster that is not replicated */
  overview: Overview | undefined;
  /** checks that the gateways agree on settings and logs */
  agreement: Agreement;
  /** of the own shard */
  ownConflicts: OwnConflicts;
  metrics: Metrics;
  /** telemetry of the own shard */
  shardTelemetry: ShardTelemetry;
  /** telemetry of all shards, for viewers */
  telemetry: ClusterTelemetry;
  /** events on the dashboard's time axis, such as a change of conditions */
  marks: Marks;
  /** the own shard's backup, for this gateway and others */
  ownShardBackup: OwnShardBackup;
  /** makes backups of the cluster */
  backup: ClusterBackup;
  /** slots that move between shards */
  ownMoves: OwnMoves;
  /** runs spikes against the cluster */
  laboratory: Laboratory;
}
