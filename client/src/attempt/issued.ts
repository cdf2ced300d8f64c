// Issued: the operations of one branch, in the order of issue: first those that the shard has answered, then those written and unanswered, then
// those that have yet to be written; and beside them those that are deferred.

import type { ClaretError } from '../errors/claret-error.ts';
import type { Operation } from '../operation/operation.ts';
import { observes } from '../values/call.ts';
import { DeferredOperations } from './deferred-operations.ts';

type AnyOperation = Operation<unknown>;

const NONE: readonly never[] = [];

/** The shard tells something of it that the client does not have. */
const hasResult = ({ spec, guess }: AnyOperation): boolean => spec.result !== 'void' && guess === undefined;

export class Issued {
  /** so many are answered */
  taken = 0;
  /** so many are written */
  written = 0;
  #all: AnyOperation[] = [];
  /** null: none was ever deferred */
  #deferred: DeferredOperations | null = null;

  /** All but the deferred ones. */
  get all(): readonly AnyOperation[] {
    return this.#all;
  }

  /** how many have yet to be written */
  get left(): number {
    return this.#all.length - this.written;
  }

  add(operation: AnyOperation): void {
    // The literal allocates one item. The first push would allocate 17, most of a small transaction's garbage.
    if (this.#all.length === 0) this.#all = [operation];
    else this.#all.push(operation);
  }

  /** The shard holds nothing of what was written and not answered. */
  unwrite(): void {
    this.written = this.taken;
  }

  // ---- deferred operations ----

  /** Keeps an operation that answers nothing until the end. Returns false if too many are kept. */
  defer(operation: AnyOperation): boolean {
    const deferred = (this.#deferred ??= new DeferredOperations());
    if (deferred.isFull) return false;
    deferred.add(operation);
    return true;
  }

  /** Takes what has to be sent before the next operation, which is not deferred. */
  deferredBefore({ spec, key }: AnyOperation): readonly AnyOperation[] {
    if (this.#deferred === null || spec.operationClass === 'observe') return NONE;
    return this.#deferred.isFull ? this.#deferred.take() : this.#deferred.take(key);
  }

  /** Takes all that is deferred. */
  takeDeferred(): readonly AnyOperation[] {
    return this.#deferred === null ? NONE : this.#deferred.take();
  }

  // ---- what they are ----

  /** Those that the body issued here, or that this attempt repeats. */
  calls(): AnyOperation[] {
    return [...this.#all.filter(({ expect }) => expect === null), ...(this.#deferred?.all ?? [])];
  }

  /** An operation changes the record. */
  changes(key: string): boolean {
    return this.calls().some((operation) => operation.key === key && !observes(operation));
  }

  /** No operation changes anything. */
  get observesOnly(): boolean {
    if (this.#deferred !== null && this.#deferred.all.length > 0) return false;
    return this.#all.every(({ spec }) => spec.operationClass === 'observe');
  }

  /** The body was told something of them. */
  get told(): boolean {
    return this.#all.slice(0, this.taken).some(hasResult);
  }

  /** The first one without a result, sent or not. */
  get unanswered(): AnyOperation | undefined {
    return this.#all[this.taken];
  }

  /** One that has yet to be written has a result. */
  get asksMore(): boolean {
    for (let at = this.written; at < this.#all.length; at++) if (hasResult(this.#all[at]!)) return true;
    return false;
  }

  /** If those that are written were committed, results are lost. */
  get wantsResults(): boolean {
    return this.#all.slice(this.taken, this.written).some((operation) => hasResult(operation) && operation.expect === null);
  }

  // ---- the end ----

  /**
   * The attempt has committed and its results are told: nothing more is asked of its operations. Cuts links (see Operation). The list is
   * emptied rather than replaced, since it is the list itself that may be in the old generation.
   */
  forget(): void {
    this.#all.length = 0;
  }

  /** Fails every operation that has no result yet. */
  fail(error: ClaretError): void {
    for (const operation of this.#all) operation.fail(error);
  }
}
