// Freezes: freezes app servers in their turns, and finds out how long the others make no progress meanwhile. Progress is the end of a
// transaction over several shards. Time counts only while another app server has such a transaction under way. A frozen app server that
// holds locks is another matter: nobody gets these before its session is lost, with chains or without.
import { Topology, evenTopology, type HistoryAttempt } from '@claret/client';
import type { AppServer } from './app-server.ts';
import { isTurn, lockingAttempts } from './frames.ts';
import type { SimulatedNode } from './node.ts';
import type { World } from './world.ts';

/** One freeze: the longest time in which others were at work and ended nothing. */
export interface Standstill {
  readonly ms: number;
  /** the frozen app server had attempts under way that take locks */
  readonly locks: boolean;
}

interface Freeze {
  process: string;
  fromMs: number;
  toMs: number;
}

interface Spell {
  process: string;
  begunMs: number;
  endMs: number;
}

/** The error of an attempt whose body has thrown. */
const BODY_FAILED = 'transaction_ended';

export class Freezes {
  readonly #world: World;
  readonly #shardOf: (key: string) => number;
  /** the running ones */
  readonly #appServers: () => readonly AppServer[];
  readonly #freezes: Freeze[] = [];
  /** of transactions over several shards */
  readonly #ended: Spell[] = [];
  /** when transactions began that have not ended, by their first attempts */
  readonly #begunMs = new Map<string, number>();
  /** ids of attempts that take locks and have not ended */
  readonly #locking = new Set<string>();
  readonly #locked: Spell[] = [];
  /** the next freeze: so long after the turn has come, and for so long */
  #next: { afterMs: number; forMs: number } | null = null;

  /** @param addresses of the shards */
  constructor(world: World, addresses: string[], appServers: () => readonly AppServer[]) {
    const topology = new Topology(evenTopology(addresses));
    this.#world = world;
    this.#shardOf = (key) => topology.shardOf(key);
    this.#appServers = appServers;
  }

  /** The next app server that gets a turn is frozen, unless one is frozen then. */
  arm(afterMs: number, forMs: number): void {
    this.#next = { afterMs, forMs };
  }

  /** No more freezes. */
  disarm(): void {
    this.#next = null;
  }

  readonly onDelivery = (from: SimulatedNode, to: SimulatedNode, frame: Uint8Array): void => {
    const appServerAt = (node: SimulatedNode) => this.#appServers().find((one) => one.node === node);
    if (appServerAt(from) !== undefined) for (const id of lockingAttempts(frame)) this.#locking.add(id);
    if (this.#next === null) return;
    const appServer = appServerAt(to);
    if (appServer !== undefined && isTurn(frame)) this.#freeze(appServer, this.#next);
  };

  #freeze(appServer: AppServer, { afterMs, forMs }: { afterMs: number; forMs: number }): void {
    this.#next = null;
    this.#world.after(afterMs, () => {
      if (this.#appServers().some(({ node }) => node.isStalled)) return;
      const { nowMs } = this.#world;
      this.#freezes.push({ process: appServer.node.name, fromMs: nowMs, toMs: nowMs + forMs });
      appServer.stall(forMs);
    });
  }

  /** `attempt`: with simulated times. */
  take({ id, process, transaction, call, return: end, outcome, error, ops }: HistoryAttempt): void {
    const [attemptBegunMs, endMs] = [call / 1e6, end / 1e6];
    if (this.#locking.delete(id)) this.#locked.push({ process, begunMs: attemptBegunMs, endMs });
    const begunMs = Math.min(attemptBegunMs, this.#begunMs.get(transaction) ?? Infinity);
    if (outcome !== 'ok' && error !== BODY_FAILED) return void this.#begunMs.set(transaction, begunMs);
    this.#begunMs.delete(transaction);
    if (new Set(ops.map(({ key }) => this.#shardOf(key))).size > 1) this.#ended.push({ process, begunMs, endMs });
  }

  /** One entry for each freeze, in order. */
  get standstills(): Standstill[] {
    return this.#freezes.map((freeze) => ({ ms: this.#standstillMs(freeze), locks: this.#locked.some((spell) => isIn(freeze, spell)) }));
  }

  #standstillMs({ process, fromMs, toMs }: Freeze): number {
    const others = this.#ended.filter((one) => one.process !== process && one.endMs > fromMs).sort((a, b) => a.endMs - b.endMs);
    let longestMs = 0;
    let nextMs = Infinity;
    let begunMs = Infinity;
    // From the last to the first, since those that end later were under way as well.
    for (const one of others.toReversed()) {
      longestMs = Math.max(longestMs, Math.min(nextMs, toMs) - Math.max(begunMs, one.endMs));
      nextMs = one.endMs;
      begunMs = Math.min(begunMs, one.begunMs);
    }
    return Math.max(longestMs, Math.min(nextMs, toMs) - Math.max(begunMs, fromMs));
  }
}

/** It was under way when its process froze. */
const isIn = ({ process, fromMs }: Freeze, spell: Spell): boolean =>
  spell.process === process && spell.begunMs < fromMs && spell.endMs > fromMs;
