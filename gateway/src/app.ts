// One gateway, put together: shard, client, doors. Nothing listens until `listen`.
//
// What is where: store/ owns the shard, transaction/ runs transactions through the Claret client (the gateway is a small
// app server for callers of REST and unary gRPC), telemetry/ shows the cluster to viewers, laboratory/ storms it, grpc/ and rest/ are the doors.
import { catalogue as coreCatalogue } from '@claret/core';
import type { Claret } from '@claret/client';
import type { FastifyBaseLogger } from 'fastify';
import { parseCluster, splitAddress } from './cluster.ts';
import type { ClusterMember } from './cluster.ts';
import type { Config } from './config.ts';
import { Peers } from './grpc/peers.ts';
import { GrpcServer } from './grpc/server.ts';
import { Laboratory } from './laboratory/laboratory.ts';
import { createMetrics } from './metrics/metrics.ts';
import { IdempotencyTable } from './rest/idempotency.ts';
import { buildRest } from './rest/server.ts';
import type { RestServer } from './rest/server.ts';
import type { Lifecycle, Services } from './services.ts';
import { ClusterConditions } from './store/cluster-conditions.ts';
import { nextIncarnation } from './store/incarnation.ts';
import { DURABILITY, connectOwnClient } from './store/own-client.ts';
import { ShardHost } from './store/shard-host.ts';
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
  claret: Claret;
  /** A client of its own for interactive transactions: held open by callers, they would use up what may run at once. */
  conversations: Claret;
  peers: Peers;
  services: Services;
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

  /** Throws when an address is taken. */
  async listen(): Promise<void> {
    const { member, parts } = this;
    const own = (address: string) => {
      const { host, port } = splitAddress(address);
      return { host: this.config.bind || host, port };
    };
    const { host, port } = own(member.grpc);
    await parts.services.conditions.join();
    await parts.grpc.listen(host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`).catch((error: Error) => {
      throw new Error(`cannot listen on ${member.grpc} (gRPC): ${error.message}`);
    });
    await parts.rest.listen(own(member.rest)).catch((error: Error) => {
      throw new Error(`cannot listen on ${member.rest} (REST): ${error.message}`);
    });
    parts.lifecycle.phase = 'serving';
    parts.grpc.setServing(true);
  }

  /**
   * Not ready first; then open work may end, while REST says that it is closing; what is left after `drainMs` is called off; then
   * everything is closed and the ports are free.
   */
  async close(): Promise<void> {
    const { lifecycle, host, grpc, rest, claret, conversations, peers, services } = this.parts;
    if (lifecycle.phase === 'closing') return;
    lifecycle.phase = 'closing';
    grpc.setServing(false);
    services.interactive.close();
    const spikeGone = services.laboratory.close();
    services.conditions.close();
    services.telemetry.close();
    services.shardTelemetry.close();
    const giveUpMs = performance.now() + this.config.drainMs;
    while (host.counters().attemptsInFlight > 0 && performance.now() < giveUpMs) {
      await new Promise((resolve) => setTimeout(resolve, DRAIN_STEP_MS));
    }
    await Promise.all([claret.close(), conversations.close()]);
    const restClosed = rest.close();
    setImmediate(() => rest.server.closeAllConnections()); // answers of what was just called off are written by then
    await restClosed;
    grpc.close();
    peers.close();
    host.close();
    services.metrics.close();
    await spikeGone;
  }
}

/** Throws when the data directory is not usable. */
export async function buildGateway(config: Config): Promise<Gateway> {
  const members = parseCluster(config.cluster);
  const member = members[config.shard]!;
  const incarnation = nextIncarnation(config.dataDir, Date.now());
  const lifecycle: Lifecycle = { phase: 'starting' };
  const host = buildHost(config, members.length, incarnation);
  const peers = new Peers(config.token);
  new ShardLinks(host, (shard, handlers) => {
    const other = members[shard];
    return other && peers.openSession(other, handlers);
  });
  const { token, transactionMs: timeoutMs } = config;
  const name = `gateway-${config.shard}`;
  const claret = await connectOwnClient(host, member, members, { name, timeoutMs, token });
  const conversations = await connectOwnClient(host, member, members, { name: `${name}-interactive`, timeoutMs, token });
  const services = buildServices(config, members, { lifecycle, incarnation, host, peers, claret, conversations });
  const rest = await buildRest(config, services);
  const grpc = new GrpcServer(config, rest.log, host, services);
  return new Gateway({ config, member, incarnation, lifecycle, host, claret, conversations, peers, services, rest, grpc });
}

function buildHost(config: Config, shards: number, incarnation: number): ShardHost {
  const { shard, sessionLeaseMs, phaseCapMs, woundDelayMs, woundGraceMs, idleMs } = config;
  const { frameBytesMax, outputBytesMax, pollMicroseconds, locks, phasing, combining } = config;
  return new ShardHost({
    ...{ shard, shards, incarnation },
    ...{ sessionLeaseMs, phaseCapMs, woundDelayMs, woundGraceMs, idleMs },
    ...{ frameBytesMax, outputBytesMax, pollMicroseconds },
    conditions: { locks, phasing, combining },
  });
}

type Ground = Pick<Parts, 'lifecycle' | 'incarnation' | 'host' | 'peers' | 'claret' | 'conversations'>;

function buildServices(config: Config, members: ClusterMember[], parts: Ground): Services {
  const { lifecycle, host, peers, claret, conversations } = parts;
  const catalogue = new Catalogue(coreCatalogue());
  const conditions = new ClusterConditions(host, config.shard, members, peers);
  const telemetry = buildTelemetry(config.shard, members, conditions, parts);
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
    idempotency: new IdempotencyTable({ lifetimeMs: config.idempotencyMs, countMax: config.idempotencyCountMax }),
    conditions,
    ...telemetry,
    topology: { version: 1, durability: DURABILITY, members },
    shard: config.shard,
    laboratory: new Laboratory({
      program: config.spikeDriver,
      addresses: members.map(({ grpc }) => grpc),
      token: config.token,
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
    }),
  };
}

function buildTelemetry(shard: number, members: ClusterMember[], conditions: ClusterConditions, { host, incarnation, peers }: Ground) {
  const shardTelemetry = new ShardTelemetry(host, incarnation);
  const marks = new Marks(shard, incarnation);
  const telemetry = new ClusterTelemetry({
    shard,
    own: shardTelemetry,
    peers: members.map((member) => (member.shard === shard ? undefined : (handlers) => peers.watchTelemetry(member, handlers))),
    marks,
    conditions: () => {
      const { locks, phasing, combining } = conditions.local();
      return { locks, phasing, combining };
    },
  });
  conditions.onChange = ({ locks, phasing, combining }) => void marks.add({ conditions: { locks, phasing, combining } });
  return { shardTelemetry, marks, telemetry };
}
