// Conflicts by pair of transaction labels, of which applications may have any number: PAIRS_MAX pairs have a series each, all
// others share one.
//
// The most frequent at each reading get what series are left. A pair that has one keeps it, and one among the others stays
// there: else a total would fall, which Prometheus takes for a restart.
import type { Conflict } from '@claret/core';

export const PAIRS_MAX = 50;
const OTHERS = '(other)';
const NAMELESS = '(none)';

export interface LabelPair {
  /** of the transaction that held, or waited in front */
  holder: string;
  /** of the one that had to wait, or was denied */
  comer: string;
  count: number;
}

export class LabelPairs {
  private readonly shown = new Set<string>();

  /** Of the whole conflict table, as it is now. */
  read(conflicts: Conflict[]): LabelPair[] {
    const sums = sumByLabels(conflicts);
    for (const [key] of sums) {
      if (this.shown.size >= PAIRS_MAX) break;
      this.shown.add(key);
    }
    const others = { holder: OTHERS, comer: OTHERS, count: 0 };
    const rows: LabelPair[] = [];
    for (const [key, pair] of sums) {
      if (this.shown.has(key)) rows.push(pair);
      else others.count += pair.count;
    }
    return [...rows, others];
  }
}

/** Most frequent first. */
function sumByLabels(conflicts: Conflict[]): [string, LabelPair][] {
  const sums = new Map<string, LabelPair>();
  for (const { holderLabel, comerLabel, count } of conflicts) {
    const [holder, comer] = [holderLabel || NAMELESS, comerLabel || NAMELESS];
    const key = JSON.stringify([holder, comer]);
    const pair = sums.get(key) ?? { holder, comer, count: 0 };
    pair.count += count;
    sums.set(key, pair);
  }
  return [...sums].sort(([, a], [, b]) => b.count - a.count);
}
