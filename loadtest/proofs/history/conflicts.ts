// Conflicts: which of a record's visits do not commute, as the model has it: both orders are run on the state before the
// earlier one; results or states that differ are a conflict.

import type { Committed, Visit } from './committed.ts';
import { sameValue, type Model } from './model.ts';
import { apply, execute, type Results } from './replay.ts';

export interface VisitInOrder {
  /** node of the graph */
  member: number;
  by: Committed;
  visit: Visit;
  /** the state before it, in timestamp order */
  before: Model;
}

/**
 * For each pair of visits to one record, given in timestamp order: `conflict(earlier, later)` where they do not commute.
 * Pairs that stand in that order in real time too are passed over: the graph has that edge already.
 */
export function eachConflict(visits: readonly VisitInOrder[], conflict: (earlier: number, later: number) => void): void {
  const texts = visits.map(({ visit }) => JSON.stringify(visit.operations.map(({ op, args }) => [op, args])));
  const firstCallNs = new Array<number>(visits.length + 1).fill(Infinity);
  for (let i = visits.length - 1; i >= 0; i--) firstCallNs[i] = Math.min(firstCallNs[i + 1]!, visits[i]!.by.attempt.call);
  visits.forEach((earlier, i) => {
    const { acknowledgedNs } = earlier.by;
    // Many visits of a hot record are alike.
    const known = new Map<string, boolean>();
    let judge: ((later: Visit) => boolean) | null = null;
    for (let j = i + 1; j < visits.length && firstCallNs[j]! <= acknowledgedNs; j++) {
      const later = visits[j]!;
      if (acknowledgedNs < later.by.attempt.call) continue;
      if (!earlier.visit.changes && !later.visit.changes) continue;
      let commute = known.get(texts[j]!);
      if (commute === undefined) {
        judge ??= commutesWith(earlier);
        known.set(texts[j]!, (commute = judge(later.visit)));
      }
      if (!commute) conflict(earlier.member, later.member);
    }
  });
}

function commutesWith({ visit: earlier, before }: VisitInOrder): (later: Visit) => boolean {
  const alone = execute(before, earlier);
  const after = before.clone();
  apply(after, earlier, alone);
  return (later) => {
    const first = execute(before, later);
    const second = execute(after, later);
    if (!sameResults(first, second)) return false;
    if (!later.changes) return true;
    const laterFirst = before.clone();
    apply(laterFirst, later, first);
    const last = execute(laterFirst, earlier);
    if (!sameResults(alone, last)) return false;
    if (!earlier.changes) return true;
    apply(laterFirst, earlier, last);
    const earlierFirst = after.clone();
    apply(earlierFirst, later, second);
    return earlierFirst.equals(laterFirst);
  };
}

function sameResults(a: Results, b: Results): boolean {
  if (a === null || b === null) return a === b;
  return a.every((result, i) => result === b[i] || (typeof result !== 'symbol' && sameValue(result, b[i] as typeof result)));
}
