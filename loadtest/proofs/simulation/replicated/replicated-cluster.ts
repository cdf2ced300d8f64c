// ReplicatedCluster: gateways, some of them standbys, with the logs of all shards on the same servers (gateway/src/replication/testing). The
// servers and the ways to them have faults of their own.
import { ModelEntries } from '@claret/gateway/replication/testing/model-entries.ts';
import { HEALTHY, ModelServers } from '@claret/gateway/replication/testing/model-servers.ts';
import { ModelStreams } from '@claret/gateway/replication/testing/model-streams.ts';
import { namesOf } from '@claret/gateway/log/jetstream/names.ts';
import type { TopologyDescription } from '@claret/client';
import { pause } from '@claret/gateway/store/environment.ts';
import type { ShardHost } from '@claret/gateway/store/shard-host.ts';
import type { Chance } from '../../../kit/random.ts';
import type { ClusterOptions, SimulatedCluster } from '../cluster.ts';
import type { MovingPart } from '../moves/moving-part.ts';
import { slotsWronglyOwned } from '../moves/slots-judge.ts';
import type { Network } from '../network.ts';
import type { SimulatedNode } from '../node.ts';
import type { ServedShard } from '../served-shard.ts';
import { addressOf } from '../shard-server.ts';
import type { TypesPart } from '../types/types-part.ts';
import type { ReplicatedGround, Serving } from './ground.ts';
import { CLUSTER, SimulatedGateway } from './simulated-gateway.ts';
import { StoredLog } from './stored-log.ts';

const LEASES_MS = [60, 120, 250];
const ANSWERS_MS = [50, 200];
const REBASE_BYTES = [1_000, 20_000, 64 << 20];
/** A question of a client that has no answer is given up after this time (client/src/transport/grpc.ts). */
const QUESTION_MS = 5_000;
const SKEWS_MS = [50, 500, 2_000];
/** The longest way to the servers or back: beside the gateways, or far away and slow. */
const WAYS_MS = [0.5, 2, 8];

/** A process that dies at the end of a move does so within this time: before its log is durable, or after. */
const DEATH_MS = 10;

/** The ways to the servers at any time: now and then something is late or lost. */
const AILING = { ...HEALTHY, lostCall: 0.001, lostAnswer: 0.001, lateCall: 0.001, lateMs: 800, lateAnswer: 0.003 };

export class ReplicatedCluster implements SimulatedCluster {
  readonly shards: readonly ServedShard[];
  readonly gateways: readonly SimulatedGateway[];
  readonly servers: ModelServers;
  readonly streams: ModelStreams;
  readonly entries: ModelEntries;
  readonly addresses: string[];
  readonly leaseMs: number;
  readonly #network: Network;
  #isHealed = false;
  /** the greatest incarnation that has begun to serve, by shard */
  readonly #newest: number[];
  /** what is done when the next message of that subject is stored */
  readonly #nextStarts = new Map<string, (() => void)[]>();
  /** gateways' starts that were blamed */
  readonly #blamed = new WeakSet<Serving>();

