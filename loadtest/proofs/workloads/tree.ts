// Nested sums as computations: a sum is made of the sums of its two halves, down to counters on all shards. Transactions add to a counter, or
// move an amount from one to another one. So a sum that is stale, or made of parts of two times, is one that no order of the transactions gives:
// each value has to lie between what was added for certain before the call, and all that may have been added until the return. Bodies compare a
// sum with the counters themselves.
import { ClaretError, type Claret, type Computation } from '@claret/client';
import type { Chance } from '../../kit/random.ts';
import { Deliberate, type Running, type Workload } from './workload.ts';

const LEAVES = 8;
const SUM_SHARE = 0.75;
const TOTAL_SHARE = 0.4;
const AMOUNT_MAX = 9;

/** The counters from `first` up to `end`. */
type Range = readonly [first: number, end: number];
type Sum = Computation<Range, number>;

const ALL: Range = [0, LEAVES];
const isIn = ([first, end]: Range, leaf: number): boolean => first <= leaf && leaf < end;
const halvesOf = ([first, end]: Range): Range[] => {
  const middle = (first + end) / 2;
  return [
    [first, middle],
    [middle, end],
  ];
};
const rangesBelow = (range: Range): Range[] =>
  range[1] - range[0] === 1 ? [range] : [range, ...halvesOf(range).flatMap((half) => rangesBelow(half))];
const RANGES = rangesBelow(ALL);
const keyOf = (leaf: number) => `tree:${leaf}`;

function sumOf(claret: Claret): Sum {
  const sum: Sum = claret.computation('Sum', { strict: false }, async (read, first: number, end: number): Promise<number> => {
    if (end - first === 1) return Number(await read.counter(keyOf(first)).value());
    const parts = await Promise.all(halvesOf([first, end]).map((half) => read.call(sum, ...half)));
    return parts.reduce((one, other) => one + other);
  });
  return sum;
}

/** Invented by a body. */
class Unequal extends Deliberate {}

/** What was added to a range of counters: for certain, and perhaps. */
class Added {
  readonly #range: Range;
  /** of additions, and of subtractions */
  #certain = { more: 0, less: 0 };
  #possible = { more: 0, less: 0 };

  constructor(range: Range) {
    this.#range = range;
  }

  /** Returns what to do when it is known whether it was done. */
  begin(adds: readonly Add[]): (isDone: boolean) => void {
    const amount = adds.filter(({ leaf }) => isIn(this.#range, leaf)).reduce((sum, one) => sum + one.amount, 0);
    const count = (to: { more: number; less: number }, by: number) => {
      if (amount > 0) to.more += by * amount;
      else to.less += by * amount;
    };
    count(this.#possible, 1);
    return (isDone) => (isDone ? count(this.#certain, 1) : count(this.#possible, -1));
  }

  /** Call before a value is asked for. What is returned tells whether one fits that has been given. */
  look(): (value: number) => string | null {
    const { more, less } = this.#certain;
    return (value) => {
      const [least, most] = [more + this.#possible.less, this.#possible.more + less];
      return value >= least && value <= most
        ? null
        : `the counters from ${this.#range.join(' to ')} hold ${least} to ${most}, not ${value}`;
    };
  }
}

interface Add {
  leaf: number;
  amount: number;
}

class Tree implements Running {
  readonly #sums = new WeakMap<Claret, Sum>();
  readonly #added = new Map(RANGES.map((range) => [String(range), new Added(range)]));
  readonly #wrong: string[] = [];

  async run(claret: Claret, chance: Chance): Promise<unknown> {
    const sum = this.#sumsOf(claret);
    const range = chance.happens(TOTAL_SHARE) ? ALL : chance.pick(RANGES);
    if (chance.happens(SUM_SHARE)) return this.#judged(range, () => sum.get(...range));
    const amount = 1 + chance.below(AMOUNT_MAX);
    const [leaf, other] = [chance.below(LEAVES), chance.below(LEAVES)];
    const adds = chance.happens(0.5)
      ? [{ leaf, amount }]
      : [leaf, other].map((one, i) => ({ leaf: one, amount: i === 0 ? amount : -amount }));
    if (chance.happens(0.5)) {
      return this.#counted(adds, () =>
        claret.transact(
          'Add',
          adds.map((one) => claret.on.counter(keyOf(one.leaf)).add(one.amount)),
        ),
      );
    }
    return this.#judged(range, () => this.#counted(adds, () => this.#addAfterSum(claret, sum, range, adds, chance.happens(0.5))));
  }

  #sumsOf(claret: Claret): Sum {
    let sum = this.#sums.get(claret);
    if (sum === undefined) this.#sums.set(claret, (sum = sumOf(claret)));
    return sum;
  }

  /** Returns the sum of the range as it was before. */
  async #addAfterSum(claret: Claret, sum: Sum, range: Range, adds: readonly Add[], looksFirst: boolean): Promise<number> {
    const leaves = Array.from({ length: range[1] - range[0] }, (_, i) => keyOf(range[0] + i));
    try {
      return await claret.transaction('Add', async (tx) => {
        let counted = 0;
        const count = async () => {
          const counts = await Promise.all(leaves.map((key) => tx.counter(key).value()));
          counted = counts.map(Number).reduce((one, other) => one + other);
        };
        if (looksFirst) await count();
        const value = await tx.call(sum, ...range);
        if (!looksFirst) await count();
        if (value !== counted) throw new Unequal(`the counters from ${range.join(' to ')} hold ${counted}, and their sum is ${value}`);
        for (const { leaf, amount } of adds) await tx.counter(keyOf(leaf)).add(amount);
        return value;
      });
    } catch (error) {
      if (error instanceof Unequal) this.#wrong.push(error.message);
      throw error;
    }
  }

  /** Does something that ends with the sum of the range, as it was at some moment in between. */
  async #judged(range: Range, give: () => Promise<number>): Promise<number> {
    const fits = this.#added.get(String(range))!.look();
    const value = await give();
    const wrong = fits(value);
    if (wrong !== null) this.#wrong.push(wrong);
    return value;
  }

  async #counted<Result>(adds: readonly Add[], change: () => Promise<Result>): Promise<Result> {
    const begun = [...this.#added.values()].map((added) => added.begin(adds));
    const end = (isDone: boolean) => begun.forEach((settle) => settle(isDone));
    try {
      const result = await change();
      end(true);
      return result;
    } catch (error) {
      const state = error instanceof ClaretError ? error.commitState : 'none';
      if (state !== 'unknown') end(state === 'applied');
      throw error;
    }
  }

  judge() {
    return this.#wrong.map((text) => ({ rule: 'sum', text }));
  }
}

export const tree: Workload = {
  name: 'tree',
  warranted: true,
  appServersLeast: 2,
  conditions: { combining: 'off' },
  begin: () => new Tree(),
};
