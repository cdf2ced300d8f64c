// Assembles one gateway: shard, client, servers. Nothing listens until `listen`, except a RestListener that the caller has opened before.
//
// The rooms: store/ owns the shard, transaction/ runs transactions through the Claret client (the gateway is a small app server for
// callers of REST and unary gRPC), telemetry/ shows the cluster to viewers, laboratory/ puts it under load, grpc/ and rest/ serve requests, resp/
// lets Redis clients in.
import process from 'node:process';
import { catalogue as coreCatalogue, releaseMemory } from '@claret/core';
import type { FastifyBaseLogger } from 'fastify';
import { parseCluster } from './cluster.ts';
import type { ClusterMember } from './cluster.ts';
import { ownAddresses } from './config.ts';
import type { Config } from './config.ts';
import type { Peers } from './grpc/peers.ts';
import { GrpcServer } from './grpc/server.ts';
import type { Handlers } from './grpc/server.ts';
import { serviceHandlers } from './grpc/service.ts';
import { WriteTimes } from './metrics/durability.ts';
import type { DurabilitySource } from './metrics/durability.ts';
import { peersOf } from './entrances.ts';
import type { Entrances } from './entrances.ts';
import { EXIT_REFUSED } from './exit-code.ts';
import { Door } from './resp/door.ts';
import { runSpreads } from './resp/spreads.ts';
import { RestListener } from './rest/listener.ts';
import type { RestServer } from './rest/rest-server.ts';
import { buildRest } from './rest/server.ts';
import type { Lifecycle, Services } from './services.ts';
import { Agreement } from './store/agreement.ts';
import { refusalOf, startIn } from './store/data-dir.ts';
import { IdleMemory } from './store/idle-memory.ts';
import { DurableShard } from './store/durable-shard.ts';
import type { DurableShardOptions } from './store/durable-shard.ts';
import type { NatsAccess } from './log/jetstream/connection.ts';
import { hold, overviewOf } from './seat.ts';
import type { Seat } from './replication/standby-gateway.ts';
import type { LogChoice } from './store/open-log-of.ts';
import { shardEnvironment } from './store/environment.ts';
import { OwnMoves } from './moving/own-moves.ts';
import { connectOwnClient } from './store/own-client.ts';
import type { RecoveryProgress } from './store/recovery.ts';
import { hostOptions } from './store/host-options.ts';
import { ShardHost } from './store/shard-host.ts';
import type { ShardHostOptions } from './store/shard-host.ts';
import { ShardLinks } from './store/shard-links.ts';
import { Catalogue } from './transaction/catalogue.ts';
import { Topology } from './topology.ts';
import { buildServices, type ServiceDependencies } from './build-services.ts';

const DRAIN_STEP_MS = 10;
/** limit on the greetings of a gateway that has taken a shard over, before it serves */
const GREETED_WITHIN_MS = 100;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface GatewayDependencies extends Omit<ServiceDependencies, 'ownMoves' | 'catalogue' | 'durable' | 'log'> {
  config: Config;
  member: ClusterMember;
  services: Services;
  idleMemory: IdleMemory;
  listener: RestListener;
  rest: RestServer;
  grpc: GrpcServer;
  /** what answers gRPC calls once the gateway serves */
  handlers: Handlers;
  seat: Seat | undefined;
}

export class Gateway {
  readonly config: Config;
  readonly member: ClusterMember;
  readonly incarnation: number;
  readonly host: ShardHost;
  /** for tests: `inject` reaches every route without a port */
  readonly rest: RestServer;
  readonly log: FastifyBaseLogger;
  private readonly dependencies: GatewayDependencies;

  constructor(dependencies: GatewayDependencies) {
    this.dependencies = dependencies;
    this.config = dependencies.config;
    this.member = dependencies.member;
    this.incarnation = dependencies.incarnation;
    this.host = dependencies.host;
    this.rest = dependencies.rest;
    this.log = dependencies.rest.log;
  }

  /** Throws if an address is taken. A gateway that is closed meanwhile does not begin to serve. */
  async listen(): Promise<void> {
    const { member } = this;
    const { agreement, services, grpc, door, handlers, listener, idleMemory, lifecycle, seat, overview } = this.dependencies;
    // At once: a gateway that does not answer costs each of them a while.
    const greeted = Promise.all([agreement.begin(), services.conditions.join(), services.types.join(), services.clocks.begin()]);
    // Clients wait for a shard that was taken over, and some other gateway may stand still: it is greeted when it goes on.
    await (seat === undefined ? greeted : Promise.race([greeted, pause(GREETED_WITHIN_MS)]));
    greeted.catch(agreement.onMismatch);
    if (this.isClosing()) return;
    // A move that this shard has given goes on before a taker can ask about it: one that is told of no such move drops what it has.
    services.ownMoves.begin();
    grpc.answer(handlers);
    await grpc.listen(member.grpc, this.config.bind);
    await listener.listen();
    await door?.listen();
    if (this.isClosing()) return;
    door?.letIn();
    idleMemory.start();
    lifecycle.phase = 'serving';
    grpc.setServing(true);
    const takeOver = overview?.ownTakeOver();
    if (takeOver !== undefined) services.marks.add(takeOver);
    services.telemetry.keepHistory();
  }

