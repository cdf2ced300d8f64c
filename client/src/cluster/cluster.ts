// Cluster: the shards that a client talks to: the topology, and one session with each shard.

import { tell } from '../environment/tell.ts';
import type { ClaretError } from '../errors/claret-error.ts';
import { Session } from '../session/session.ts';
import type { SessionContext } from '../session/session-context.ts';
import { Topology } from '../topology/topology.ts';
import type { ServerConditions } from '../wire/server-frame.ts';
import type { ShardLoad, Status } from './status.ts';

const TOPOLOGY_AGAIN_MS = 250;
/** After this many failures in a row to reach a shard, it may have moved. */
const FAILURES_BEFORE_REFRESH = 2;

export interface ClusterListener {
  onSessionLost(shard: number, error: ClaretError): void;
  onConditions(conditions: ServerConditions): void;
}

export class Cluster {
  readonly statusListeners = new Set<(status: Status) => void>();
  readonly #context: SessionContext;
  readonly #seeds: readonly string[];
  readonly #sessions: Session[] = [];
  #topology: Topology;
  #conditions: ServerConditions | null = null;
  #refreshing: Promise<void> | null = null;
  #closed = false;

  /** @param seeds addresses of gateways that may know the topology if no shard answers */
  constructor(context: Omit<SessionContext, 'listener'>, listener: ClusterListener, seeds: readonly string[], topology: Topology) {
    this.#seeds = seeds;
    this.#topology = topology;
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

  sessionOfSlot(slot: number): Session {
    return this.#sessions[this.#topology.shardOfSlot(slot)]!;
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

  load(nowMs: number): ShardLoad[] {
    return this.#topology.shards.map(({ shard }) => {
      const session = this.session(shard);
      return { shard, behindMs: session.behindMs(nowMs), unsent: session.unsent };
    });
  }

  #onSessionState(): void {
    for (const listener of this.statusListeners) tell(this.#context.environment, listener, this.status);
  }

  /** Asks the gateways for the newest topology. Never fails: without an answer the old topology stands. */
  refreshTopology(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#context.environment.setTimeout(() => (this.#refreshing = null), TOPOLOGY_AGAIN_MS);
    });
    return this.#refreshing;
  }

  async #refresh(): Promise<void> {
    const addresses = [...this.#topology.shards.map((shard) => shard.address), ...this.#seeds];
    for (const address of new Set(addresses)) {
      if (this.#closed) return;
      try {
        const topology = new Topology(await this.#context.transport.topology(address));
        if (topology.version >= this.#topology.version) this.#takeTopology(topology);
        return;
      } catch {
        // The next gateway may know it.
      }
    }
  }

  #takeTopology(topology: Topology): void {
    this.#topology = topology;
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
    for (const session of this.#sessions) session?.close();
    this.#context.transport.close();
  }
}
