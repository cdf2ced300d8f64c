// Real time: "was acknowledged before the other began", without comparing all pairs.

import type { Committed } from './committed.ts';

/**
 * Cuts the transactions, in timestamp order, wherever no transaction after the cut was acknowledged before one in front of it
 * began. Edges between neighbours then point forward only, whether they come from conflicts or from real time: no cycle spans a
 * cut. Returns the windows with two or more transactions, as [first, end).
 */
export function windows(committed: readonly Committed[]): [first: number, end: number][] {
  const firstAcknowledgedNs = new Array<number>(committed.length + 1).fill(Infinity);
  for (let i = committed.length - 1; i >= 0; i--) {
    firstAcknowledgedNs[i] = Math.min(firstAcknowledgedNs[i + 1]!, committed[i]!.acknowledgedNs);
  }
  const found: [number, number][] = [];
  let first = 0;
  let lastCallNs = -Infinity;
  committed.forEach(({ attempt }, i) => {
    lastCallNs = Math.max(lastCallNs, attempt.call);
    if (firstAcknowledgedNs[i + 1]! < lastCallNs) return;
    if (i > first) found.push([first, i + 1]);
    first = i + 1;
    lastCallNs = -Infinity;
  });
  return found;
}

/**
 * Adds the edges of real time among `members` (nodes 0, 1, 2, …) to `edges`, through an additional node for each: these form a
 * chain in the order of acknowledgement, which leads from every acknowledged transaction to all that began later.
 */
export function addRealTime(members: readonly Committed[], edges: number[][]): void {
  const count = members.length;
  const byEnd = members.map((_, i) => i).filter((i) => members[i]!.acknowledgedNs < Infinity);
  byEnd.sort((a, b) => members[a]!.acknowledgedNs - members[b]!.acknowledgedNs);
  byEnd.forEach((member, i) => {
    edges[member]!.push(count + i);
    edges[count + i] = i + 1 < byEnd.length ? [count + i + 1] : [];
  });
  const byCall = members.map((_, i) => i).sort((a, b) => members[a]!.attempt.call - members[b]!.attempt.call);
  let ended = 0;
  for (const member of byCall) {
    while (ended < byEnd.length && members[byEnd[ended]!]!.acknowledgedNs < members[member]!.attempt.call) ended++;
    if (ended > 0) edges[count + ended - 1]!.push(member);
  }
}
