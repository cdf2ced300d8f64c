// Given: what one forecast is given. All of it was right at one time: the time of the picture when it first shows something that is wanted, or
// one that all peeks have in common. A peek tells from when to when its result was right.

import type { Operation } from '../operation/operation.ts';
import { copyOf } from '../values/join-rules.ts';
import { resultOf } from '../values/result.ts';
import type { WireValue } from '../values/values.ts';
import type { PeekReply } from '../wire/chain-reader.ts';
import { isBefore, type Wide } from '../wire/wide.ts';
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
  /** A peek could not tell its result: it changes all the time. */
  onHot(operation: AnyOperation): void;
  /** The picture shows it. */
  onShown(operation: AnyOperation): void;
  onPeekFailed(): void;
}

/** One call that the picture does not show. */
interface Peeked {
  readonly operation: AnyOperation;
  value: WireValue | undefined;
  /** others that await the same */
  waiting: AnyOperation[];
}

const ANY: Wide = { high: 0, low: 0 };

export class Given {
  #picture: Picture | null;
  readonly #peeksOf: (call: AnyOperation) => Peeks;
  readonly #guesser: Guesser;
  /** the time of the picture; null: nothing of it is given yet */
  #at: Wide | null = null;
  /** All that is given was right from `#from` to `#to`; null: nothing is given. */
  #from: Wide = ANY;
  #to: Wide | null = null;
  readonly #peeked: Peeked[] = [];
  #over = false;

  /** @param picture null: there is none */
  constructor(picture: Picture | null, peeksOf: (call: AnyOperation) => Peeks, guesser: Guesser) {
    this.#picture = picture;
    this.#peeksOf = peeksOf;
    this.#guesser = guesser;
  }

  /** Takes another picture. Returns false if something of the present one is given already. */
  change(picture: Picture | null): boolean {
    if (this.#at !== null) return false;
    this.#picture = picture;
    return true;
  }

  /** Settles the operation, now or later. */
  answer(operation: AnyOperation): void {
    const picture = this.#picture;
    const shown = picture?.find(operation);
    if (picture === null || shown === undefined) return this.#ask(operation);
    if (picture.over.is) return this.#guesser.onBusy();
    this.#guesser.onShown(operation);
    if (this.#at === null) {
      this.#at = picture.at;
      if (!this.#add(this.#at, this.#at)) return this.#guesser.onBusy();
    }
    const result = shown.resultAt(this.#at);
    if (result === undefined) this.#guesser.onBusy();
    else settle(operation, result);
  }

  #ask(operation: AnyOperation): void {
    for (const peeked of this.#peeked) if (isSameCallOnRecord(peeked.operation, operation)) return this.#share(peeked, operation);
    this.#guesser.pending();
    const peeked: Peeked = { operation, value: undefined, waiting: [operation] };
    this.#peeked.push(peeked);
    this.#peeksOf(operation).ask(operation, this.#at ?? ANY, (reply) => this.#onReply(peeked, reply));
  }

  #share({ value, waiting }: Peeked, operation: AnyOperation): void {
    if (value !== undefined) return settle(operation, value);
    this.#guesser.pending();
    waiting.push(operation);
  }

  /** Nothing is given any more. */
  end(): void {
    this.#over = true;
  }

  #onReply(peeked: Peeked, reply: PeekReply | null): void {
    if (reply?.busy) this.#guesser.onHot(peeked.operation);
    if (this.#over) return;
    if (reply === null || reply.busy || this.#picture?.over.is) return this.#guesser.onBusy();
    if (reply.error !== null) return this.#guesser.onPeekFailed();
    if (!this.#add(reply.changedAt, reply.at)) {
      this.#guesser.onHot(peeked.operation);
      return this.#guesser.onBusy();
    }
    peeked.value = reply.value;
    for (const operation of peeked.waiting) {
      settle(operation, reply.value);
      this.#guesser.answered();
    }
    peeked.waiting = [];
  }

  /** Something more is given that was right from `from` to `to`. Returns false if it never was together with the rest. */
  #add(from: Wide, to: Wide): boolean {
    if (isBefore(this.#from, from)) this.#from = from;
    if (this.#to === null || isBefore(to, this.#to)) this.#to = to;
    return !isBefore(this.#to, this.#from);
  }
}

/** A copy, since a body may change what it gets. */
function settle(operation: AnyOperation, value: WireValue): void {
  operation.guess = value;
  operation.settle(resultOf(operation.spec.result, copyOf(value)));
}
