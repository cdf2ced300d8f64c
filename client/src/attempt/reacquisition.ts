// Reacquisition: the operations that a retry repeats at one shard before its body runs. All of them are in the branch's first
// request. The body's own operations are then answered from them.

import type { Operation } from '../operation/operation.ts';
import type { Call } from '../values/call.ts';
import { isSameCallOnRecord, type LockSet } from './lock-set.ts';

type AnyOperation = Operation<unknown>;

export class Reacquisition {
  readonly operations: readonly AnyOperation[];
  readonly #lockSet: LockSet;
  /** operations that have not answered one of the body's */
  readonly #unclaimed: AnyOperation[];
  #granted = false;
  /** void operations of the body that wait for a requested lock */
  #waiting: AnyOperation[] = [];

  constructor(lockSet: LockSet, make: (call: Call, intent: boolean) => AnyOperation) {
    this.#lockSet = lockSet;
    const observes = lockSet.observes.map((call) => make(call, false));
    this.#unclaimed = [...observes];
    const intents = lockSet.intents.map((call) => make(call, true));
    this.operations = [...observes, ...intents].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  }

  /** The operation that answers this call, if it was requested. Each is returned once, since its receiver owns the result. */
  observed(call: Call): AnyOperation | undefined {
    const index = this.#unclaimed.findIndex((operation) => isSameCallOnRecord(operation, call));
    return index < 0 ? undefined : this.#unclaimed.splice(index, 1)[0];
  }

  /** Returns true if the lock of the void operation was requested. Then the operation is settled once the lock is granted. */
  covers(operation: AnyOperation): boolean {
    if (operation.spec.result !== 'void') return false;
    const requested =
      this.#lockSet.exclusive.includes(operation.key) || this.operations.some((own) => own.intent && isSameCallOnRecord(own, operation));
    if (!requested) return false;
    if (this.#granted) operation.settle(undefined);
    else this.#waiting.push(operation);
    return true;
  }

  granted(): void {
    if (this.#granted) return;
    this.#granted = true;
    for (const operation of this.#waiting) operation.settle(undefined);
    this.#waiting = [];
  }
}
