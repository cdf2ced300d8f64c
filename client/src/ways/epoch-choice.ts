// EpochChoice: whether a list of operations goes by locks or by epochs (docs/decisions/0039-epochs.md). Lists of each label learn by themselves
// (LabelWays).
//
// Many long lists that take locks hold each other up, and keep the others out of epochs. So a list that meets a lock goes on by epochs, and of those
// that no epoch has taken only one at a time takes locks.

import type { ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import { metLock } from '../errors/met-lock.ts';
import type { Call } from '../values/call.ts';
import { isOfRecord } from '../values/operation-spec.ts';
import { OPERATIONS_PER_REQUEST_MAX } from '../values/limits.ts';
import { estimatedBytes } from '../wire/operation-size.ts';
import { LabelWays } from './label-ways.ts';

export const WAYS = ['auto', 'epoch', 'locks'] as const;
export type Way = (typeof WAYS)[number];

/** What a member has at a shard goes in one request, of no more than about this. Three times as much would fit in a frame. */
export const MEMBER_BYTES_MAX = 512 * 1024;
/** Lists begin by epochs that are so long, or so long over several shards. */
const BEGINS_FROM = 256;
const BEGINS_FROM_OVER_SHARDS = 32;
const LABELS_MAX = 1_024;

/** Draws from 0 to 1. */
export interface Chance {
  random(): number;
}

export interface ListTraits {
  readonly label: string;
  readonly list: readonly Call[];
  readonly way: Way;
}

export class EpochChoice {
  readonly #shardOf: (key: string) => number;
  readonly #byLabel = new Map<string, LabelWays>();
  /** the list that takes locks, since no epoch has taken it */
  #takesLocks: ListWay | null = null;

  /** @param shardOf the shard of a key */
  constructor(shardOf: (key: string) => number) {
    this.#shardOf = shardOf;
  }

  /** Null: it takes locks, whatever happens. */
  choose({ label, list, way }: ListTraits, nowMs: number, chance: Chance): ListWay | null {
    // Most lists are short, and cost nothing here.
    if (way === 'locks' || (way === 'auto' && list.length < BEGINS_FROM_OVER_SHARDS)) return null;
    const shards = this.#shardsOf(list);
    if (shards === 0) return null;
    if (way === 'epoch') return new ListWay(this, null, true, nowMs);
    const ways = this.#waysOf(label, shards > 1 || list.length >= BEGINS_FROM);
    return new ListWay(this, ways, ways.begin(nowMs, chance.random()), nowMs);
  }

  /** No epoch has taken the list. True if it may take locks. */
  letsOneTakeLocks(list: ListWay): boolean {
    this.#takesLocks ??= list;
    return this.#takesLocks === list;
  }

  /** The list has met a lock. True if it goes on by epochs. */
  prefersEpochs(list: ListWay): boolean {
    return this.#takesLocks !== list;
  }

  ended(list: ListWay): void {
    if (this.#takesLocks === list) this.#takesLocks = null;
  }

  /** The number of shards that take part; 0: one would have too much, or the list has what no epoch takes. */
  #shardsOf(list: readonly Call[]): number {
    const parts = new Map<number, { operations: number; bytes: number }>();
    for (const call of list) {
      if (isOfRecord(call.spec)) return 0;
      const shard = this.#shardOf(call.key);
      let part = parts.get(shard);
      if (part === undefined) parts.set(shard, (part = { operations: 0, bytes: 0 }));
      part.operations++;
      part.bytes += estimatedBytes(call);
      if (part.operations > OPERATIONS_PER_REQUEST_MAX || part.bytes > MEMBER_BYTES_MAX) return 0;
    }
    return parts.size;
  }

  #waysOf(label: string, prefersEpochs: boolean): LabelWays {
    const known = this.#byLabel.get(label);
    if (known !== undefined) return known;
    if (this.#byLabel.size >= LABELS_MAX) this.#byLabel.clear();
    const ways = new LabelWays(prefersEpochs);
    this.#byLabel.set(label, ways);
    return ways;
  }
}

/** Whether one list goes by epochs or takes locks, attempt by attempt. It begins as the choice says. */
export class ListWay {
  readonly #choice: EpochChoice;
  /** of its label; null: it keeps to epochs, and nothing is learnt from it */
  readonly #ways: LabelWays | null;
  readonly #beganByEpoch: boolean;
  readonly #begunMs: number;
  #byEpoch: boolean;

  constructor(choice: EpochChoice, ways: LabelWays | null, byEpoch: boolean, nowMs: number) {
    this.#choice = choice;
    this.#ways = ways;
    this.#beganByEpoch = this.#byEpoch = byEpoch;
    this.#begunMs = nowMs;
  }

  get byEpoch(): boolean {
    return this.#byEpoch;
  }

  /** An attempt has failed; the next one may go the other way. */
  failed(error: ClaretError): void {
    if (!this.#byEpoch) {
      if (!metLock(error)) return;
      if (!this.#beganByEpoch) this.#ways?.metLock();
      if (this.#ways !== null && this.#choice.prefersEpochs(this)) this.#byEpoch = true;
    } else if (error.code === codes.epochMissed && this.#choice.letsOneTakeLocks(this)) {
      this.#byEpoch = false;
    }
  }

  /** What it has lost by going on the other way counts against the way that it began with. */
  committed(nowMs: number): void {
    this.#ways?.took(this.#beganByEpoch, nowMs - this.#begunMs, nowMs);
  }

  /** The list has ended, whichever way. */
  ended(): void {
    this.#ways?.ended(this.#beganByEpoch);
    this.#choice.ended(this);
  }
}
