import type { HistoryValue } from '@claret/client';
import { compareTexts, pageSize, sameValue, type Model } from '../model.ts';

type Entry = [item: string, score: number];

const KEPT = 128;

/** The 128 highest items, each with its greatest score; equal scores are ordered by item. */
export class TopK implements Model {
  #entries: Entry[] = [];

  execute(op: string, args: HistoryValue[]): HistoryValue | undefined {
    if (op === 'max') return this.#entries[0] ?? null;
    if (op === 'top') return this.#entries.slice(0, pageSize(args[0]));
    if (op === 'size') return this.#entries.length;
    return undefined;
  }

  commit(op: string, args: HistoryValue[]): void {
    if (op !== 'add') return;
    const [item, score] = args as Entry;
    const old = this.#entries.find(([other]) => other === item);
    if (old !== undefined && old[1] >= score) return;
    const others = this.#entries.filter((entry) => entry !== old);
    this.#entries = [...others, [item, score] satisfies Entry].sort(([a, x], [b, y]) => y - x || compareTexts(a, b)).slice(0, KEPT);
  }

  clone(): TopK {
    const copy = new TopK();
    copy.#entries = this.#entries;
    return copy;
  }

  equals(other: TopK): boolean {
    return sameValue(this.#entries, other.#entries);
  }
}
