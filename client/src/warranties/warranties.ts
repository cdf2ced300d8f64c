// Warranties: results that shards have promised to this client, so that its transactions can be answered from memory
// (docs/decisions/0034-warranties.md). There is one for all transactions of a client.
//
// Whether a grant stands is asked of the steady clock alone. Which timestamp its users get is made of numbers that shards have promised.

import type { Environment } from '../environment/environment.ts';
import type { Session } from '../session/session.ts';
import type { AtShards } from '../session/incoming.ts';
import type { Call } from '../values/call.ts';
import { later, type Wide } from '../wire/wide.ts';
import type { Grant } from './grant.ts';
import { GrantTable, type Answer } from './grant-table.ts';
import { Lookups } from './lookups.ts';
import { LostTime } from './lost-time.ts';
import { ShardWarranties, type AllWarranties } from './shard-warranties.ts';
import { Wishes } from './wishes.ts';

const BYTES_MAX = 64 * 1024 * 1024;
/** What is left when there were too many. */
const BYTES_LEFT = 0.9 * BYTES_MAX;
/** After so many answers in one turn of the event loop, the next transaction ends in the next turn. */
const ANSWERS_IN_TURN_MAX = 1_000;

export interface WarrantiesDependencies {
  readonly environment: Environment;
  readonly counters: { grants: number; grantsRecalled: number; warrantedAnswers: number; warrantedCommits: number };
  readonly sessionAt: (shard: number) => Session;
  /** false: this client never takes warranties */
  readonly wanted: boolean;
}

export class Warranties implements AtShards<ShardWarranties>, AllWarranties {
  readonly table = new GrantTable();
  readonly lists = new Lookups();
  readonly wishes = new Wishes();
  readonly counters: WarrantiesDependencies['counters'];
  /** The client keeps the rules of warranties. */
  readonly wanted: boolean;
  on = false;
  usedUpTo: Wide = { high: 0, low: 0 };
  /** how many grants have fallen since the client was made */
  falls = 0;
  readonly #dependencies: WarrantiesDependencies;
  readonly #byShard: ShardWarranties[] = [];
  /** how often time was lost */
  losses = 0;
  readonly #lostTime: LostTime;
  #answersInTurn = 0;

  constructor(dependencies: WarrantiesDependencies) {
    this.#dependencies = dependencies;
    this.counters = dependencies.counters;
    this.wanted = dependencies.wanted;
    this.#lostTime = new LostTime(dependencies.environment);
  }

  /** How many results there are in memory. */
  get size(): number {
    return this.table.size;
  }

  configure({ warranties }: { warranties: string }): void {
    this.on = this.wanted && warranties !== 'off';
    if (!this.on) for (const shard of this.#byShard) shard?.letAllGo();
  }

  at(shard: number): ShardWarranties {
    return this.#byShard[shard] ?? this.#begin(shard);
  }

  #begin(shard: number): ShardWarranties {
    const { environment, sessionAt } = this.#dependencies;
    const warranties = new ShardWarranties(shard, sessionAt, environment, this);
    this.#byShard[shard] = warranties;
    return warranties;
  }

  /** The answer to the call from a grant that stands; null: there is none. */
  answer(call: Call, nowMs: number): Answer | null {
    if (this.#lostTime.lookAtUse(nowMs)) this.lostTime(nowMs);
    return this.table.answer(call, nowMs);
  }

  /** The grant has answered an operation. */
  answered(grant: Grant, nowMs: number): void {
    grant.uses++;
    grant.usedMs = nowMs;
    this.counters.warrantedAnswers++;
    this.hit();
    this.at(grant.holder.shard).answered();
  }

  /** Something is answered from memory in this turn. */
  hit(): void {
    if (this.#answersInTurn++ === 0) this.#dependencies.environment.setImmediate(() => (this.#answersInTurn = 0));
  }

  /** Answers from memory have kept the event loop from reading frames, also those that recall. */
  get turnIsLong(): boolean {
    return this.#answersInTurn > ANSWERS_IN_TURN_MAX;
  }

  /** A transaction has committed without a message. */
  committed(grant: Grant): void {
    this.counters.warrantedCommits++;
    this.at(grant.holder.shard).committed();
  }

  /** Until when all of the grants are firm, on the steady clock; in the past: not all are. */
  async firm(grants: readonly Grant[], forMs: number): Promise<number> {
    const { environment } = this.#dependencies;
    const { losses } = this;
    const untilMs = await Promise.all(grants.map((grant) => this.at(grant.holder.shard).firm(grant, forMs)));
    this.look(environment.monotonicMs());
    return losses === this.losses ? Math.min(...untilMs) : -Infinity;
  }

  /** Warranties are used at this timestamp, or may be. */
  used(at: Wide): void {
    this.usedUpTo = later(this.usedUpTo, at);
  }

  kept(): void {
    if (this.table.bytes <= BYTES_MAX) return;
    const oldestFirst = [...this.table].toSorted((one, other) => one.usedMs - other.usedMs);
    for (const grant of oldestFirst) {
      if (this.table.bytes <= BYTES_LEFT) return;
      this.at(grant.holder.shard).letGo(grant);
    }
  }

  fell(): void {
    this.falls++;
  }

  look(nowMs: number): void {
    if (this.#lostTime.look(nowMs)) this.lostTime(nowMs);
  }

  lostTime(nowMs: number): void {
    this.losses++;
    for (const shard of this.#byShard) shard?.distrust(nowMs);
  }

  /** The client is closing. Everything is returned, but for what may still be relied on. */
  close(): void {
    this.on = false;
    for (const shard of this.#byShard) shard?.close();
  }
}
