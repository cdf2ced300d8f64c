// Combiner: the operations that this process holds for all of its transactions, by key (the paper, 4.3 and 5.2; the
// founding rules, section 7). A transaction that awaits an operation whose result follows from one that stands takes it
// from there, without a message; its next request to the shard names what it has joined, and there the shard makes sure.
//
// Transactions share nothing but that: each commits and aborts on its own.

import type { Operation } from './operation.ts';
import { isCombinable, isCovered } from './join-rules.ts';
import type { Part } from './part.ts';
import type { Session } from './session.ts';
import { SharedOperation } from './shared-operation.ts';
import { SLOT_COUNT, slotOf } from './topology.ts';

export type Combining = 'auto' | 'on' | 'off';

type AnyOperation = Operation<unknown>;

/**
 * auto: a slot for which so many combinable operations of this process are awaited at once is hot. With fewer, sharing
 * costs the process more than it saves (docs/decisions/0005).
 */
const HOT_AWAITED = 16;
const AWAITED_MAX = 0xffff;
const SHARED_PER_KEY_MAX = 8;
/** A number is never used twice, and has 32 bits. */
const NUMBER_MAX = 0xffff_ffff;

export class Combiner {
  readonly nowMs: () => number;
  readonly #byKey = new Map<string, SharedOperation[]>();
  readonly #byNumber = new Map<number, SharedOperation>();
  /** by slot: combinable operations that are awaited */
  readonly #awaited = new Uint16Array(SLOT_COUNT);
  #nextNumber = 1;
  #mode: Combining = 'auto';
  #abstractLocks = true;

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }

  /** `locks`: the cluster's. What stands is not joined across a change. */
  configure(mode: Combining, locks: string): void {
    const next = locks === 'none' ? 'off' : mode;
    const abstractLocks = locks === 'abstract';
    if (next === this.#mode && abstractLocks === this.#abstractLocks) return;
    this.#mode = next;
    this.#abstractLocks = abstractLocks;
    for (const shared of [...this.#byNumber.values()]) if (!shared.asked) shared.close();
  }

  /** What stands or is asked for. */
  get size(): number {
    return this.#byNumber.size;
  }

  /** Somebody awaits the operation. True: it is answered, or will be, and is not to be sent for that. */
  combine(part: Part, operation: AnyOperation): boolean {
    if (this.#mode === 'off' || !isCombinable(operation.spec)) return false;
    // Reader/writer locks give a change its record alone.
    if (!this.#abstractLocks && operation.spec.operationClass !== 'observe') return false;
    const hot = this.#mode === 'on' || this.#isHot(operation);
    if ((!hot && this.#byKey.size === 0) || !part.combines(operation)) return false;
    const list = this.#byKey.get(operation.key);
    if (list !== undefined && !part.busy && !part.hasOwn(operation)) {
      const nowMs = this.nowMs();
      // A copy: one whose time is over leaves the list.
      for (const shared of [...list]) {
        if (shared.creator.session === part.session && shared.take(part, operation, nowMs)) return true;
      }
      if (this.#isCovered(operation)) {
        part.attempt.client.counters.combined++;
        operation.settle(undefined);
        return true;
      }
    }
    if (hot && !part.busy) this.#share(part, operation);
    return false;
  }

  // Whoever awaits a void operation waits for its lock. Where one of its mode stands, that is as good as granted.
  #isCovered(operation: AnyOperation): boolean {
    const list = this.#byKey.get(operation.key);
    return list !== undefined && list.some((shared) => !shared.asked && isCovered(shared.operation, operation));
  }

  #share(part: Part, operation: AnyOperation): void {
    const list = this.#byKey.get(operation.key);
    if ((list !== undefined && list.length >= SHARED_PER_KEY_MAX) || this.#nextNumber > NUMBER_MAX) return;
    const shared = new SharedOperation(this, this.#nextNumber++, part, operation);
    if (list === undefined) this.#byKey.set(operation.key, [shared]);
    else list.push(shared);
    this.#byNumber.set(shared.number, shared);
    part.share(shared);
  }

  #isHot(operation: AnyOperation): boolean {
    const slot = slotOf(operation.key);
    const awaited = this.#awaited[slot]!;
    if (awaited < AWAITED_MAX) {
      this.#awaited[slot] = awaited + 1;
      operation.awaitedSlot = slot;
    }
    return awaited + 1 >= HOT_AWAITED;
  }

  /** An operation that `combine` has seen is settled. */
  settled(slot: number): void {
    this.#awaited[slot]!--;
  }

  /** It is joined no more. */
  forgetKey(shared: SharedOperation): void {
    const { key } = shared.operation;
    const list = this.#byKey.get(key);
    const index = list === undefined ? -1 : list.indexOf(shared);
    if (index < 0) return;
    if (list!.length === 1) this.#byKey.delete(key);
    else list!.splice(index, 1);
  }

  forget(shared: SharedOperation): void {
    this.forgetKey(shared);
    this.#byNumber.delete(shared.number);
  }

  onWound(number: number): void {
    this.#byNumber.get(number)?.dissolve();
  }

  onSessionLost(session: Session): void {
    for (const shared of [...this.#byNumber.values()]) if (shared.creator.session === session) shared.lost();
  }
}
