// StandbyGateway: a gateway of a replicated cluster while it owns no shard. It follows the logs of all shards, says so to the others, and
// takes the first shard that has no owner: at its start the one that the configuration gives to it, if nobody else has it.
import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Environment } from '@claret/client';
import { connectNats } from '../log/jetstream/connection.ts';
import type { Nats, NatsAccess } from '../log/jetstream/connection.ts';
import { LogFollower } from '../log/jetstream/log-follower.ts';
import { StoredMirror } from '../log/jetstream/mirror.ts';
import type { Mirror } from '../log/jetstream/mirror.ts';
import type { GatewayAddresses } from '../cluster.ts';
import { shardEnvironment } from '../store/environment.ts';
import type { ShardHostOptions } from '../store/shard-host.ts';
import { Directory } from './directory.ts';
import type { ClusterEntries } from './entries.ts';
import { FollowedShard } from './followed-shard.ts';
import { KvEntries } from './kv-entries.ts';
import type { Candidate } from './owner.ts';
import type { Ownership } from './ownership.ts';
import { Announcer } from './standbys.ts';
import type { Followed } from './standbys.ts';
import { Succession } from './succession.ts';

export interface StandbyOptions {
  replicas: number;
  clusterName: string;
  leaseMs: number;
  /** its own */
  addresses: GatewayAddresses;
  /** the shard that the configuration gives to it; undefined: none */
  preferred: number | undefined;
  shards: number;
  /** the number of shards among which the slots were dealt at first */
  dealt: number;
  logger: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
}

export interface StandbyGatewayOptions extends StandbyOptions {
  access: NatsAccess;
  /** of a core that follows that shard's log */
  hostOptions(shard: number): ShardHostOptions;
  /** the folder for a copy of that shard's checkpoint */
  mirrorDir(shard: number): string;
}

/** What a standby stands on. */
export interface StandbyGround {
  environment: Environment;
  /** closed with the standby */
  entries: ClusterEntries;
  /** Connects to the servers that have that shard's log. Throws LogRefused. */
  connect(shard: number): Promise<Nats>;
  /** an empty copy of that shard's checkpoint */
  createMirror(shard: number): Promise<Mirror>;
  createShard(shard: number): FollowedShard;
}

/** A shard that this gateway has taken, and what it needs to serve it. */
export interface Seat {
  ownership: Ownership;
  /** undefined: it did not follow the shard's log, which has to be opened as at any start */
  follower: LogFollower<FollowedShard> | undefined;
  directory: Directory;
  /** The owner before has renewed its lease after this time, on the steady clock. Undefined: it gave the shard up, or that is not known. */
  aliveAfterMs: number | undefined;
  /** Gives the shard up, once it is served no longer. */
  leave(): Promise<void>;
}

export class StandbyGateway {
  readonly directory: Directory;
  readonly #options: StandbyOptions;
  readonly #ground: StandbyGround;
  readonly #followers: Map<number, LogFollower<FollowedShard>>;
  readonly #announcer: Announcer;
  readonly #succession: Succession;

  constructor(options: StandbyOptions, ground: StandbyGround) {
    const { addresses, leaseMs, shards, preferred, logger } = options;
    const { environment, entries } = ground;
    this.#options = options;
    this.#ground = ground;
    this.directory = new Directory({ environment, leaseMs, onTrouble: ({ message }) => logger.error(message) });
    this.#followers = new Map(Array.from({ length: shards }, (_, shard) => [shard, this.#follow(shard)]));
    const { grpc, rest, resp } = addresses;
    const candidate: Candidate = { gateway: randomUUID(), grpc, rest, resp };
    this.#announcer = new Announcer({
      environment,
      candidate,
      follows: () => this.follows,
      set: (key, value) => entries.set(key, value),
      remove: (key) => entries.remove(key),
    });
    this.#succession = new Succession({
      entries,
      environment,
      leaseMs,
      shards,
      candidate,
      preferred,
      isReady: (shard) => this.#followers.get(shard)!.isReady,
      onTrouble: ({ message }) => logger.warn(`the entries of the cluster cannot be read at present (${message})`),
    });
    entries.follow((key, entry) => this.directory.take(key, entry));
  }

  /** Throws LogRefused. */
  static async open(options: StandbyGatewayOptions): Promise<StandbyGateway> {
    const { access, clusterName, replicas, addresses, dealt: shards, hostOptions, mirrorDir } = options;
    return new StandbyGateway(options, {
      environment: shardEnvironment,
      entries: await KvEntries.open({ access, clusterName, replicas, name: `claret ${clusterName} ${addresses.grpc}` }),
      connect: (shard) => connectNats(access, `claret ${clusterName} ${shard} standby`),
      createMirror: (shard) => StoredMirror.create(mirrorDir(shard), { shard, shards }),
      createShard: (shard) => new FollowedShard(hostOptions(shard)),
    });
  }

  get follows(): Followed[] {
    return [...this.#followers].map(([shard, { position, isReady }]) => ({ shard, position, isReady }));
  }

  /** Resolves when this gateway has taken a shard; undefined: it was closed. */
  async succeed(): Promise<Seat | undefined> {
    const ownership = await this.#succession.next();
    if (ownership === undefined) return undefined;
    const { shard, owner } = ownership;
    this.#options.logger.info({ shard, incarnation: owner.incarnation, sinceMs: owner.sinceMs }, 'owner of the shard');
    const follower = this.#followers.get(shard)!;
    this.#followers.delete(shard);
    // The shard does not wait for this.
    for (const other of this.#followers.values()) void other.close();
    void this.#announcer.stop();
    this.#followers.clear();
    return {
      ownership,
      follower,
      directory: this.directory,
      aliveAfterMs: this.#succession.aliveAfterMs(shard),
      leave: async () => {
        await ownership.release();
        await this.#closeEntries();
      },
    };
  }

  /** REQUIRES: `succeed` has given no seat; one that it gives later is given up. */
  async close(): Promise<void> {
    this.#succession.stop();
    await Promise.all([this.#announcer.stop(), ...[...this.#followers.values()].map((follower) => follower.close())]);
    await this.#closeEntries();
  }

  async #closeEntries(): Promise<void> {
    this.directory.close();
    await this.#ground.entries.close();
  }

  #follow(shard: number): LogFollower<FollowedShard> {
    const { replicas, clusterName, dealt: shards, logger } = this.#options;
    const { environment, connect, createMirror, createShard } = this.#ground;
    const follower = new LogFollower({
      environment,
      connect: () => connect(shard),
      replicas,
      clusterName,
      shard,
      shards,
      createMirror: () => createMirror(shard),
      createShard: () => createShard(shard),
      onInterrupted: ({ message }) => logger.warn({ shard }, `the log of the shard cannot be followed at present (${message})`),
    });
    follower.start();
    return follower;
  }
}
