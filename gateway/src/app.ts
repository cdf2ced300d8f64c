// One gateway, put together: shard, client, doors. Nothing listens until `listen`, but the front door where it is told to.
//
// What is where: store/ owns the shard, transaction/ runs transactions through the Claret client (the gateway is a small
// app server for callers of REST and unary gRPC), telemetry/ shows the cluster to viewers, laboratory/ puts it under load, grpc/ and rest/ are the doors.
import process from 'node:process';
import { catalogue as coreCatalogue, releaseMemory } from '@claret/core';
import type { Claret } from '@claret/client';
import type { FastifyBaseLogger } from 'fastify';
import { parseCluster, splitAddress } from './cluster.ts';
import type { CutShard } from './backup/shard-part.ts';
import type { ClusterMember } from './cluster.ts';
import type { Config } from './config.ts';
import { ClusterBackup } from './backup/cluster-backup.ts';
import { OnePart } from './backup/one-part.ts';
import { Peers } from './grpc/peers.ts';
import { GrpcServer } from './grpc/server.ts';
import { Laboratory } from './laboratory/laboratory.ts';
import { WriteTimes } from './metrics/durability.ts';
import type { DurabilitySource } from './metrics/durability.ts';
import { createMetrics } from './metrics/metrics.ts';
import { EXIT_REFUSED } from './exit-code.ts';
import { FrontDoor } from './rest/front-door.ts';
import type { RestServer } from './rest/rest-server.ts';
import { buildRest } from './rest/server.ts';
import type { Lifecycle, Services } from './services.ts';
import { Agreement } from './store/agreement.ts';
import { ClusterClocks, tellApart } from './store/cluster-clocks.ts';
import { ClusterConditions } from './store/cluster-conditions.ts';
import { refusalOf, startIn } from './store/data-dir.ts';
import { IdleMemory } from './store/idle-memory.ts';
import { KeptShard } from './store/kept-shard.ts';
import { connectOwnClient } from './store/own-client.ts';
import type { RecoveryProgress } from './store/recovery.ts';
import { ShardHost } from './store/shard-host.ts';
import type { ShardHostOptions } from './store/shard-host.ts';
import { ShardLinks } from './store/shard-links.ts';
import { Calls } from './transaction/calls.ts';
import { Catalogue } from './transaction/catalogue.ts';
import { InteractiveTable } from './transaction/interactive.ts';
import { ClusterTelemetry } from './telemetry/cluster-telemetry.ts';
import { Marks } from './telemetry/marks.ts';
import { ShardTelemetry } from './telemetry/shard-telemetry.ts';
import { Transactions } from './transaction/transactions.ts';

const DRAIN_STEP_MS = 10;

interface Parts {
  config: Config;
  member: ClusterMember;
  incarnation: number;
  lifecycle: Lifecycle;
  host: ShardHost;
  /** null: durability none */
  kept: KeptShard | null;
  claret: Claret;
  /** A client of its own for interactive transactions: held open by callers, they would use up what may run at once. */
  conversations: Claret;
  peers: Peers;
  agreement: Agreement;
  services: Services;
  idleMemory: IdleMemory;
  door: FrontDoor;
  rest: RestServer;
  grpc: GrpcServer;
}

export class Gateway {
  readonly config: Config;
  readonly member: ClusterMember;
  readonly incarnation: number;
  readonly host: ShardHost;
  /** for tests: `inject` reaches every route without a port */
  readonly rest: RestServer;
  readonly log: FastifyBaseLogger;
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
    this.config = parts.config;
    this.member = parts.member;
    this.incarnation = parts.incarnation;
    this.host = parts.host;
    this.rest = parts.rest;
    this.log = parts.rest.log;
  }

  /** Throws when an address is taken. Where it is closed meanwhile it serves nobody. */
  async listen(): Promise<void> {
    const { member, parts } = this;
    const { host, port } = splitAddress(member.grpc);
    const bound = this.config.bind || host;
    await parts.agreement.begin();
    await Promise.all([parts.services.conditions.join(), parts.services.clocks.begin()]);
    if (this.isClosing()) return;
    await parts.grpc.listen({ host: bound, port }).catch((error: Error) => {
      throw new Error(`cannot listen on ${member.grpc} (gRPC): ${error.message}`);
    });
    await parts.door.listen();
    if (this.isClosing()) return;
    parts.idleMemory.start();
    parts.lifecycle.phase = 'serving';
    parts.grpc.setServing(true);
    parts.services.telemetry.keepHistory();
  }

  private isClosing(): boolean {
    return this.parts.lifecycle.phase === 'closing';
  }

  /**
   * Not ready first; then open work may end, while REST says that it is closing; what is left after `drainMs` is called off. A last
   * checkpoint is taken, what waited for the log leaves; then everything is closed and the ports are free.
   */
  async close(): Promise<void> {
    const { lifecycle, host, kept, agreement, idleMemory, grpc, door, rest, claret, conversations, peers, services } = this.parts;
    if (lifecycle.phase === 'closing') return;
    lifecycle.phase = 'closing';
    grpc.setServing(false);
    services.interactive.close();
    const spikeGone = services.laboratory.close();
    agreement.close();
    idleMemory.close();
    services.conditions.close();
    services.clocks.close();
    services.backup.close();
    services.ownPart.close();
    services.telemetry.close();
    services.shardTelemetry.close();
    const giveUpMs = performance.now() + this.config.drainMs;
    while (host.counters().attemptsInFlight > 0 && performance.now() < giveUpMs) {
      await new Promise((resolve) => setTimeout(resolve, DRAIN_STEP_MS));
    }
    await spikeGone; // it puts back the conditions that it was given: that takes the other gateways
    await Promise.all([claret.close(), conversations.close()]);
    const doorClosed = door.close();
    setImmediate(() => door.closeAll()); // answers of what was just called off are written by then
    await Promise.all([rest.close(), doorClosed]);
    await kept?.checkpoint();
    await agreement.farewell();
    grpc.close();
    peers.close();
    host.close();
    await kept?.close();
    services.metrics.close();
  }
}

