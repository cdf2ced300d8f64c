// Given: what one forecast is given. All of it was right at one time: a picture, taken at the first guess, and peeks at that time.

import type { Operation } from '../operation/operation.ts';
import { copyOf } from '../values/join-rules.ts';
import { resultOf } from '../values/result.ts';
import type { WireValue } from '../values/values.ts';
import type { PeekReply } from '../wire/chain-reader.ts';
import type { Wide } from '../wire/wide.ts';
import { isSameCallOnRecord } from '../attempt/lock-set.ts';
import type { Peeks } from './peeks.ts';
import type { Picture } from './picture.ts';

type AnyOperation = Operation<unknown>;

/** The forecast to which something is given. */
export interface Guesser {
  /** The operation is answered by a peek: from now on it is pending; and later it is not. */
  pending(): void;
  answered(): void;
  /** The value that was wanted is not to be had at this time. */
  onBusy(): void;
  onPeekFailed(): void;
}

/** One call that the picture does not show. */
interface Peeked {
  readonly operation: AnyOperation;
  value: WireValue | undefined;
  /** others that await the same */
  waiting: AnyOperation[];
}

export class Given {
  readonly #peeks: Peeks;
  readonly #picture: Picture;
  readonly #guesser: Guesser;
  #at: Wide;
  readonly #peeked: Peeked[] = [];
  /** wait for the answer to the first peek, which gives the time */
  #untimed: Peeked[] = [];
  #over = false;

  constructor(picture: Picture, peeks: Peeks, guesser: Guesser) {
    this.#picture = picture;
    this.#at = picture.at;
    this.#peeks = peeks;
    this.#guesser = guesser;
  }

  /** Settles the operation, now or later. */
  answer(operation: AnyOperation): void {
    const shown = this.#picture.result(operation);
    if (shown !== undefined) return settle(operation, shown);
    const known = this.#peeked.find((peeked) => isSameCallOnRecord(peeked.operation, operation));
    if (known?.value !== undefined) return settle(operation, known.value);
    this.#guesser.pending();
    if (known !== undefined) return void known.waiting.push(operation);
    const peeked: Peeked = { operation, value: undefined, waiting: [operation] };
    this.#peeked.push(peeked);
    if (this.#timed || this.#peeked.length === 1) this.#peek(peeked);
    else this.#untimed.push(peeked);
  }

  /** Nothing is given any more. */
  end(): void {
    this.#over = true;
  }

  get #timed(): boolean {
    return this.#at.high !== 0 || this.#at.low !== 0;
  }

  #peek(peeked: Peeked): void {
    this.#peeks.ask(peeked.operation, this.#at, (reply) => this.#onReply(peeked, reply));
  }

  #onReply(peeked: Peeked, reply: PeekReply | null): void {
    if (this.#over) return;
    if (reply === null || reply.busy) return this.#guesser.onBusy();
    if (reply.error !== null) return this.#guesser.onPeekFailed();
    peeked.value = reply.value;
    for (const operation of peeked.waiting) {
      settle(operation, reply.value);
      this.#guesser.answered();
    }
    peeked.waiting = [];
    if (this.#timed) return;
    this.#at = reply.at;
    const untimed = this.#untimed;
    this.#untimed = [];
    for (const each of untimed) this.#peek(each);
  }
}

/** A copy, since a body may change what it gets. */
function settle(operation: AnyOperation, value: WireValue): void {
  operation.settle(resultOf(operation.spec.result, copyOf(value)));
}
