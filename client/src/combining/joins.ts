// Joins: the shared operations of one branch: those it created, those it joined and has not yet named to the shard, and those its
// own operations wait for. Most branches have none.

import type { ClaretError } from '../errors/claret-error.ts';
import type { Operation } from '../operation/operation.ts';
import type { WireValue } from '../values/values.ts';
import { writeJoined } from '../wire/client-frame.ts';
import type { Shared } from '../wire/server-frame.ts';
import type { FrameWriter } from '../wire/writer.ts';
import type { Member, SharedOperation } from './shared-operation.ts';

type AnyOperation = Operation<unknown>;

interface Parked {
  readonly operation: AnyOperation;
  readonly on: SharedOperation;
}

/** The branch that the joins belong to. */
interface JoiningMember extends Member {
  /** The next request contains a change of that record. */
  writesChangeOf(key: string): boolean;
}

// Most lists have no item or one, and the first push would allocate 17.
const NONE: never[] = [];

function added<T>(list: T[], item: T): T[] {
  if (list.length === 0) return [item];
  list.push(item);
  return list;
}

export class Joins {
  /** the operations that were answered by joining, in order of issue */
  operations: AnyOperation[] = NONE;
  /** the branch has named shared operations to the shard, so it holds something there */
  named = false;
  /** the next request is due at once, since it takes over what was joined */
  urgent = false;
  readonly #member: JoiningMember;
  #unnamed: SharedOperation[] = NONE;
  #created: SharedOperation[] = NONE;
  #parked: Parked[] = NONE;

  constructor(member: JoiningMember) {
    this.#member = member;
  }

  get hasUnnamed(): boolean {
    return this.#unnamed.length > 0;
  }

  get observesOnly(): boolean {
    // A parked operation always observes, so it need not be examined.
    return this.operations.every(({ spec }) => spec.operationClass === 'observe');
  }

  join(shared: SharedOperation, operation: AnyOperation): void {
    this.operations = added(this.operations, operation);
    // A read is held once. A change is made as often, and in the order, as it was issued.
    if (operation.spec.operationClass === 'observe' && this.#unnamed.includes(shared)) return;
    this.#unnamed = added(this.#unnamed, shared);
  }

  create(shared: SharedOperation): void {
    this.#created = added(this.#created, shared);
  }

  park(shared: SharedOperation, operation: AnyOperation): void {
    this.#parked = added(this.#parked, { operation, on: shared });
  }

  parkedEnds(operation: AnyOperation): void {
    const index = this.#parked.findIndex((parked) => parked.operation === operation);
    if (index >= 0) this.#parked.splice(index, 1);
  }

  /** Ends all waits for operations of other attempts, and returns the operations that waited. */
  unpark(): AnyOperation[] {
    const parked = this.#parked;
    this.#parked = NONE;
    for (const { on, operation } of parked) on.unpark(operation);
    return parked.map(({ operation }) => operation);
  }

  /** The branch itself is about to change the record, so its operations there can no longer be joined. */
  changes(key: string): void {
    for (const shared of this.#created) if (shared.operation.key === key) shared.close();
    for (const shared of this.#unnamed) if (shared.operation.key === key) shared.close();
  }

  /** Writes into the open request: takes over what was joined, and leaves what only this branch still needs. */
  write(out: FrameWriter): void {
    const unnamed = this.#unnamed;
    this.#unnamed = NONE;
    this.urgent = false;
    if (unnamed.length > 0) {
      writeJoined(out, unnamed);
      this.named = true;
      for (const shared of unnamed) shared.leave(this.#member);
    }
    for (const shared of this.#created) {
      if (!shared.asked && this.#member.writesChangeOf(shared.operation.key)) shared.leave(this.#member);
    }
  }

  /** The number under which the operation is shared; 0: none. */
  shareOf(operation: AnyOperation, nowMs: number): number {
    for (const shared of this.#created) {
      if (shared.operation !== operation || !shared.asked) continue;
      shared.sentMs = nowMs;
      return shared.number;
    }
    return 0;
  }

  answered(operation: AnyOperation, result: WireValue): void {
    for (const shared of this.#created) if (shared.operation === operation) shared.answered(result);
  }

  /** The request is granted, and these operations are shared. */
  granted(list: readonly Shared[]): void {
    for (const shared of this.#created) {
      if (!shared.asked || shared.sentMs < 0) continue;
      const granted = list.find(({ share }) => share === shared.number);
      if (granted === undefined) shared.end();
      else shared.stand(granted.joinForUs);
    }
  }

  /** The request was denied. Its operations are not shared when it is sent again. */
  denied(): void {
    for (const shared of this.#created) if (shared.asked) shared.end();
  }

  /** The prepare is written, or the branch has ended. */
  leave(): void {
    const created = this.#created;
    const unnamed = this.#unnamed;
    this.#created = this.#unnamed = NONE;
    for (const shared of created) shared.leave(this.#member);
    for (const shared of unnamed) shared.leave(this.#member);
  }

  fail(error: ClaretError): void {
    for (const operation of this.unpark()) operation.fail(error);
    this.leave();
  }
}