/** What surrounds a start; all of it has a default. */
export interface StartGround {
  /** may be listening already: then it tells how far the start is */
  door?: FrontDoor;
  onProgress?: (progress: Readonly<RecoveryProgress>) => void;
  /** Nothing can be made durable any more, and nothing may be said: the process has to end at once. */
  onFailed?: (message: string) => void;
  /** Another gateway of the cluster, which came later, does not agree with this one: somebody has to put one of them right. */
  onMismatch?: (message: string) => void;
}

const endProcess =
  (code: number) =>
  (message: string): never => {
    process.stderr.write(`${message}\n`);
    process.exit(code);
  };

/** Restores the shard. Throws LogRefused, LogDamaged where the data directory is not usable. */
export async function buildGateway(config: Config, ground: StartGround = {}): Promise<Gateway> {
  const { door = new FrontDoor(config) } = ground;
  const members = parseCluster(config.cluster);
  const member = members[config.shard]!;
  const incarnation = startIn(config.dataDir, Date.now());
  const lifecycle: Lifecycle = { phase: 'starting' };
  const writes = new WriteTimes();
  const kept = await openKept(config, hostOptions(config, members.length, incarnation), writes, { ...ground, door });
  const host = kept?.host ?? new ShardHost(hostOptions(config, members.length, incarnation));
  const peers = new Peers(config.token);
  new ShardLinks(host, (shard, handlers) => {
    const other = members[shard];
    return other && peers.openSession(other, handlers);
  });
  const { token, durability, clusterName, transactionMs: timeoutMs } = config;
  const view = { durability, clusterName, addresses: members.map(({ grpc }) => grpc) };
  const agreement = new Agreement(view, config.shard, members, peers, kept);
  agreement.onSilent = (why) => door.log.info(`not heard of yet: ${why}`);
  agreement.onMismatch = ({ message }) => (door.log.fatal(message), (ground.onMismatch ?? endProcess(EXIT_REFUSED))(message));
  const name = `gateway-${config.shard}`;
  const claret = await connectOwnClient(host, member, members, { name, timeoutMs, token, durability });
  const conversations = await connectOwnClient(host, member, members, { name: `${name}-interactive`, timeoutMs, token, durability });
  const durable = kept === null ? undefined : () => keptState(kept, writes);
  const services = buildServices(config, members, {
    lifecycle,
    incarnation,
    host,
    kept,
    peers,
    agreement,
    claret,
    conversations,
    durable,
    log: door.log,
  });
  const rest = await buildRest(config, services, door);
  const grpc = new GrpcServer(config, rest.log, host, services);
  const idleMemory = new IdleMemory({ workMs: () => host.coreMs, heldBytes: () => process.memoryUsage.rss(), release: releaseMemory });
  return new Gateway({
    config,
    member,
    incarnation,
    lifecycle,
    host,
    kept,
    claret,
    conversations,
    peers,
    agreement,
    idleMemory,
    services,
    door,
    rest,
    grpc,
  });
}

/** null with durability none. */
async function openKept(
  config: Config,
  host: ShardHostOptions,
  writes: WriteTimes,
  ground: StartGround & { door: FrontDoor },
): Promise<KeptShard | null> {
  const { dataDir, clusterName, durability, checkpointBytes, checkpointMs } = config;
  if (durability === 'none') return null;
  const { door, onProgress = () => {}, onFailed = endProcess(1) } = ground;
  return KeptShard.open({
    ...{ dataDir, clusterName, durability, checkpointBytes, checkpointMs, host },
    logger: door.log,
    onProgress: (progress) => {
      door.progress = progress;
      onProgress(progress);
    },
    onFailed: (message) => {
      door.log.fatal(message);
      onFailed(message);
    },
    onWrite: writes.observe,
  }).catch((error: Error) => {
    throw refusalOf(dataDir, error);
  });
}

