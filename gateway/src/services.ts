// What the doors (REST, unary gRPC) lead to: one object, so that a route names exactly what it uses.
import type { Conflict } from '@claret/core';
import type { ClusterBackup } from './backup/cluster-backup.ts';
import type { OnePart } from './backup/one-part.ts';
import type { ClusterMember } from './cluster.ts';
import type { Laboratory } from './laboratory/laboratory.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Calls } from './transaction/calls.ts';
import type { Catalogue } from './transaction/catalogue.ts';
import type { Agreement } from './store/agreement.ts';
import type { ClusterClocks } from './store/cluster-clocks.ts';
import type { ClusterConditions } from './store/cluster-conditions.ts';
import type { ClusterTelemetry } from './telemetry/cluster-telemetry.ts';
import type { Marks } from './telemetry/marks.ts';
import type { ShardTelemetry } from './telemetry/shard-telemetry.ts';
import type { InteractiveTable } from './transaction/interactive.ts';
import type { Transactions } from './transaction/transactions.ts';

export interface TopologyView {
  version: number;
  /** none | async | sync */
  durability: string;
  clusterName: string;
  members: ClusterMember[];
}

/** starting: not listening yet; closing: work that is open may end, no more should come. */
export interface Lifecycle {
  phase: 'starting' | 'serving' | 'closing';
}

export interface Services {
  lifecycle: Lifecycle;
  catalogue: Catalogue;
  transactions: Transactions;
  /** how many of them are at work, and what was refused */
  calls: Calls;
  interactive: InteractiveTable;
  /** how long an answer is kept for whoever sends a transaction again */
  idempotencyMs: number;
  conditions: ClusterConditions;
  /** how far the others' clocks are from this gateway's */
  clocks: ClusterClocks;
  topology: TopologyView;
  /** with the other gateways, on what the cluster is */
  agreement: Agreement;
  /** the own one's number */
  shard: number;
  /** the own shard's conflict table; `dropped`: conflicts that found it full */
  conflicts(): { rows: Conflict[]; dropped: number };
  metrics: Metrics;
  /** what the own shard tells */
  shardTelemetry: ShardTelemetry;
  /** what all shards tell, for viewers */
  telemetry: ClusterTelemetry;
  /** what was done to the cluster, for the time axis */
  marks: Marks;
  /** the own shard's part in backups, whoever makes them */
  ownPart: OnePart;
  /** makes backups of the cluster */
  backup: ClusterBackup;
  /** runs spikes against the cluster */
  laboratory: Laboratory;
}
