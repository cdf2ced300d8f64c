// Wishes: which operations of a request are wished to be warranted. Only readings that recur are, since most messages would otherwise pay for wishes
// that no shard should grant. A client decides this alone; the shard grants where it is worth while.

import type { Operation } from '../operation/operation.ts';
import { observes } from '../values/call.ts';
import type { WireValue } from '../values/values.ts';
import { Lookups } from './lookups.ts';
import { Recurrence } from './recurrence.ts';

/** 0: nothing; 1: a warranty; 2: a warranty, or else the digest of the result. */
export type Wish = 0 | 1 | 2;

/** A longer list is sent in any case: that all of it is in memory when it is asked for again is not to be expected. */
const LIST_MAX = 64;

type AnyOperation = Operation<unknown>;

export interface WishingRequest {
  readonly label: string;
  /** it is all that its transaction does at the shard, known from the beginning */
  readonly isList: boolean;
  /** Its message would have to be sent in any case: a promise of what is first read in it saves nothing. */
  readonly needed: boolean;
  readonly operations: readonly AnyOperation[];
  /** of `operations`, those from here to before `end` */
  readonly from: number;
  readonly end: number;
  readonly nowMs: number;
}

const [NONE, RECURRING, ALL] = [0, 1, 2] as const;

export class Wishes {
  readonly #recurrence = new Recurrence();
  readonly #labels = new Lookups();
  /** of the request that is being written */
  #wished: typeof NONE | typeof RECURRING | typeof ALL = NONE;
  #asks = false;
  #evidence = 0;
  #nowMs = 0;

  /**
   * A request is about to be written, in a session that takes warranties.
   * @param evidence as in the welcome
   * @returns whether the answers to its readings are to be learnt (see `answered`)
   */
  begin(evidence: number, request: WishingRequest): boolean {
    this.#asks = true;
    this.#evidence = evidence;
    this.#nowMs = request.nowMs;
    this.#wished = NONE;
    if (request.needed) return false;
    if (evidence === 0) {
      this.#wished = ALL;
      return false;
    }
    if (request.isList && request.end - request.from > LIST_MAX) return false;
    if (!this.#labels.wanted(request.label)) return false;
    const recurring = this.#recurring(request);
    this.#labels.lookedUp(request.label, recurring > 0);
    if (recurring > 0) this.#wished = RECURRING;
    return true;
  }

  /** A request is about to be written that gets no warranty, but for the digests that computations need. */
  none(): false {
    this.#asks = false;
    return false;
  }

  /** How many readings recur; of a list all, or it wishes for none. */
  #recurring({ operations, from, end, isList }: WishingRequest): number {
    let recurring = 0;
    for (let at = from; at < end; at++) {
      const operation = operations[at]!;
      if (!observes(operation)) continue;
      if (this.#recurs(operation)) recurring++;
      else if (isList) return 0;
    }
    return recurring;
  }

  #recurs(operation: AnyOperation): boolean {
    return this.#recurrence.recurs(operation, this.#evidence, this.#nowMs);
  }

  /** REQUIRES: it is one of the request that was begun last. */
  of(operation: AnyOperation): Wish {
    if (operation.witness !== null) return 2;
    if (!this.#asks || !observes(operation) || operation.guess !== undefined) return 0;
    if (operation.expect !== null || this.#wished === ALL) return 1;
    return this.#wished === RECURRING && this.#recurs(operation) ? 1 : 0;
  }

  answered(operation: AnyOperation, result: WireValue, nowMs: number): void {
    if (observes(operation)) this.#recurrence.answered(operation, result, nowMs);
  }
}