  constructor({
    world,
    network,
    chance,
    shards: { checkpoints, ...hostOptions },
    createShard,
    doorsTimeoutMs,
    moves,
    haveTypes,
    blame,
  }: ClusterOptions) {
    const { shards: dealt } = hostOptions;
    const shards = dealt + (moves?.joiners ?? 0);
    this.#network = network;
    const draws = chance.fork();
    this.servers = new ModelServers(
      { nowMs: () => world.nowMs, after: (ms, run) => world.after(ms, run), random: draws.next },
      {
        ...AILING,
        delayMs: chance.pick(WAYS_MS),
        answerMs: chance.pick(ANSWERS_MS),
      },
    );
    this.entries = new ModelEntries(this.servers);
    this.streams = new ModelStreams(this.servers);
    const logs = Array.from({ length: shards }, (_, shard) => {
      const log = new StoredLog(namesOf(CLUSTER, shard).log, { shard, shards: dealt }, (why) => blame('log', why));
      return [namesOf(CLUSTER, shard).log.stream, log] as const;
    });
    const logsByStream = new Map(logs);
    this.streams.onStored = (stream, message) => {
      logsByStream.get(stream)?.store(message);
      for (const run of this.#nextStarts.get(message.subject)?.splice(0) ?? []) run();
    };
    this.leaseMs = chance.pick(LEASES_MS);
    this.#newest = Array.from({ length: shards }, () => 0);
    this.addresses = Array.from({ length: shards + 1 + chance.below(2) }, (_, number) => `gateway-${number}`);
    const ground: ReplicatedGround = {
      world,
      network,
      entries: this.entries,
      streams: this.streams,
      shards,
      dealt,
      moves,
      partAt: (address) => this.gateways.find((gateway) => gateway.address === address)?.serving?.moving,
      onMoved: (shard) => {
        const wrong = slotsWronglyOwned(this.shards, false);
        if (wrong !== undefined) blame('slots', wrong);
        if (moves !== undefined && !this.#isHealed && draws.happens(moves.deaths))
          world.after(draws.between(0, DEATH_MS), () => this.ownerOf(shard)?.crashAndStart(0));
      },
      haveTypes,
      typesAt: (address) => this.typesAt(address),
      addresses: this.addresses,
      leaseMs: this.leaseMs,
      doorsTimeoutMs,
      conditions: hostOptions.conditions,
      hostOptions,
      checkpoints,
      createShard,
      rebaseBytesLeast: chance.pick(REBASE_BYTES),
      onServing: ({ shard, incarnation }) => void (this.#newest[shard] = Math.max(this.#newest[shard]!, incarnation)),
      onAnswer: (gateway) => this.#judgeAnswer(gateway, blame),
      blame,
    };
    const skewMs = chance.pick(SKEWS_MS);
    this.gateways = this.addresses.map((_, number) => {
      const preferred = number < shards ? number : undefined;
      return new SimulatedGateway(ground, chance.fork(), number, preferred, chance.between(-skewMs, skewMs));
    });
    this.shards = logs.map(([, log], number) => new ReplicatedShard(this, number, log));
  }

  typesAt(address: string): TypesPart | undefined {
    return this.gateways.find((gateway) => gateway.address === address)?.serving?.types;
  }

  get machines(): readonly SimulatedGateway[] {
    return this.gateways;
  }

  start(): void {
    for (const gateway of this.gateways) gateway.start();
  }

  /** The gateway that has begun to serve the shard last, if it still does. */
  ownerOf(shard: number): SimulatedGateway | undefined {
    return this.gateways.find(({ serving }) => serving?.shard === shard && serving.incarnation === this.#newest[shard]);
  }

  /** Calls `run` when the next start of a gateway is stored in that shard's log: from then on the owner before is shut out. */
  onNextStart(shard: number, run: () => void): void {
    const { start } = namesOf(CLUSTER, shard).log;
    this.#nextStarts.set(start, [...(this.#nextStarts.get(start) ?? []), run]);
  }

  get owners(): SimulatedGateway[] {
    return this.shards.flatMap((_, shard) => this.ownerOf(shard) ?? []);
  }

  get moving(): MovingPart[] {
    return this.owners.flatMap(({ serving }) => serving!.moving ?? []);
  }

  get standbys(): SimulatedGateway[] {
    return this.gateways.filter(({ up, serving }) => up && serving === null);
  }

  topology(node: SimulatedNode, address: string): Promise<TopologyDescription> {
    const asked = this.gateways.find((gateway) => gateway.address === address)!;
    const late = pause(node, QUESTION_MS).then(() => {
      throw new Error(`no answer of ${address}`);
    });
    return Promise.race([this.#network.ask(node, address, () => asked.describe()), late]);
  }

  heal(): void {
    this.#isHealed = true;
    this.servers.heal();
  }

  startAgain(chance: Chance): Promise<void> {
    for (const gateway of this.gateways) {
      if (gateway.serving !== null && chance.happens(0.3)) void gateway.stop(0);
      else if (chance.happens(0.5)) gateway.crashAndStart(0);
    }
    return Promise.resolve();
  }

  /** An owner answers while it has its lease; its successor begins when that is over. */
  #judgeAnswer({ address, serving }: Pick<SimulatedGateway, 'address' | 'serving'>, blame: ClusterOptions['blame']): void {
    if (serving === null || serving.incarnation === this.#newest[serving.shard] || this.#blamed.has(serving)) return;
    this.#blamed.add(serving);
    const successor = this.ownerOf(serving.shard)?.address ?? 'another gateway';
    blame('former owner', `${address} answered for shard ${serving.shard}, which ${successor} has served since`);
  }
}

class ReplicatedShard implements ServedShard {
  readonly name: string;
  readonly #cluster: ReplicatedCluster;
  readonly #number: number;
  readonly #log: StoredLog;

  constructor(cluster: ReplicatedCluster, number: number, log: StoredLog) {
    this.name = addressOf(number);
    this.#cluster = cluster;
    this.#number = number;
    this.#log = log;
  }

  get host(): ShardHost | null {
    return this.#cluster.ownerOf(this.#number)?.serving?.host ?? null;
  }

  get isDurable(): boolean {
    return this.#cluster.ownerOf(this.#number)?.serving?.log.inFlight === 0;
  }

  takeLog(): Uint8Array[] {
    return this.#log.take();
  }
}
