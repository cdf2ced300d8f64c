// One at a time: the paper's way of sending. Each operation of an attempt is sent only once the one issued before it has
// been answered, over all shards, whether the body awaits it or not; the vote rides on the last. For measurements: it
// costs a round trip for each operation. An operation counts as answered when its body could go on.
//
// issued ──first in the queue, and awaited or followed by another──▶ sent ──answered──▶ the next
//    └──first in the queue, and the body is done──▶ sent with the vote

import type { Attempt } from './attempt.ts';
import type { ClaretError } from './errors.ts';
import type { Operation, Sender } from './operation.ts';
import type { Part } from './part.ts';

type AnyOperation = Operation<unknown>;

interface Queued {
  readonly part: Part;
  readonly operation: AnyOperation;
  /** the attempt has asked for it already, since the last one did (again.ts) */
  readonly asked: boolean;
}

export class OneAtATime implements Sender {
  readonly #attempt: Attempt;
  /** not known to be answered, in the order of issue; only the first may have been sent */
  #queue: Queued[] = [];
  #firstSent = false;
  /** goes on by itself when the first is answered */
  #listening = false;
  #bodyDone = false;

  constructor(attempt: Attempt) {
    this.#attempt = attempt;
  }

  /** Nothing can be issued any more, though not everything is sent. */
  get bodyDone(): boolean {
    return this.#bodyDone;
  }

  /** The body issues an operation. */
  add(part: Part, operation: AnyOperation, asked: boolean): void {
    this.#queue.push({ part, operation, asked });
    this.#advance();
  }

  /** Somebody awaits it: where it is the last, it goes without the vote. */
  want(): void {
    this.#advance();
  }

  settled(slot: number): void {
    this.#attempt.client.combiner.settled(slot);
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

  #send({ part, operation, asked }: Queued, last: boolean): void {
    this.#firstSent = true;
    if (!asked) part.add(operation);
    if (!last) part.want(operation);
  }
}
