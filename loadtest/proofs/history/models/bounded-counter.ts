import type { HistoryValue } from '@claret/client';
import { checkRange, integerOf, Refusal, valueOf, withOwn, type Model, type Step } from '../model.ts';

/** An integer that never falls below 0, its initial value. It is judged including the transaction's own changes. */
export class BoundedCounter implements Model {
  #value = 0n;

  execute(op: string, args: HistoryValue[], own: readonly Step[]): HistoryValue | undefined {
    if (op === 'value') return valueOf(this.#value);
    const n = integerOf(args[0]);
    if (op === 'atLeast') return this.#value >= n;
    if (n < 0n) throw new Refusal('n is negative');
    const value = withOwn(this as BoundedCounter, own).#value;
    if (op === 'tryDecrement') return value >= n;
    if (op === 'decrement' && value < n) throw new Refusal('below bound');
    if (op === 'increment') checkRange(value + n);
    return undefined;
  }

  commit(op: string, args: HistoryValue[], result: HistoryValue | undefined): void {
    if (op === 'increment') this.#value += integerOf(args[0]);
    if (op === 'decrement' || (op === 'tryDecrement' && result === true)) this.#value -= integerOf(args[0]);
  }

  clone(): BoundedCounter {
    const copy = new BoundedCounter();
    copy.#value = this.#value;
    return copy;
  }

  equals(other: BoundedCounter): boolean {
    return this.#value === other.#value;
  }
}
