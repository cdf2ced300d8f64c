// Conflicts by pair of transaction labels. Applications can have any number of labels, so only PAIRS_MAX pairs have a series each; all
// others share one.
//
// At each reading the most frequent pairs get the series that are left. A pair keeps its series, and a pair among the others stays there:
// otherwise the total of a series would fall, which Prometheus takes for a restart.
import type { Conflict } from '@claret/core';

export const PAIRS_MAX = 50;
const OTHERS = '(other)';
const NAMELESS = '(none)';

export interface LabelPair {
  /** label of the transaction that held the lock or waited in front */
  holder: string;
  /** label of the transaction that had to wait or was denied */
  comer: string;
  count: number;
}

export class LabelPairs {
  private readonly shown = new Set<string>();

  /** Computes the rows from the current conflict table. */
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
