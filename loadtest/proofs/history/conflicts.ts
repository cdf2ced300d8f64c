// Conflicts: which accesses to a record do not commute, according to the model: both orders are run on the state before the
// earlier access; different results or states are a conflict.

import type { Committed, Access } from './committed.ts';
import { sameValue, type Model } from './model.ts';
import { apply, execute, type Results } from './replay.ts';

export interface AccessInOrder {
  /** node of the graph */
  member: number;
  by: Committed;
  access: Access;
  /** the state before it, in timestamp order */
  before: Model;
}

/**
 * For each pair of accesses to one record, given in timestamp order: calls `conflict(earlier, later)` if they do not commute.
 * Skips pairs that have the same order in real time: the graph already has that edge.
 */
export function eachConflict(accesses: readonly AccessInOrder[], conflict: (earlier: number, later: number) => void): void {
  const texts = accesses.map(({ access }) => JSON.stringify(access.operations.map(({ op, args }) => [op, args])));
  const firstCallNs = new Array<number>(accesses.length + 1).fill(Infinity);
  for (let i = accesses.length - 1; i >= 0; i--) firstCallNs[i] = Math.min(firstCallNs[i + 1]!, accesses[i]!.by.attempt.call);
  accesses.forEach((earlier, i) => {
    const { acknowledgedNs } = earlier.by;
    // Many accesses to a hot record are equal.
    const known = new Map<string, boolean>();
    let judge: ((later: Access) => boolean) | null = null;
    for (let j = i + 1; j < accesses.length && firstCallNs[j]! <= acknowledgedNs; j++) {
      const later = accesses[j]!;
      if (acknowledgedNs < later.by.attempt.call) continue;
      if (!earlier.access.changes && !later.access.changes) continue;
      let commute = known.get(texts[j]!);
      if (commute === undefined) {
        judge ??= commutesWith(earlier);
        known.set(texts[j]!, (commute = judge(later.access)));
      }
      if (!commute) conflict(earlier.member, later.member);
    }
  });
}

function commutesWith({ access: earlier, before }: AccessInOrder): (later: Access) => boolean {
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
