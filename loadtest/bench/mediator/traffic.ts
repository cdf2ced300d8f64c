// Traffic: a mix of natives and transactions with exact shares (Mediator, section 5.1). Every operation reads one of the counters or
// adds 1 to it. The traffic is drawn by a seed before it is sent and then repeated, so that drawing costs the client nothing, and
// all ways of sending it send the same.

import { descriptions, type Description } from '@claret/client';
import { Zipf } from '../../workloads/zipf.ts';

export interface Shares {
  /** share of natives among all operations, 0 to 1 */
  natives: number;
  /** share of reads among the natives, and among the operations of transactions, 0 to 1 in whole percent */
  reads: number;
  /** transactions have 1 to `size` operations, all sizes alike */
  size: number;
  /** skew of the records, a Zipf distribution's exponent; 0: uniform */
  alpha: number;
}

export interface Step {
  operation: Description<unknown>;
  reads: boolean;
}

/** A native, or a transaction. */
export interface Item {
  isNative: boolean;
  steps: readonly Step[];
  /** the numbers of the counters to which it adds */
  addsTo: readonly number[];
}

export const RECORDS = 10_000;
/** Drawn before the traffic repeats. */
const OPERATIONS = 1 << 15;
const KEYS = Array.from({ length: RECORDS }, (_, number) => `mediator:${number}`);

const counterNumber = (number: number) => descriptions.counter(KEYS[number]!);

export const valueOf = (number: number) => counterNumber(number).value();

export class Traffic {
  readonly items: readonly Item[];
  #next = 0;

  constructor(shares: Shares, random: () => number) {
    this.items = itemsOf(shares, random);
  }

  next(): Item {
    const item = this.items[this.#next]!;
    this.#next = this.#next + 1 === this.items.length ? 0 : this.#next + 1;
    return item;
  }
}

function itemsOf({ natives: share, reads, size, alpha }: Shares, random: () => number): Item[] {
  const zipf = new Zipf(RECORDS, alpha);
  const [nativeReads, transactionReads] = [new Deck(reads, random), new Deck(reads, random)];
  const items: Item[] = [];
  let natives = 0;
  let operations = 0;
  while (operations < OPERATIONS) {
    // The share of natives is exact at every moment, up to one transaction.
    const isNative = natives < share * (operations + 1);
    const count = isNative ? 1 : 1 + Math.floor(random() * size);
    const item = itemOf(isNative, count, isNative ? nativeReads : transactionReads, () => zipf.draw(random()));
    items.push(item);
    operations += count;
    if (isNative) natives++;
  }
  return items;
}

function itemOf(isNative: boolean, count: number, deck: Deck, draw: () => number): Item {
  const addsTo: number[] = [];
  const steps = Array.from({ length: count }, (): Step => {
    const [number, reads] = [draw(), deck.draw()];
    const counter = counterNumber(number);
    if (!reads) addsTo.push(number);
    return { reads, operation: reads ? counter.value() : counter.add(1) };
  });
  return { isNative, steps, addsTo };
}

/** A hundred cards, shuffled again whenever all have been drawn: a share in whole percent is exact over them. */
class Deck {
  readonly #cards: boolean[];
  readonly #random: () => number;
  #at: number;

  constructor(share: number, random: () => number) {
    const yes = Math.round(100 * share);
    this.#cards = Array.from({ length: 100 }, (_, card) => card < yes);
    this.#random = random;
    this.#at = this.#cards.length;
  }

  draw(): boolean {
    if (this.#at === this.#cards.length) this.#shuffle();
    return this.#cards[this.#at++]!;
  }

  #shuffle(): void {
    const cards = this.#cards;
    for (let last = cards.length - 1; last > 0; last--) {
      const other = Math.floor(this.#random() * (last + 1));
      [cards[last], cards[other]] = [cards[other]!, cards[last]!];
    }
    this.#at = 0;
  }
}
