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
    if (op === 'size') return this.#fields.size;
    if (op === 'put') return this.#count(new Map(args[0] as [string, HistoryValue][]).keys(), false);
    if (op === 'erase') return this.#count(new Set(args[0] as string[]).values(), true);
    if (op === 'putIfAbsent') return !this.#fields.has(args[0] as string);
    if (op === 'increment' || op === 'incrementAndGet') withOwn(this as Dict, own).#sum(args);
    return op === 'incrementAndGet' ? this.#sum(args) : undefined;
  }

  #count(fields: Iterable<string>, areThere: boolean): number {
    return [...fields].filter((field) => this.#fields.has(field) === areThere).length;
  }

  #sum([field, n]: HistoryValue[]): HistoryValue {
    const before = this.#fields.get(field as string) ?? 0;
    if (!isInteger(before)) throw new Refusal('not an integer');
    const sum = integerOf(before) + integerOf(n);
    checkRange(sum);
    return valueOf(sum);
  }

  commit(op: string, args: HistoryValue[], result: HistoryValue | undefined): void {
    if (op === 'set' || op === 'put') for (const [field, value] of args[0] as [string, HistoryValue][]) this.#fields.set(field, value);
    if (op === 'remove' || op === 'erase') for (const field of args[0] as string[]) this.#fields.delete(field);
    if (op === 'putIfAbsent' && result === true) this.#fields.set(args[0] as string, args[1]!);
    if (op === 'increment' || op === 'incrementAndGet') this.#fields.set(args[0] as string, this.#sum(args));
  }

  clone(): Dict {
    return new Dict(this.#fields);
  }

  equals(other: Dict): boolean {
    return sameMaps(this.#fields, other.#fields, sameValue);
  }
}
