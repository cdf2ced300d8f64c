// Combiner: the operations that this process holds for all of its transactions, by key (docs/decisions/0005). A transaction may
// await an operation whose result follows from one that stands. It takes the result from there, without a message. Its next request
// to the shard names the operations it has joined, and the shard verifies them.
//
// Transactions share nothing but operations: each commits and aborts alone.

import type { Conditions } from '../../telemetry/conditions.ts';
import type { Environment } from '../environment/environment.ts';
import type { Operation } from '../operation/operation.ts';
import type { Counters } from '../reports/counters.ts';
import type { SharedOperationReceiver } from '../session/incoming.ts';
import { NumberedTable } from '../session/numbered-table.ts';
import { SLOT_COUNT, slotOf } from '../topology/slots.ts';
import { isCombinable, isCovered } from './join-rules.ts';
import { SharedOperation, type Member, type SharedRegistry } from './shared-operation.ts';

export type Combining = Conditions['combining'];

type AnyOperation = Operation<unknown>;

/**
 * In mode `auto`, a slot is hot if this many combinable operations of the process are awaited there at once. With fewer, sharing
 * costs the process more than it saves (docs/decisions/0005).
 */
const HOT_AWAITED = 16;
const AWAITED_MAX = 0xffff;
const SHARED_PER_KEY_MAX = 8;
/** A number has 32 bits and is never used twice. The table may skip some. */
const NUMBER_MAX = 0xfff0_0000;

export class Combiner implements SharedRegistry, SharedOperationReceiver {
  readonly counters: Counters;
  readonly #environment: Environment;
  readonly #byKey = new Map<string, SharedOperation[]>();
  readonly #byNumber = new NumberedTable<SharedOperation>();
  /** by slot: combinable operations that are awaited */
  readonly #awaited = new Uint16Array(SLOT_COUNT);
  #mode: Combining = 'auto';
  #abstractLocks = true;

  constructor(environment: Environment, counters: Counters) {
    this.#environment = environment;
    this.counters = counters;
  }

  nowMs(): number {
    return this.#environment.monotonicMs();
  }

  /**
   * An operation that stands is not joined across a change of mode or locks.
   * @param locks the cluster's
   */
  configure(mode: Combining, locks: string): void {
    const next = locks === 'none' ? 'off' : mode;
    const abstractLocks = locks === 'abstract';
    if (next === this.#mode && abstractLocks === this.#abstractLocks) return;
    this.#mode = next;
    this.#abstractLocks = abstractLocks;
    for (const shared of this.#byNumber) if (!shared.asked) shared.close();
  }

  /** The number of shared operations. */
  get size(): number {
    return this.#byNumber.size;
  }

  /** The operation is awaited. Returns true if another operation answers it, now or later: then it need not be sent. */
  combine(member: Member, operation: AnyOperation): boolean {
    if (this.#mode === 'off' || !isCombinable(operation.spec)) return false;
    // A reader/writer lock gives a change its record exclusively.
    if (!this.#abstractLocks && operation.spec.operationClass !== 'observe') return false;
    const hot = this.#mode === 'on' || this.#isHot(operation);
    if ((!hot && this.#byKey.size === 0) || !member.combines(operation)) return false;
    const list = this.#byKey.get(operation.key);
    if (list !== undefined && !member.busy && !member.hasOwn(operation)) {
      const nowMs = this.nowMs();
      // The loop needs a copy, since an operation whose time is over leaves the list.
      for (const shared of [...list]) {
        if (shared.creator.shard === member.shard && shared.take(member, operation, nowMs)) return true;
      }
      if (this.#isCovered(operation)) {
        this.counters.combined++;
        operation.settle(undefined);
        return true;
      }
    }
    if (hot && !member.busy) this.#share(member, operation);
    return false;
  }

  // An awaited void operation waits for its lock. If an operation of the same mode stands, the lock is certain to be granted.
  #isCovered(operation: AnyOperation): boolean {
    const list = this.#byKey.get(operation.key);
    return list !== undefined && list.some((shared) => !shared.asked && isCovered(shared.operation, operation));
  }

  #share(member: Member, operation: AnyOperation): void {
    const list = this.#byKey.get(operation.key);
    if ((list !== undefined && list.length >= SHARED_PER_KEY_MAX) || this.#byNumber.next > NUMBER_MAX) return;
    const shared = new SharedOperation(this, member, operation);
    if (list === undefined) this.#byKey.set(operation.key, [shared]);
    else list.push(shared);
    this.#byNumber.add(shared);
    member.share(shared);
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

  /** An operation that was counted at this slot is settled. */
  settled(slot: number): void {
    this.#awaited[slot]!--;
  }

  forgetKey(shared: SharedOperation): void {
    const { key } = shared.operation;
    const list = this.#byKey.get(key);
    const index = list === undefined ? -1 : list.indexOf(shared);
    if (index < 0) return;
    // Also the last one is taken from its list, since the Map may keep the list alive (see limits/deadlines.ts).
    list!.splice(index, 1);
    if (list!.length === 0) this.#byKey.delete(key);
  }

  forget(shared: SharedOperation): void {
    this.forgetKey(shared);
    this.#byNumber.remove(shared);
  }

  onWound(number: number): void {
    this.#byNumber.get(number)?.dissolve();
  }

  onSessionLost(shard: number): void {
    for (const shared of this.#byNumber) if (shared.creator.shard === shard) shared.lost();
  }
}
