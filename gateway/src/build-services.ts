// Puts together the services behind REST and gRPC (services.ts) of a gateway that has its shard.
import type { Claret } from '@claret/client';
import { completed } from '@claret/client/telemetry';
import type { FastifyBaseLogger } from 'fastify';
import type { BackupSource } from './backup/shard-backup.ts';
import type { ClusterMember } from './cluster.ts';
import type { Config } from './config.ts';
import { ClusterBackup } from './backup/cluster-backup.ts';
import { OwnShardBackup } from './backup/own-shard-backup.ts';
import type { Peers } from './grpc/peers.ts';
import { Laboratory } from './laboratory/laboratory.ts';
import type { DurabilitySource } from './metrics/durability.ts';
import { createMetrics } from './metrics/metrics.ts';
import { Door } from './resp/door.ts';
import type { Lifecycle, Services } from './services.ts';
import { Agreement } from './store/agreement.ts';
import { ClusterClocks, describeClocksApart } from './store/cluster-clocks.ts';
import { ClusterConditions } from './store/cluster-conditions.ts';
import { clusterTypes } from './store/cluster-types.ts';
import { ClusterWarranties } from './store/cluster-warranties.ts';
import { DurableShard } from './store/durable-shard.ts';
import { Overview } from './replication/overview.ts';
import { OwnMoves } from './moving/own-moves.ts';
import { ShardHost } from './store/shard-host.ts';
import { AwaitedChanges } from './transaction/awaited-changes.ts';
import { Calls } from './transaction/calls.ts';
import { Catalogue } from './transaction/catalogue.ts';
import { InteractiveTable } from './transaction/interactive.ts';
import { ClusterTelemetry } from './telemetry/cluster-telemetry.ts';
import { givingOf, moveChange } from './telemetry/giving.ts';
import { Marks } from './telemetry/marks.ts';
import type { OpenTelemetry } from './telemetry/peer-telemetry.ts';
import { ShardTelemetry } from './telemetry/shard-telemetry.ts';
import { Topology, countSlots } from './topology.ts';
import { Transactions } from './transaction/transactions.ts';

export interface ServiceDependencies {
  lifecycle: Lifecycle;
  incarnation: number;
  host: ShardHost;
  /** null: durability none */
  durableShard: DurableShard | null;
  peers: Peers;
  agreement: Agreement;
  claret: Claret;
  /** A separate client for interactive transactions: callers hold them open, and would exhaust the concurrency limit of `claret`. */
  interactiveClaret: Claret;
  /** absent in a cluster that is not replicated */
  overview: Overview | undefined;
  /** undefined: there is no Redis door */
  door: Door | undefined;
  ownMoves: OwnMoves;
  catalogue: Catalogue;
  durable: (() => DurabilitySource) | undefined;
  log: Pick<FastifyBaseLogger, 'error' | 'warn' | 'info'>;
}

export function buildServices(config: Config, topology: Topology, dependencies: ServiceDependencies): Services {
  const { members } = topology;
  const { lifecycle, host, durableShard, peers, agreement, ownMoves, claret, interactiveClaret, catalogue, durable, overview, log, door } =
    dependencies;
  const types = clusterTypes(config.shard, members, host.types, catalogue, peers.types, log);
  const conditions = new ClusterConditions(host, config.shard, members, peers);
  const { shard, maxSkewMs } = config;
  const clocks = new ClusterClocks({
    shard,
    members,
    getClock: (member) => peers.getClock(member),
    maxSkewMs,
    onChange: (apart) => {
      host.setSkewed(apart.map((clock) => clock.shard));
      if (apart.length > 0) log.error(describeClocksApart(apart, maxSkewMs));
      else log.info('the clocks of all shards are close enough again');
    },
  });
  const telemetry = buildTelemetry(config, topology, conditions, dependencies);
  const calls = new Calls(config.callCountMax);
  const interactive = new InteractiveTable(interactiveClaret, catalogue, {
    lifetimeMs: config.interactiveMs,
    lifetimeMsMax: config.interactiveMsMax,
    countMax: config.interactiveCountMax,
  });
  return {
    lifecycle,
    catalogue,
    interactive,
    awaitedChanges: new AwaitedChanges(claret, catalogue),
    transactions: new Transactions(claret, catalogue),
    calls,
    idempotencyMs: config.idempotencyMs,
    conditions,
    types,
    warranties: new ClusterWarranties(host, config.shard, members, peers),
    clocks,
    ...telemetry,
    ...buildBackup(durableShard?.forBackup() ?? null, config.shard, members, peers),
    agreement,
    ownMoves,
    topology,
    overview,
    laboratory: new Laboratory({
      config,
      addresses: () => topology.addresses,
      conditions,
      onMark: (what) => void telemetry.marks.add(what),
    }),
    ownConflicts: {
      shard: config.shard,
      read: () => host.conflicts(),
    },
    metrics: createMetrics({
      counters: () => host.counters(),
      interactiveCount: () => interactive.count,
      calls,
      host: () => host,
      redisAccepted: () => door?.accepted ?? 0,
      clocksApart: () => clocks.apart,
      durability: durable,
      moves: () => ({ shard, slots: countSlots(members[shard]!.slots), counts: ownMoves.counts }),
      ownership: overview && (() => overview.ownership()),
    }),
  };
}

/** `own`: null with durability none */
function buildBackup(own: BackupSource | null, shard: number, members: ClusterMember[], peers: Peers) {
  const ownShardBackup = new OwnShardBackup(own);
  const openShardBackups = () => {
    const opened = ownShardBackup.open();
    return members.map((member) => (member.shard === shard ? opened : peers.openShardBackup(member)));
  };
  return { ownShardBackup, backup: new ClusterBackup({ openShardBackups, wallMs: () => Date.now() }) };
}

function buildTelemetry(
  config: Config,
  topology: Topology,
  conditions: ClusterConditions,
  { host, incarnation, peers, ownMoves, overview }: ServiceDependencies,
) {
  const { shard } = config;
  const { members } = topology;
  const shardTelemetry = new ShardTelemetry(host, incarnation);
  shardTelemetry.giving = () => givingOf(ownMoves.giver.state);
  const marks = new Marks(shard, incarnation);
  const watch =
    (member: ClusterMember): OpenTelemetry =>
    (handlers, isLive) =>
      peers.watchTelemetry(member, handlers, isLive);
  const telemetry = new ClusterTelemetry({
    shard,
    own: shardTelemetry,
    peers: members.map((member) => (member.shard === shard ? undefined : watch(member))),
    slotOwners: () => topology.slotCounts(),
    marks,
    conditions: () => completed(conditions.local()),
    normal: conditions.normal,
    // Only the dashboard shows the history.
    historyMs: config.dashboardDir === '' ? 0 : config.historyMs,
    replication: overview,
  });
  topology.joinedListeners.add((member) => telemetry.addShard(watch(member)));
  ownMoves.onEnded = (state) => void marks.add(moveChange(state));
  conditions.onChange = (changed) => void marks.add({ conditions: completed(changed) });
  return { shardTelemetry, marks, telemetry };
}
