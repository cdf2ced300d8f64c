import type { HistoryValue } from '@claret/client';
import { checkRange, integerOf, isInteger, Refusal, sameMaps, sameValue, valueOf, withOwn, type Model, type Step } from '../model.ts';

/** Field -> value. */
export class Dict implements Model {
  readonly #fields: Map<string, HistoryValue>;

  constructor(fields?: Map<string, HistoryValue>) {
    this.#fields = new Map(fields);
  }

  execute(op: string, args: HistoryValue[], own: readonly Step[]): HistoryValue | undefined {
    if (op === 'get') return (args[0] as string[]).map((field) => this.#fields.get(field) ?? null);
    if (op === 'all') return [...this.#fields].sort(([a], [b]) => (a < b ? -1 : 1));
    if (op === 'increment') {
      const before = withOwn(this as Dict, own).#fields.get(args[0] as string) ?? 0;
      if (!isInteger(before)) throw new Refusal('not an integer');
      checkRange(integerOf(before) + integerOf(args[1]));
    }
    return undefined;
  }

  commit(op: string, args: HistoryValue[]): void {
    if (op === 'set') for (const [field, value] of args[0] as [string, HistoryValue][]) this.#fields.set(field, value);
    if (op === 'remove') for (const field of args[0] as string[]) this.#fields.delete(field);
    if (op === 'increment') {
      const field = args[0] as string;
      this.#fields.set(field, valueOf(integerOf(this.#fields.get(field) ?? 0) + integerOf(args[1])));
    }
  }

  clone(): Dict {
    return new Dict(this.#fields);
  }

  equals(other: Dict): boolean {
    return sameMaps(this.#fields, other.#fields, sameValue);
  }
}
