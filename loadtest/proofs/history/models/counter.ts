import type { HistoryValue } from '@claret/client';
import { checkRange, integerOf, valueOf, withOwn, type Model, type Step } from '../model.ts';

/** A 64-bit integer, initially 0. */
export class Counter implements Model {
  #value = 0n;

  execute(op: string, args: HistoryValue[], own: readonly Step[]): HistoryValue | undefined {
    if (op === 'value') return valueOf(this.#value);
    checkRange(withOwn(this as Counter, own).#value + integerOf(args[0]));
    return undefined;
  }

  commit(op: string, args: HistoryValue[]): void {
    if (op === 'add') this.#value += integerOf(args[0]);
  }

  clone(): Counter {
    const copy = new Counter();
    copy.#value = this.#value;
    return copy;
  }

  equals(other: Counter): boolean {
    return this.#value === other.#value;
  }
}
