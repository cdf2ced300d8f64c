// EpochChoice: whether a list of operations goes by locks or by epochs (docs/decisions/0039-epochs.md).
//
// A member of an epoch waits for its moment, and for no other member then; a transaction that takes locks waits for nobody as long as it meets
// nobody. So the client measures how long lists of each label take either way, with all their retries, and takes the other way once that is
// clearly faster. Now and then one goes the other way, to learn.

import type { Environment } from '../environment/environment.ts';
import type { Call } from '../values/call.ts';
import { isOfRecord } from '../values/operation-spec.ts';
import { estimatedBytes } from '../wire/operation-size.ts';
import { ListWay, type Choice } from './list-way.ts';

export const WAYS = ['auto', 'epoch', 'locks'] as const;
export type Way = (typeof WAYS)[number];

/** The cluster, as the choice sees it. */
export interface ChoosingCluster {
  readonly conditions: { readonly locks: string; readonly epochs: string } | null;
  shardOf(key: string): number;
}

/** What a member has at a shard goes in one request, of no more than this. */
export const MEMBER_OPERATIONS_MAX = 4_096;
export const MEMBER_BYTES_MAX = 512 * 1024;
/** Lists begin by epochs that are so long, or so long over several shards. */
const BEGINS_FROM = 256;
const BEGINS_FROM_OVER_SHARDS = 32;
/** The other way is taken once its lists take less than this share of the time. */
const CLEARLY_FASTER = 0.8;
const NEWEST_SHARE = 1 / 8;
/** This list of a label is the first one that goes the other way: a label whose lists are rare would not learn for long otherwise. */
const LEARNS_FIRST = 2;
/** Later one of so many does, */
const LEARNS_EVERY = 64;
/** but not more often than this. */
const LEARNS_EVERY_MS = 1_000;
const LABELS_MAX = 1_024;

const DEFAULTS = { epochs: 'auto', locks: 'abstract' };

interface Measured {
  byEpochs: boolean;
  epochsMs: number | null;
  locksMs: number | null;
  lists: number;
  learntMs: number;
}

export class EpochChoice implements Choice {
  readonly #environment: Environment;
  readonly #cluster: ChoosingCluster;
  readonly #byLabel = new Map<string, Measured>();
  /** the list that takes locks, since no epoch has taken it */
  #takesLocks: ListWay | null = null;

  constructor(environment: Environment, cluster: ChoosingCluster) {
    this.#environment = environment;
    this.#cluster = cluster;
  }

  nowMs(): number {
    return this.#environment.monotonicMs();
  }

  /** Null: it takes locks, whatever happens. */
  choose(label: string, list: readonly Call[], way: Way): ListWay | null {
    // Before any shard has said them, they are taken for the defaults: a shard refuses what they do not allow.
    const { epochs, locks } = this.#cluster.conditions ?? DEFAULTS;
    const always = way === 'epoch' || epochs === 'on';
    // Most lists are short, and cost nothing here.
    const isShort = list.length < (always ? 1 : BEGINS_FROM_OVER_SHARDS);
    if (way === 'locks' || epochs === 'off' || locks === 'none' || isShort) return null;
    const shards = this.#shardsOf(list);
    if (shards === 0) return null;
    if (always) return way === 'epoch' || list.length > 1 ? new ListWay(this, label, true, false) : null;
    return new ListWay(this, label, this.#next(this.#measured(label, shards > 1 || list.length >= BEGINS_FROM)), true);
  }

  letsOneTakeLocks(list: ListWay): boolean {
    this.#takesLocks ??= list;
    return this.#takesLocks === list;
  }

  prefersEpochs(list: ListWay): boolean {
    return this.#takesLocks !== list && (this.#cluster.conditions ?? DEFAULTS).epochs !== 'off';
  }

  ended(list: ListWay): void {
    if (this.#takesLocks === list) this.#takesLocks = null;
  }

  took(label: string, byEpoch: boolean, durationMs: number): void {
    const measured = this.#byLabel.get(label);
    if (measured === undefined) return;
    const before = byEpoch ? measured.epochsMs : measured.locksMs;
    const mean = before === null ? durationMs : before + NEWEST_SHARE * (durationMs - before);
    if (byEpoch) measured.epochsMs = mean;
    else measured.locksMs = mean;
    const { epochsMs, locksMs } = measured;
    if (epochsMs === null || locksMs === null) return;
    if (measured.byEpochs) measured.byEpochs = locksMs >= CLEARLY_FASTER * epochsMs;
    else measured.byEpochs = epochsMs < CLEARLY_FASTER * locksMs;
  }

  /** The number of shards that take part; 0: one would have too much, or the list has what no epoch takes. */
  #shardsOf(list: readonly Call[]): number {
    const parts = new Map<number, { operations: number; bytes: number }>();
    for (const call of list) {
      if (isOfRecord(call.spec)) return 0;
      const shard = this.#cluster.shardOf(call.key);
      let part = parts.get(shard);
      if (part === undefined) parts.set(shard, (part = { operations: 0, bytes: 0 }));
      part.operations++;
      part.bytes += estimatedBytes(call);
      if (part.operations > MEMBER_OPERATIONS_MAX || part.bytes > MEMBER_BYTES_MAX) return 0;
    }
    return parts.size;
  }

  #measured(label: string, byEpochs: boolean): Measured {
    const known = this.#byLabel.get(label);
    if (known !== undefined) return known;
    if (this.#byLabel.size >= LABELS_MAX) this.#byLabel.clear();
    const measured: Measured = { byEpochs, epochsMs: null, locksMs: null, lists: 0, learntMs: -Infinity };
    this.#byLabel.set(label, measured);
    return measured;
  }

  #next(measured: Measured): boolean {
    const nowMs = this.#environment.monotonicMs();
    measured.lists++;
    if (measured.lists !== LEARNS_FIRST && measured.lists % LEARNS_EVERY !== 0) return measured.byEpochs;
    if (nowMs - measured.learntMs < LEARNS_EVERY_MS) return measured.byEpochs;
    measured.learntMs = nowMs;
    return !measured.byEpochs;
  }
}
