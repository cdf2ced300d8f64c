import type { HistoryValue } from '@claret/client';
import { sameValue, type Model } from '../model.ts';

/** One value, initially absent. */
export class Register implements Model {
  #value: HistoryValue = null;

  execute(op: string, args: HistoryValue[]): HistoryValue | undefined {
    if (op === 'get') return this.#value;
    if (op === 'compareAndSet') return sameValue(this.#value, args[0]);
    return undefined;
  }

  commit(op: string, args: HistoryValue[], result: HistoryValue | undefined): void {
    if (op === 'set') this.#value = args[0]!;
    if (op === 'compareAndSet' && result === true) this.#value = args[1]!;
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
