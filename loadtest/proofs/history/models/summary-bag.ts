import type { HistoryValue } from '@claret/client';
import { integerOf, Refusal, valueOf, type Model } from '../model.ts';

const EXACT_MAX = 2n ** 53n;

/** A bag of integers that keeps only their exact summary. */
export class SummaryBag implements Model {
  #count = 0n;
  #sum = 0n;
  #squares = 0n;
  #min = 0n;
  #max = 0n;

  execute(op: string, args: HistoryValue[]): HistoryValue | undefined {
    if (op === 'add') {
      const x = integerOf(args[0]);
      if (x < -EXACT_MAX || x > EXACT_MAX) throw new Refusal('out of range');
      return undefined;
    }
    if (op === 'count') return valueOf(this.#count);
    if (this.#count === 0n) return null;
    if (op === 'min') return valueOf(this.#min);
    if (op === 'max') return valueOf(this.#max);
    const [n, sum] = [this.#count, this.#sum];
    const [whole, fraction] = [sum / n, Number(sum % n) / Number(n)];
    if (op === 'mean') return unsigned(Number(whole) + fraction);
    // Relative to the integer part of the mean, so that only small numbers are rounded.
    const deviations = this.#squares - 2n * whole * sum + n * whole * whole;
    return Math.max(0, rounded(deviations) / Number(n) - fraction * fraction);
  }

  commit(op: string, args: HistoryValue[]): void {
    if (op !== 'add') return;
    const x = integerOf(args[0]);
    this.#min = this.#count === 0n || x < this.#min ? x : this.#min;
    this.#max = this.#count === 0n || x > this.#max ? x : this.#max;
    this.#count += 1n;
    this.#sum += x;
    this.#squares += x * x;
  }

  clone(): SummaryBag {
    const copy = new SummaryBag();
    copy.#count = this.#count;
    copy.#sum = this.#sum;
    copy.#squares = this.#squares;
    copy.#min = this.#min;
    copy.#max = this.#max;
    return copy;
  }

  equals(other: SummaryBag): boolean {
    const [a, b] = [this as SummaryBag, other];
    return a.#count === b.#count && a.#sum === b.#sum && a.#squares === b.#squares && a.#min === b.#min && a.#max === b.#max;
  }
}

/** Histories have no negative zero. */
const unsigned = (number: number): number => (number === 0 ? 0 : number);

/** Beyond 53 bits the type may round in any deterministic way: here, 64 bits at a time. REQUIRES: not negative. */
function rounded(integer: bigint): number {
  const bits64 = (shift: bigint) => Number(BigInt.asUintN(64, integer >> shift));
  return bits64(128n) * 2 ** 128 + bits64(64n) * 2 ** 64 + bits64(0n);
}
