// OneAtATime: the paper's way of sending, for measurements. Each operation of an attempt is sent only after the one issued before
// it has been answered, over all shards, whether the body awaits it or not. The vote travels with the last one. This costs a round
// trip for each operation. An operation counts as answered as soon as its body could continue.
//
// issued ──first in the queue, and awaited or followed by another──▶ sent ──answered──▶ the next
//    └──first in the queue, and the body is done──▶ sent with the vote

import type { ClaretError } from '../errors/claret-error.ts';
import type { Operation, Sender } from '../operation/operation.ts';
import type { Branch, Coordinator } from './branch.ts';

type AnyOperation = Operation<unknown>;

interface Queued {
  readonly branch: Branch;
  readonly operation: AnyOperation;
  /** the retry requested it before the body issued it (reacquisition.ts) */
  readonly requested: boolean;
  /** deferred until now, and sent in one message with it */
  readonly before: readonly AnyOperation[];
}

export class OneAtATime implements Sender {
  readonly #attempt: Coordinator;
  /** not known to be answered, in the order of issue; only the first may have been sent */
  #queue: Queued[] = [];
  #firstSent = false;
  /** the answer to the first operation advances the queue */
  #listening = false;
  #bodyDone = false;

  constructor(attempt: Coordinator) {
    this.#attempt = attempt;
  }

  /** Nothing can be issued any more, though operations may still wait to be sent. */
  get bodyDone(): boolean {
    return this.#bodyDone;
  }

  /** The body issues an operation. */
  add(branch: Branch, operation: AnyOperation, { requested = false, before = [] }: Partial<Queued>): void {
    this.#queue.push({ branch, operation, requested, before });
    this.#advance();
  }

  /** The operation is awaited. If it is the last one, it goes without the vote. */
  want(): void {
    this.#advance();
  }

  finish(): void {
    this.#bodyDone = true;
    this.#advance();
  }

  fail(error: ClaretError): void {
    const queue = this.#queue;
    this.#queue = [];
    for (const { operation } of queue) operation.fail(error);
  }

  #advance(): void {
    const queue = this.#queue;
    while (queue.length > 0 && queue[0]!.operation.settled) {
      queue.shift();
      this.#firstSent = this.#listening = false;
    }
    if (!this.#attempt.running) return;
    const last = queue.length <= 1 && this.#bodyDone;
    const [first] = queue;
    if (first !== undefined && !this.#firstSent && (last || queue.length > 1 || first.operation.awaited)) this.#send(first, last);
    if (last) return this.#attempt.vote();
    if (queue.length > 1 && !this.#listening) {
      this.#listening = true;
      const answered = () => this.#advance();
      first!.operation.then(answered, answered);
    }
  }

  #send({ branch, operation, requested, before }: Queued, last: boolean): void {
    this.#firstSent = true;
    for (const each of before) branch.add(each);
    if (!requested) branch.add(operation);
    if (!last) branch.want(operation);
  }
}
