import type { HistoryValue } from '@claret/client';
import { checkRange, integerOf, isInteger, Refusal, sameValue, valueOf, withOwn, type Model, type Step } from '../model.ts';

/** One value, initially absent. */
export class Register implements Model {
  #value: HistoryValue = null;

  execute(op: string, args: HistoryValue[], own: readonly Step[]): HistoryValue | undefined {
    if (op === 'get') return this.#value;
    if (op === 'compareAndSet') return sameValue(this.#value, args[0]);
    if (op === 'exchange') return this.#value;
    if (op !== 'incrementAndGet') return undefined;
    withOwn(this as Register, own).#sum(args[0]);
    return this.#sum(args[0]);
  }

  #sum(n: HistoryValue | undefined): HistoryValue {
    const before = this.#value ?? 0;
    if (!isInteger(before)) throw new Refusal('not an integer');
    const sum = integerOf(before) + integerOf(n);
    checkRange(sum);
    return valueOf(sum);
  }

  commit(op: string, args: HistoryValue[], result: HistoryValue | undefined): void {
    if (op === 'set' || op === 'exchange') this.#value = args[0]!;
    if (op === 'compareAndSet' && result === true) this.#value = args[1]!;
    if (op === 'incrementAndGet') this.#value = this.#sum(args[0]);
  }

  clone(): Register {
    const copy = new Register();
    copy.#value = this.#value;
    return copy;
  }

  equals(other: Register): boolean {
    return sameValue(this.#value, other.#value);
  }
}
