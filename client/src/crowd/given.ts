// Given: what one forecast is given. All of it was right at one time: the time of the picture when it first shows something that is wanted, or
// one that all peeks have in common. A peek tells from when to when its result was right.

import type { Operation } from '../operation/operation.ts';
import { copyOf } from '../values/same.ts';
import { resultOf } from '../values/result.ts';
import type { WireValue } from '../values/values.ts';
import type { PeekReply } from '../wire/chain-reader.ts';
import { isBefore, type Wide } from '../wire/wide.ts';
import { isSameCallOnRecord } from '../attempt/lock-set.ts';
import type { BodyWatch } from './body-watch.ts';
import type { Crowd } from './crowd.ts';
import type { Picture } from './picture.ts';

type AnyOperation = Operation<unknown>;

/**
 * Why a forecast was given up. `busy`: begin anew with a newer picture. The others take locks; `unfit` also says that the label's bodies
 * are none to be forecast.
 */
export type GivenUp = 'busy' | 'peek failed' | 'unfit';

/** The forecast to which something is given. Implemented once, since a forecast makes what it is given. */
export interface Guesser {
  /** its records are on several shards, or are to be expected there */
  readonly wide: boolean;
  giveUp(why: GivenUp): void;
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
  readonly #crowd: Crowd;
  readonly #watch: BodyWatch;
  readonly #guesser: Guesser;
  /** the time of the picture; null: nothing of it is given yet */
  #at: Wide | null = null;
  /** All that is given was right from `#from` to `#to`; null: nothing is given. */
  #from: Wide = ANY;
  #to: Wide | null = null;
  readonly #peeked: Peeked[] = [];
  #over = false;

  /** @param picture null: there is none */
  constructor(picture: Picture | null, crowd: Crowd, watch: BodyWatch, guesser: Guesser) {
    this.#picture = picture;
    this.#crowd = crowd;
    this.#watch = watch;
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
    if (picture.over.is) return this.#guesser.giveUp('busy');
    if (this.#guesser.wide) this.#crowd.looks.used(operation);
    if (this.#at === null) {
      this.#at = picture.at;
      if (!this.#add(this.#at, this.#at)) return this.#guesser.giveUp('busy');
    }
    const result = shown.resultAt(this.#at);
    if (result === undefined) this.#guesser.giveUp('busy');
    else settle(operation, result);
  }

  #ask(operation: AnyOperation): void {
    for (const peeked of this.#peeked) if (isSameCallOnRecord(peeked.operation, operation)) return this.#share(peeked, operation);
    this.#watch.began();
    const peeked: Peeked = { operation, value: undefined, waiting: [operation] };
    this.#peeked.push(peeked);
    this.#crowd.of(operation.key).peeks.ask(operation, this.#at ?? ANY, (reply) => this.#onReply(peeked, reply));
  }

  #share({ value, waiting }: Peeked, operation: AnyOperation): void {
    if (value !== undefined) return settle(operation, value);
    this.#watch.began();
    waiting.push(operation);
  }

  /** Nothing is given any more. */
  end(): void {
    this.#over = true;
  }

  #onReply(peeked: Peeked, reply: PeekReply | null): void {
    if (reply?.busy) this.#onHot(peeked);
    if (this.#over) return;
    if (reply === null || reply.busy || this.#picture?.over.is) return this.#guesser.giveUp('busy');
    if (reply.error !== null) return this.#guesser.giveUp('peek failed');
    if (!this.#add(reply.changedAt, reply.at)) {
      this.#onHot(peeked);
      return this.#guesser.giveUp('busy');
    }
    peeked.value = reply.value;
    for (const operation of peeked.waiting) {
      settle(operation, reply.value);
      this.#watch.ended();
    }
    peeked.waiting = [];
  }

  /** A peek could not tell its result: it changes all the time. */
  #onHot({ operation }: Peeked): void {
    if (this.#guesser.wide) this.#crowd.looks.hot(operation);
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
