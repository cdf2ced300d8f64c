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

export class Joins {
  /** answered by joining, in order of issue */
  readonly operations: AnyOperation[] = [];
  /** the shard has been told of some: the part holds something there */
  named = false;
  /** what is joined is to be taken over as soon as a request can be sent */
  urgent = false;
  readonly #part: Part;
  #unnamed: SharedOperation[] = [];
  #created: SharedOperation[] = [];
  #parked = new Map<AnyOperation, SharedOperation>();

  constructor(part: Part) {
    this.#part = part;
  }

  get hasUnnamed(): boolean {
    return this.#unnamed.length > 0;
  }

  get observesOnly(): boolean {
    return [...this.operations, ...this.#parked.keys()].every(({ spec }) => spec.operationClass === 'observe');
  }

  join(shared: SharedOperation, operation: AnyOperation): void {
    this.operations.push(operation);
    // A read is held once; a change is made as often, and in the order, as it was issued.
    if (operation.spec.operationClass !== 'observe' || !this.#unnamed.includes(shared)) this.#unnamed.push(shared);
  }

  create(shared: SharedOperation): void {
    this.#created.push(shared);
  }

  park(shared: SharedOperation, operation: AnyOperation): void {
    this.#parked.set(operation, shared);
  }

  parkedEnds(operation: AnyOperation): void {
    this.#parked.delete(operation);
  }

  /** None of its operations waits for another attempt's any more. */
  unpark(): AnyOperation[] {
    const parked = this.#parked;
    this.#parked = new Map();
    for (const [operation, shared] of parked) shared.unpark(operation);
    return [...parked.keys()];
  }

  /** The part itself is about to change the record: what it has there is joined by nobody else. */
  changes(key: string): void {
    for (const shared of [...this.#created, ...this.#unnamed]) if (shared.operation.key === key) shared.close();
  }

  /** In the request being written: takes over what was joined, and lets go of what only the part itself still needs. */
  write(out: FrameWriter, changed: (key: string) => boolean): void {
    const unnamed = this.#unnamed;
    this.#unnamed = [];
    this.urgent = false;
    if (unnamed.length > 0) {
      writeJoined(out, unnamed);
      this.named = true;
      for (const shared of unnamed) shared.leave(this.#part);
    }
    for (const shared of this.#created) if (!shared.asked && changed(shared.operation.key)) shared.leave(this.#part);
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
    for (const shared of [...this.#created]) {
      if (!shared.asked || shared.sentMs < 0) continue;
      const granted = list.find(({ share }) => share === shared.number);
      if (granted === undefined) shared.end();
      else shared.stand(granted.joinForUs);
    }
  }

  /** The request was denied: it is not shared when it is sent again. */
  denied(): void {
    for (const shared of [...this.#created]) if (shared.asked) shared.end();
  }

  /** The prepare is written, or the part has ended. */
  leave(): void {
    for (const shared of [...this.#created, ...this.#unnamed]) shared.leave(this.#part);
    this.#created = [];
    this.#unnamed = [];
  }

  fail(error: ClaretError): void {
    for (const operation of this.unpark()) operation.fail(error);
    this.leave();
  }
}
