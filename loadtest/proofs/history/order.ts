// Order: "does not commute with, and is earlier than" and "was acknowledged before the other began" never contradict each
// other. Looked at window by window (real-time.ts), while the replay goes on.

import type { Committed, Visit } from './committed.ts';
import { eachConflict, type VisitInOrder } from './conflicts.ts';
import { explain } from './explain.ts';
import { components, cycleThrough } from './graph.ts';
import type { Model } from './model.ts';
import { addRealTime, windows } from './real-time.ts';
import { callText, nameOf, type Violation } from './violation.ts';

export class OrderCheck {
  readonly #committed: readonly Committed[];
  readonly #windows: [first: number, end: number][];
  readonly #violations: Violation[] = [];
  #window: [first: number, end: number] | undefined;
  /** of the window's records that can have conflicts */
  #visits = new Map<string, VisitInOrder[]>();
  /** pairs of transactions that do not commute, and were not one after the other in real time; within windows */
  conflicts = 0;
  /** cycles of the graph that another order explains */
  explained = 0;

  constructor(committed: readonly Committed[]) {
    this.#committed = committed;
    this.#windows = windows(committed).reverse();
    this.#open();
  }

  #open(): void {
    this.#visits.clear();
    this.#window = this.#windows.pop();
    if (this.#window === undefined) return;
    const visitors = new Map<string, { count: number; changes: boolean }>();
    for (const { visits } of this.#committed.slice(...this.#window)) {
      for (const { record, changes } of visits) {
        const before = visitors.get(record);
        visitors.set(record, { count: (before?.count ?? 0) + 1, changes: changes || before?.changes === true });
      }
    }
    for (const [record, { count, changes }] of visitors) if (count > 1 && changes) this.#visits.set(record, []);
  }

  /** The replay is about to run the visit on the model. In timestamp order. */
  before(place: number, visit: Visit, model: Model): void {
    while (this.#window !== undefined && place >= this.#window[1]) this.#close();
    if (this.#window === undefined || place < this.#window[0]) return;
    const member = place - this.#window[0];
    this.#visits.get(visit.record)?.push({ member, by: this.#committed[place]!, visit, before: model.clone() });
  }

  finish(): Violation[] {
    while (this.#window !== undefined) this.#close();
    return this.#violations;
  }

  #close(): void {
    const members = this.#committed.slice(...this.#window!);
    const edges: number[][] = members.map(() => []);
    for (const visits of this.#visits.values()) {
      eachConflict(visits, (earlier, later) => {
        this.conflicts++;
        edges[earlier]!.push(later);
      });
    }
    addRealTime(members, edges);
    const found = components(edges);
    if (found.length > 0) {
      if (explain(members, edges, found, this.#visits)) this.explained += found.length;
      else for (const component of found) this.#violations.push(this.#violation(members, edges, component));
    }
    this.#open();
  }

  #violation(members: readonly Committed[], edges: number[][], component: number[]): Violation {
    const first = Math.min(...component);
    const cycle = cycleThrough(edges, first, new Set(component)).filter((node) => node < members.length);
    const lines = cycle.map((node, i) => {
      const next = cycle[(i + 1) % cycle.length]!;
      return `    ${nameOf(members[node]!)}\n${reason(members[node]!, members[next]!, edges[node]!.includes(next))}`;
    });
    return {
      rule: 'order',
      text: `a cycle of ${cycle.length} transactions:\n${lines.join('\n')}\n    ${nameOf(members[first]!)}`,
      attempts: cycle.map((node) => members[node]!.attempt.id),
    };
  }
}

function reason(from: Committed, to: Committed, conflicts: boolean): string {
  if (!conflicts) return `      was acknowledged at ${from.acknowledgedNs} ns, and at ${to.attempt.call} ns began`;
  const shared = from.visits.filter((visit) => to.visits.some(({ record }) => record === visit.record));
  const texts = shared.map((visit) => {
    const other = to.visits.find(({ record }) => record === visit.record)!;
    return `      ${visit.operations.map(callText).join('; ')}\n        is earlier than ${other.operations.map(callText).join('; ')}`;
  });
  return texts.join('\n');
}
