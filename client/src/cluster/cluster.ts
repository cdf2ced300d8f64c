// Cluster: the shards that a client talks to: the topology, and one session with each shard.
//
// In a replicated cluster a shard may get another owner at any time. A look at the topology every second finds it: an owner that stands
// still keeps its connections. While a shard has no live session, the client looks more often.

import type { ShardTime } from '../clock/shard-time.ts';
import type { Timer } from '../environment/environment.ts';
import { tell } from '../environment/tell.ts';
import { Session } from '../session/session.ts';
import type { SessionContext, SessionListener } from '../session/session-context.ts';
import type { GatewayAddress, Topology } from '../topology/topology.ts';
import type { ServerConditions } from '../wire/server-frame.ts';
import { Gateways } from './gateways.ts';
import type { ShardLoad, Status } from './status.ts';

const TOPOLOGY_AGAIN_MS = 250;
/** After this many failures in a row to reach a shard, it may have moved. */
const FAILURES_BEFORE_REFRESH = 2;
/** how long a newer topology is waited for, once a shard has refused a key that is not its own any more */
const NEWER_WITHIN_MS = 250;
const NEWER_AGAIN_MS = 10;
/** how often the owners of a replicated cluster are looked up, and how often while one is away */
const LOOK_MS = 1_000;
const LOOK_AWAY_MS = 100;

export type ClusterListener = Pick<SessionListener, 'onSessionLost' | 'onConditions'>;

export class Cluster {
  readonly #statusListeners = new Set<(status: Status) => void>();
  readonly #context: SessionContext;
  readonly #seeds: readonly string[];
  readonly #sessions: Session[] = [];
  readonly #gateways: Gateways;
  #topology: Topology;
  #conditions: ServerConditions | null = null;
  #refreshing: Promise<void> | null = null;
  /** null: the owners are not looked up */
  #lookTimer: Timer | null = null;
  #lookedMs: number;
  readonly #awaitingNewer = new Set<() => void>();
  #closed = false;

