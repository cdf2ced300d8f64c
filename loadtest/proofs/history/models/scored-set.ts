import type { HistoryValue } from '@claret/client';
import { checkRange, compareTexts, integerOf, pageSize, sameMaps, valueOf, withOwn, type Model, type Step } from '../model.ts';

type Entry = [item: string, score: bigint];

const ITEMS_MAX = 1000n;

/** Item -> integer score; ranked by score, ascending, then by item. */
export class ScoredSet implements Model {
  readonly #scores: Map<string, bigint>;
  /** null: must be sorted again */
  #ranked: Entry[] | null = null;

  constructor(scores?: Map<string, bigint>) {
    this.#scores = new Map(scores);
  }

  execute(op: string, args: HistoryValue[], own: readonly Step[]): HistoryValue | undefined {
    const score = this.#scores.get(args[0] as string);
    switch (op) {
      case 'increment':
        checkRange((withOwn(this as ScoredSet, own).#scores.get(args[0] as string) ?? 0n) + integerOf(args[1]));
        return undefined;
      case 'score':
        return score === undefined ? null : valueOf(score);
      case 'rank':
        return score === undefined ? null : this.#ranking().findIndex(([item]) => item === args[0]);
      case 'range':
        return listed(this.#range(integerOf(args[0]), integerOf(args[1])));
      case 'rangeByScore':
        return listed(this.#rangeByScore(args));
      case 'size':
        return this.#scores.size;
      default:
        return undefined;
    }
  }

  #ranking(): Entry[] {
    return (this.#ranked ??= [...this.#scores].sort(([a, x], [b, y]) => (x === y ? compareTexts(a, b) : x < y ? -1 : 1)));
  }

  #range(start: bigint, stop: bigint): Entry[] {
    const size = BigInt(this.#scores.size);
    const first = start >= 0n ? start : start + size > 0n ? start + size : 0n;
    const last = stop >= 0n ? stop : stop + size;
    return this.#ranking().filter((_, i) => i >= first && i <= last && i < first + ITEMS_MAX);
  }

  #rangeByScore([min, max, limit, after]: HistoryValue[]): Entry[] {
    const [least, greatest] = [integerOf(min), integerOf(max)];
    const follows = ([item, score]: Entry) => after === null || score > least || compareTexts(item, after as string) > 0;
    const within = this.#ranking().filter((entry) => entry[1] >= least && entry[1] <= greatest && follows(entry));
    return within.slice(0, pageSize(limit));
  }

  commit(op: string, args: HistoryValue[]): void {
    const item = args[0] as string;
    if (op === 'add') this.#scores.set(item, integerOf(args[1]));
    else if (op === 'increment') this.#scores.set(item, (this.#scores.get(item) ?? 0n) + integerOf(args[1]));
    else if (op === 'remove') this.#scores.delete(item);
    else return;
    this.#ranked = null;
  }

  clone(): ScoredSet {
    return new ScoredSet(this.#scores);
  }

  equals(other: ScoredSet): boolean {
    return sameMaps(this.#scores, other.#scores, (a, b) => a === b);
  }
}

const listed = (entries: Entry[]): HistoryValue => entries.map(([item, score]) => [item, valueOf(score)]);