  private isClosing(): boolean {
    return this.dependencies.lifecycle.phase === 'closing';
  }

  /**
   * Health turns to not ready first. Open work may then finish, and promised results be given back, for `drainMs`, while REST refuses new
   * requests with `closing`, and no Redis client is let in; the rest is called off. After a last checkpoint, replies that waited for the log are
   * sent; then everything is closed and the ports are free.
   */
  async close(): Promise<void> {
    const { lifecycle, host, durableShard, agreement, idleMemory, services } = this.dependencies;
    const { grpc, listener, rest, door, claret, interactiveClaret, peers } = this.dependencies;
    if (lifecycle.phase === 'closing') return;
    lifecycle.phase = 'closing';
    grpc.setServing(false);
    door?.shut();
    services.interactive.close();
    services.awaitedChanges.close();
    const spikeEnded = services.laboratory.close();
    agreement.close();
    await services.ownMoves.close();
    idleMemory.close();
    services.conditions.close();
    services.types.close();
    services.clocks.close();
    services.backup.close();
    services.ownShardBackup.close();
    services.telemetry.close();
    services.shardTelemetry.close();
    host.stopPromising();
    const giveUpMs = performance.now() + this.config.drainMs;
    while (host.hasOpenWork() && performance.now() < giveUpMs) await pause(DRAIN_STEP_MS);
    await spikeEnded; // it restores the cluster's conditions, which needs the connections to the other gateways
    await Promise.all([claret.close(), interactiveClaret.close()]);
    const listenerClosed = listener.close();
    setImmediate(() => listener.closeAll()); // the replies to requests that were just called off are written by then
    await Promise.all([rest.close(), listenerClosed]);
    await durableShard?.checkpoint();
    await agreement.farewell();
    grpc.close();
    peers.close();
    host.close();
    await door?.close();
    await durableShard?.close();
    await this.dependencies.seat?.leave();
    services.metrics.close();
  }
}

/** All have defaults. */
export interface StartOptions {
  /** The cluster as configured by default. One that is replicated has to know the shard's owner already, and goes on to change. */
  topology?: Topology;
  /** of a gateway that has taken its shard, and may lose it */
  seat?: Seat;
  /** made while the gateway had no shard */
  entrances?: Entrances;
  /** may be listening already; it then reports the progress of the start */
  listener?: RestListener;
  onProgress?: (progress: Readonly<RecoveryProgress>) => void;
  /** The log has failed for good. Nothing becomes durable any more, so the process must end at once, without another reply. */
  onFailed?: (message: string) => void;
  /** The shard has another owner now. What this one says is neither durable nor current, so the process must end at once. */
  onLost?: (message: string) => void;
  /** A gateway that joined later disagrees with this one; an operator must correct one of the two. */
  onMismatch?: (message: string) => void;
}

const endProcess =
  (code: number) =>
  (message: string): never => {
    process.stderr.write(`${message}\n`);
    process.exit(code);
  };

