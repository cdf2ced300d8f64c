// Order: "does not commute with, and has an earlier timestamp than" and "was acknowledged before the other began" never contradict
// each other. Checked window by window (real-time.ts), during the replay.

import type { Committed, Access } from './committed.ts';
import { eachConflict, type AccessInOrder } from './conflicts.ts';
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
  /** accesses of the window, by record, if the record can have conflicts */
  #accesses = new Map<string, AccessInOrder[]>();
  /** pairs of transactions within windows that do not commute, and were concurrent in real time */
  conflicts = 0;
  /** cycles of the graph that another order explains */
  explained = 0;

  constructor(committed: readonly Committed[]) {
    this.#committed = committed;
    this.#windows = windows(committed).reverse();
    this.#open();
  }

  #open(): void {
    this.#accesses.clear();
    this.#window = this.#windows.pop();
    if (this.#window === undefined) return;
    const accessCounts = new Map<string, { count: number; changes: boolean }>();
    for (const { accesses } of this.#committed.slice(...this.#window)) {
      for (const { record, changes } of accesses) {
        const before = accessCounts.get(record);
        accessCounts.set(record, { count: (before?.count ?? 0) + 1, changes: changes || before?.changes === true });
      }
    }
    for (const [record, { count, changes }] of accessCounts) if (count > 1 && changes) this.#accesses.set(record, []);
  }

  /** Called before the replay runs the access on the model, in timestamp order. */
  before(position: number, access: Access, model: Model): void {
    while (this.#window !== undefined && position >= this.#window[1]) this.#close();
    if (this.#window === undefined || position < this.#window[0]) return;
    const member = position - this.#window[0];
    this.#accesses.get(access.record)?.push({ member, by: this.#committed[position]!, access, before: model.clone() });
  }

  finish(): Violation[] {
    while (this.#window !== undefined) this.#close();
    return this.#violations;
  }

  #close(): void {
    const members = this.#committed.slice(...this.#window!);
    const edges: number[][] = members.map(() => []);
    for (const accesses of this.#accesses.values()) {
      eachConflict(accesses, (earlier, later) => {
        this.conflicts++;
        edges[earlier]!.push(later);
      });
    }
    addRealTime(members, edges);
    const found = components(edges);
    if (found.length > 0) {
      if (explain(members, edges, found, this.#accesses)) this.explained += found.length;
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
  const shared = from.accesses.filter((access) => to.accesses.some(({ record }) => record === access.record));
  const texts = shared.map((access) => {
    const other = to.accesses.find(({ record }) => record === access.record)!;
    return `      ${access.operations.map(callText).join('; ')}\n        is earlier than ${other.operations.map(callText).join('; ')}`;
  });
  return texts.join('\n');
}