  /** @param seeds addresses of gateways that may know the topology if no shard answers */
  constructor(context: Omit<SessionContext, 'listener'>, listener: ClusterListener, seeds: readonly string[], topology: Topology) {
    this.#seeds = seeds;
    this.#topology = topology;
    this.#lookedMs = context.environment.monotonicMs();
    this.#gateways = new Gateways(context.transport, (answer) => this.#takeAnswer(answer));
    this.#context = {
      environment: context.environment,
      transport: context.transport,
      name: context.name,
      counters: context.counters,
      poller: context.poller,
      attempts: context.attempts,
      watches: context.watches,
      natives: context.natives,
      crowds: context.crowds,
      warranties: context.warranties,
      identifiers: context.identifiers,
      listener: {
        onSessionState: () => this.#onSessionState(),
        onSessionLost: (shard, error) => listener.onSessionLost(shard, error),
        onUnreachable: (failures) => {
          if (failures >= FAILURES_BEFORE_REFRESH) void this.refreshTopology();
        },
        onConditions: (conditions) => {
          this.#conditions = conditions;
          listener.onConditions(conditions);
        },
      },
    };
  }

  /** Opens a session with each shard. */
  open(): void {
    this.#takeTopology(this.#topology);
  }

  get topology(): Topology {
    return this.#topology;
  }

  /** The cluster's concurrency control, as a shard reported it last; null: no shard has. */
  get conditions(): ServerConditions | null {
    return this.#conditions;
  }

  sessionOf(key: string): Session {
    return this.#sessions[this.#topology.shardOf(key)]!;
  }

  shardOf(key: string): number {
    return this.#topology.shardOf(key);
  }

  sessionOfSlot(slot: number): Session {
    return this.#sessions[this.#topology.shardOfSlot(slot)]!;
  }

  timeOf(key: string): ShardTime {
    return this.sessionOf(key).time;
  }

  times(): ShardTime[] {
    return this.#topology.shards.map(({ shard }) => this.session(shard).time);
  }

  /** The live session with the lowest number of its shard; that of shard 0 if none is live. */
  firstLive(): Session {
    for (const { shard } of this.topology.shards) if (this.session(shard).live) return this.session(shard);
    return this.session(0);
  }

  session(shard: number): Session {
    return this.#sessions[shard]!;
  }

  get status(): Status {
    return {
      shards: this.#topology.shards.map(({ shard }) => {
        const { address, state } = this.session(shard);
        return { shard, address, state };
      }),
    };
  }

  /** Returns a function that removes the listener. */
  onStatus(listener: (status: Status) => void): () => void {
    this.#statusListeners.add(listener);
    return () => void this.#statusListeners.delete(listener);
  }

  load(nowMs: number): ShardLoad[] {
    return this.#topology.shards.map(({ shard }) => {
      const session = this.session(shard);
      return { shard, behindMs: session.behindMs(nowMs), unsent: session.unsent };
    });
  }

  #onSessionState(): void {
    for (const listener of this.#statusListeners) tell(this.#context.environment, listener, this.status);
  }

  /** Asks the gateways for the newest topology. Never fails: without an answer the old topology stands. */
  refreshTopology(): Promise<void> {
    this.#refreshing ??= this.#look().finally(() => {
      this.#context.environment.setTimeout(() => (this.#refreshing = null), TOPOLOGY_AGAIN_MS);
    });
    return this.#refreshing;
  }

  /**
   * A shard has refused a key: its slot has moved. Asks all gateways until one of them knows a newer topology, for a while: the shard that
   * takes slots says so only once that is durable there. Never fails.
   */
  async findNewer(): Promise<void> {
    const { environment } = this.#context;
    const { version } = this.#topology;
    const giveUpMs = environment.monotonicMs() + NEWER_WITHIN_MS;
    const isOver = () => this.#closed || this.#topology.version > version || environment.monotonicMs() >= giveUpMs;
    while (!isOver()) {
      this.#lookedMs = environment.monotonicMs();
      await this.#orNewer(this.#gateways.askAll(this.#addresses()), giveUpMs - this.#lookedMs);
      if (!isOver()) await this.#orNewer(null, NEWER_AGAIN_MS);
    }
  }

  /** Resolves with `work`, when a newer topology is taken, or after `delayMs`. */
  async #orNewer(work: Promise<void> | null, delayMs: number): Promise<void> {
    const { environment } = this.#context;
    let isOver = () => {};
    const over = new Promise<void>((resolve) => (isOver = resolve));
    this.#awaitingNewer.add(isOver);
    const timer = environment.setTimeout(isOver, delayMs);
    await (work === null ? over : Promise.race([over, work]));
    this.#awaitingNewer.delete(isOver);
    environment.clearTimeout(timer);
  }

  #look(): Promise<void> {
    this.#lookedMs = this.#context.environment.monotonicMs();
    return this.#gateways.ask(this.#addresses());
  }

  #addresses(): string[] {
    const { shards, standbys } = this.#topology;
    return [...[...shards, ...standbys].map(({ address }) => address), ...this.#seeds];
  }

  #lookLater(): void {
    if (this.#closed || this.#lookTimer !== null || !this.#topology.replicated) return;
    const { environment } = this.#context;
    this.#lookTimer = environment.setTimeout(() => {
      this.#lookTimer = null;
      const away = this.#topology.shards.some(({ shard }) => !this.session(shard).live);
      if (away || environment.monotonicMs() - this.#lookedMs >= LOOK_MS) void this.#look();
      this.#lookLater();
    }, LOOK_AWAY_MS);
  }

  /** Returns false if the answer is out of date. */
  #takeAnswer(answer: Topology): boolean {
    const { version, standbys } = this.#topology;
    if (this.#closed || answer.version < version) return false;
    // Standbys come and go without a new version. So do the addresses of a cluster that is not replicated, when an operator changes them.
    if (answer.version > version || !answer.replicated) this.#takeTopology(answer);
    else if (!sameAddresses(answer.standbys, standbys)) this.#topology = this.#topology.withStandbys(answer.standbys);
    return true;
  }

  #takeTopology(topology: Topology): void {
    if (topology.version > this.#topology.version) for (const isOver of this.#awaitingNewer) isOver();
    this.#topology = topology;
    this.#lookLater();
    for (const { shard, address } of topology.shards) {
      const session = this.#sessions[shard];
      if (session !== undefined) session.moveTo(address);
      else {
        this.#sessions[shard] = new Session(this.#context, shard, address);
        this.#sessions[shard].open();
      }
    }
  }

  close(): void {
    this.#closed = true;
    if (this.#lookTimer !== null) this.#context.environment.clearTimeout(this.#lookTimer);
    for (const session of this.#sessions) session?.close();
    this.#context.transport.close();
  }
}

function sameAddresses(some: readonly GatewayAddress[], others: readonly GatewayAddress[]): boolean {
  return some.length === others.length && some.every(({ address }, i) => address === others[i]!.address);
}