/** Restores the shard. Throws LogRefused or LogDamaged if the data directory is not usable. */
export async function buildGateway(config: Config, options: StartOptions = {}): Promise<Gateway> {
  const topology = options.topology ?? topologyOf(config, false);
  const { members } = topology;
  const member = members[config.shard]!;
  const { listener = new RestListener(config, member.rest) } = options;
  const { seat } = options;
  const incarnation = seat?.ownership.owner.incarnation ?? startIn(config.dataDir, Date.now());
  const lifecycle: Lifecycle = { phase: 'starting' };
  const writes = new WriteTimes();
  const durableShard = await openDurableShard(config, hostOptions(config, incarnation), writes, { ...options, listener });
  const host = durableShard?.host ?? new ShardHost(hostOptions(config, incarnation));
  const peers = options.entrances?.peers ?? peersOf(config, topology);
  new ShardLinks(host, (shard, handlers) => {
    const other = members[shard];
    return other && peers.openSession(other, handlers);
  });
  if (seat !== undefined && durableShard !== null) hold(seat, durableShard, options.onLost ?? endProcess(1), listener.log);
  const { token, transactionMs: timeoutMs } = config;
  const agreement = new Agreement(topology, config.shard, peers, durableShard);
  agreement.onSilent = (why) => listener.log.info(`no valid greeting yet: ${why}`);
  agreement.onMismatch = ({ message }) => (listener.log.fatal(message), (options.onMismatch ?? endProcess(EXIT_REFUSED))(message));
  const ownMoves = movesOf(config.shard, host, topology, peers, agreement, seat);
  const name = `gateway-${config.shard}`;
  const claret = await connectOwnClient(host, member, topology, { name, timeoutMs, token });
  const interactiveClaret = await connectOwnClient(host, member, topology, { name: `${name}-interactive`, timeoutMs, token });
  const durable = durableShard === null ? undefined : () => durabilityState(durableShard, writes, config.log);
  const overview = seat && overviewOf(seat, config, durableShard);
  topology.movedListeners.add(({ shard }) => overview?.noteTakeOver(shard));
  const door = options.entrances === undefined ? Door.of(config, listener.log) : options.entrances.door;
  door?.leadTo(host, config.shard, topology);
  const catalogue = options.entrances?.services.services.catalogue ?? new Catalogue(coreCatalogue());
  if (door !== undefined) runSpreads(host.spreading, claret, catalogue);
  const services = buildServices(config, topology, {
    door,
    lifecycle,
    incarnation,
    host,
    durableShard,
    peers,
    agreement,
    ownMoves,
    claret,
    interactiveClaret,
    catalogue,
    durable,
    overview,
    log: listener.log,
  });
  const handlers = serviceHandlers(config, listener.log, host, services);
  const { rest, grpc } = options.entrances ?? {
    rest: await buildRest(config, services, listener),
    grpc: new GrpcServer(config, listener.log, handlers),
  };
  options.entrances?.services.take(services);
  listener.handOverTo(rest);
  const idleMemory = new IdleMemory({ workMs: () => host.coreMs, heldBytes: () => process.memoryUsage.rss(), release: releaseMemory });
  return new Gateway({
    config,
    member,
    incarnation,
    lifecycle,
    host,
    durableShard,
    claret,
    interactiveClaret,
    peers,
    agreement,
    idleMemory,
    services,
    listener,
    rest,
    grpc,
    door,
    handlers,
    seat,
    overview,
  });
}

function movesOf(shard: number, host: ShardHost, topology: Topology, peers: Peers, agreement: Agreement, seat: Seat | undefined): OwnMoves {
  const countShards = () => host.setShards(topology.members.length);
  countShards();
  topology.joinedListeners.add(countShards);
  agreement.ownSlots = () => host.moving.slots();
  return new OwnMoves({
    shard,
    host: host.moving,
    topology,
    environment: shardEnvironment,
    call: (other, step) => peers.move(other, step),
    onMoved: () => void agreement.tell(),
    isOwner: () => seat === undefined || shardEnvironment.monotonicMs() < seat.ownership.untilMs,
  });
}

export function topologyOf(config: Config, replicated: boolean): Topology {
  const { cluster, dealtShards, durability, clusterName, standby, shard } = config;
  const members = parseCluster(cluster, dealtShards);
  if (standby === '') Object.assign(members[shard]!, ownAddresses(config));
  return new Topology({ members, durability, clusterName, replicated, dealt: dealtShards || members.length });
}

/** null: durability none */
async function openDurableShard(
  config: Config,
  host: ShardHostOptions,
  writes: WriteTimes,
  options: StartOptions & { listener: RestListener },
): Promise<DurableShard | null> {
  const { dataDir, clusterName, checkpointBytes, checkpointMs } = config;
  const log = logChoice(config);
  if (log === null) return null;
  const { listener, onProgress = () => {}, onFailed = endProcess(1) } = options;
  const durable: DurableShardOptions = {
    dataDir,
    clusterName,
    log,
    checkpointBytes,
    checkpointMs,
    host,
    logger: listener.log,
    onProgress: (progress) => {
      listener.progress = progress;
      onProgress(progress);
    },
    onFailed: (message) => {
      listener.log.fatal(message);
      onFailed(message);
    },
    onWrite: writes.observe,
  };
  return DurableShard.open(durable, options.seat).catch((error: Error) => {
    throw refusalOf(dataDir, error);
  });
}

/** null: durability none */
function logChoice(config: Config): LogChoice | null {
  const { durability, log, natsReplicas: replicas } = config;
  if (durability === 'none') return null;
  if (log === 'jetstream') return { kind: log, access: natsAccess(config), replicas };
  return { kind: log, durability };
}

export const natsAccess = ({ nats, natsToken: token, natsOptions: optionsFile }: Config): NatsAccess => ({
  servers: nats.split(','),
  token,
  optionsFile,
});

function durabilityState(
  { checkpointer, replayBytes, inFlight, trouble, recovered }: DurableShard,
  writes: WriteTimes,
  log: Config['log'],
): DurabilitySource {
  const { count, lastBytes, lastMs, sealedAtMs } = checkpointer;
  const checkpoints = { count, lastBytes, lastMs, ageMs: performance.now() - sealedAtMs };
  return { log, writes, replayBytes, inFlight, checkpoints, trouble: trouble?.kind ?? null, recovered };
}