function keptState({ checkpointer, replayBytes, trouble, recovered }: KeptShard, writes: WriteTimes): DurabilitySource {
  const { count, lastBytes, lastMs, sealedAtMs } = checkpointer;
  const checkpoints = { count, lastBytes, lastMs, ageMs: performance.now() - sealedAtMs };
  return { writes, replayBytes, checkpoints, trouble: trouble?.kind ?? null, recovered };
}

function hostOptions(config: Config, shards: number, incarnation: number): ShardHostOptions {
  const { shard, sessionLeaseMs, phaseCapMs, woundDelayMs, woundGraceMs, idleMs } = config;
  const { frameBytesMax, outputBytesMax, pollMicroseconds, locks, phasing, combining } = config;
  return {
    ...{ shard, shards, incarnation },
    ...{ sessionLeaseMs, phaseCapMs, woundDelayMs, woundGraceMs, idleMs },
    ...{ frameBytesMax, outputBytesMax, pollMicroseconds },
    conditions: { locks, phasing, combining },
  };
}

type Ground = Pick<Parts, 'lifecycle' | 'incarnation' | 'host' | 'kept' | 'peers' | 'agreement' | 'claret' | 'conversations'> & {
  durable: (() => DurabilitySource) | undefined;
  log: Pick<FastifyBaseLogger, 'error' | 'info'>;
};

function buildServices(config: Config, members: ClusterMember[], parts: Ground): Services {
  const { lifecycle, host, kept, peers, agreement, claret, conversations, durable, log } = parts;
  const catalogue = new Catalogue(coreCatalogue());
  const conditions = new ClusterConditions(host, config.shard, members, peers);
  const { shard, maxSkewMs } = config;
  const clocks = new ClusterClocks({
    ...{ shard, members, peers, maxSkewMs },
    onChange: (apart) => {
      host.setSkewed(apart.map((one) => one.shard));
      if (apart.length > 0) log.error(tellApart(apart, maxSkewMs));
      else log.info('the clocks of all shards are close enough again');
    },
  });
  const telemetry = buildTelemetry(config, members, conditions, parts);
  const calls = new Calls(config.callCountMax);
  const interactive = new InteractiveTable(conversations, catalogue, {
    lifetimeMs: config.interactiveMs,
    lifetimeMsMax: config.interactiveMsMax,
    countMax: config.interactiveCountMax,
  });
  return {
    lifecycle,
    catalogue,
    interactive,
    transactions: new Transactions(claret, catalogue),
    calls,
    idempotencyMs: config.idempotencyMs,
    conditions,
    clocks,
    ...telemetry,
    ...buildBackup(kept?.forBackup() ?? null, config.shard, members, peers),
    agreement,
    topology: { version: 1, durability: config.durability, clusterName: config.clusterName, members },
    shard: config.shard,
    laboratory: new Laboratory({
      program: config.spikeDriver,
      addresses: members.map(({ grpc }) => grpc),
      token: config.token,
      conditions,
      siteUrls: config.siteUrls,
      onMark: (what) => void telemetry.marks.add(what),
    }),
    conflicts: () => {
      const { conflicts: rows, conflictsDropped: dropped } = host.counters();
      return { rows, dropped };
    },
    metrics: createMetrics({
      counters: () => host.counters(),
      interactiveCount: () => interactive.count,
      calls,
      host: () => host,
      clocksApart: () => clocks.apart,
      durability: durable,
    }),
  };
}

/** `own`: null with durability none */
function buildBackup(own: CutShard | null, shard: number, members: ClusterMember[], peers: Peers) {
  const ownPart = new OnePart(own);
  const openParts = () => {
    const part = ownPart.open();
    return members.map((member) => (member.shard === shard ? part : peers.openPart(member)));
  };
  return { ownPart, backup: new ClusterBackup({ openParts, wallMs: () => Date.now() }) };
}

function buildTelemetry(config: Config, members: ClusterMember[], conditions: ClusterConditions, { host, incarnation, peers }: Ground) {
  const { shard } = config;
  const shardTelemetry = new ShardTelemetry(host, incarnation);
  const marks = new Marks(shard, incarnation);
  const telemetry = new ClusterTelemetry({
    shard,
    own: shardTelemetry,
    peers: members.map((member) =>
      member.shard === shard ? undefined : (handlers, isLive) => peers.watchTelemetry(member, handlers, isLive),
    ),
    marks,
    conditions: () => {
      const { locks, phasing, combining } = conditions.local();
      return { locks, phasing, combining };
    },
    normal: conditions.normal,
    // Without a page there is nobody to show it to.
    historyMs: config.dashboardDir === '' ? 0 : config.historyMs,
  });
  conditions.onChange = ({ locks, phasing, combining }) => void marks.add({ conditions: { locks, phasing, combining } });
  return { shardTelemetry, marks, telemetry };
}
