// Joins: what one part of an attempt has to do with shared operations: those it created, those it has joined and the
// shard does not know of yet, and its operations that wait for one to be granted. Most parts have none.

import type { ClaretError } from './errors.ts';
import type { Operation } from './operation.ts';
import type { Part } from './part.ts';
import type { SharedOperation } from './shared-operation.ts';
import type { WireValue } from './values.ts';
import { writeJoined } from './wire/client-frame.ts';
import type { Shared } from './wire/server-frame.ts';
import type { FrameWriter } from './wire/writer.ts';

type AnyOperation = Operation<unknown>;

interface Parked {
  readonly operation: AnyOperation;
  readonly on: SharedOperation;
}

// Most lists have one item or none, and a first push would make room for 17.
const NONE: never[] = [];

function added<T>(list: T[], item: T): T[] {
  if (list.length === 0) return [item];
  list.push(item);
  return list;
}

export class Joins {
  /** answered by joining, in order of issue */
  operations: AnyOperation[] = NONE;
  /** the shard has been told of some: the part holds something there */
  named = false;
  /** what is joined is to be taken over as soon as a request can be sent */
  urgent = false;
  readonly #part: Part;
  #unnamed: SharedOperation[] = NONE;
  #created: SharedOperation[] = NONE;
  #parked: Parked[] = NONE;

  constructor(part: Part) {
    this.#part = part;
  }

  get hasUnnamed(): boolean {
    return this.#unnamed.length > 0;
  }

  get observesOnly(): boolean {
    // What is parked always observes.
    return this.operations.every(({ spec }) => spec.operationClass === 'observe');
  }

  join(shared: SharedOperation, operation: AnyOperation): void {
    this.operations = added(this.operations, operation);
    // A read is held once; a change is made as often, and in the order, as it was issued.
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

  /** None of its operations waits for another attempt's any more. */
  unpark(): AnyOperation[] {
    const parked = this.#parked;
    this.#parked = NONE;
    for (const { on, operation } of parked) on.unpark(operation);
    return parked.map(({ operation }) => operation);
  }

  /** The part itself is about to change the record: what it has there is joined by nobody else. */
  changes(key: string): void {
    for (const shared of this.#created) if (shared.operation.key === key) shared.close();
    for (const shared of this.#unnamed) if (shared.operation.key === key) shared.close();
  }

  /** In the request being written: takes over what was joined, and lets go of what only the part itself still needs. */
  write(out: FrameWriter): void {
    const unnamed = this.#unnamed;
    this.#unnamed = NONE;
    this.urgent = false;
    if (unnamed.length > 0) {
      writeJoined(out, unnamed);
      this.named = true;
      for (const shared of unnamed) shared.leave(this.#part);
    }
    for (const shared of this.#created) {
      if (!shared.asked && this.#part.writesChangeOf(shared.operation.key)) shared.leave(this.#part);
    }
  }

  /** The number that the operation is shared under; 0: none. */
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

  /** The request is granted, with these as shared. */
  granted(list: readonly Shared[]): void {
    for (const shared of this.#created) {
      if (!shared.asked || shared.sentMs < 0) continue;
      const granted = list.find(({ share }) => share === shared.number);
      if (granted === undefined) shared.end();
      else shared.stand(granted.joinForUs);
    }
  }

  /** The request was denied: it is not shared when it is sent again. */
  denied(): void {
    for (const shared of this.#created) if (shared.asked) shared.end();
  }

  /** The prepare is written, or the part has ended. */
  leave(): void {
    const created = this.#created;
    const unnamed = this.#unnamed;
    this.#created = this.#unnamed = NONE;
    for (const shared of created) shared.leave(this.#part);
    for (const shared of unnamed) shared.leave(this.#part);
  }

  fail(error: ClaretError): void {
    for (const operation of this.unpark()) operation.fail(error);
    this.leave();
  }
}
