// Explain: looks for an order of a window's transactions in which each transaction sees what it saw, and in which a transaction
// comes before all that began after its acknowledgement. If there is one, the window is strictly serializable, whatever its graph
// says.
//
// The graph judges two visits on the state before the earlier one alone. So it blames the first of two adds of x for the result
// of a later `size`, although the second would have done: an edge too many, and with it perhaps a false cycle. Here the conflicts
// among the transactions of a cycle do not count, only the result that each of them saw.

import type { HistoryValue } from '@claret/client';
import type { Committed } from './committed.ts';
import type { VisitInOrder } from './conflicts.ts';
import { FRESH, sameValue, type Model } from './model.ts';
import { apply, execute } from './replay.ts';

/** Transactions tried before the search is given up. */
const STEPS_MAX = 50_000;

/** `edges`: of the graph, real time through nodes behind the members. `cyclic`: its strong components. */
export function explain(
  members: readonly Committed[],
  edges: readonly number[][],
  cyclic: readonly number[][],
  contested: ReadonlyMap<string, VisitInOrder[]>,
): boolean {
  return new Search(members, edges, cyclic, contested).run();
}

class Search {
  readonly #members: readonly Committed[];
  readonly #edges: readonly number[][];
  readonly #isCyclic: boolean[];
  readonly #states = new Map<string, Model>();
  readonly #goal = new Map<string, Model>();
  /** of each node, how many must still come before it */
  readonly #due: number[];
  readonly #ready = new Set<number>();
  #left: number;
  #steps = 0;

  constructor(
    members: readonly Committed[],
    edges: readonly number[][],
    cyclic: readonly number[][],
    contested: ReadonlyMap<string, VisitInOrder[]>,
  ) {
    this.#members = members;
    const component = new Array<number>(edges.length).fill(-1);
    cyclic.forEach((nodes, i) => nodes.forEach((node) => (component[node] = i)));
    this.#isCyclic = component.map((i, node) => i >= 0 && node < members.length);
    const counts = (from: number, to: number) => !(this.#isCyclic[from] && this.#isCyclic[to] && component[from] === component[to]);
    this.#edges = edges.map((successors, from) => successors.filter((to) => counts(from, to)));
    this.#due = new Array<number>(edges.length).fill(0);
    for (const successors of this.#edges) for (const to of successors) this.#due[to]!++;
    this.#due.forEach((due, node) => due === 0 && this.#ready.add(node));
    this.#left = edges.length;
    for (const [record, visits] of contested) {
      this.#states.set(record, visits[0]!.before);
      this.#goal.set(record, endOf(visits.at(-1)!));
    }
  }

  /** Puts down whoever can come and is in no cycle; of the others, tries each that can come next, by timestamp. */
  run(): boolean {
    const undo: (() => void)[] = [];
    const failed = () => {
      for (const back of undo.reverse()) back();
      return false;
    };
    for (let node = this.#nextSure(); node !== undefined; node = this.#nextSure()) {
      const back = this.#put(node);
      if (back === null) return failed();
      undo.push(back);
    }
    if (this.#left === 0) {
      return [...this.#goal].every(([record, model]) => this.#states.get(record)!.equals(model)) || failed();
    }
    for (const node of [...this.#ready].sort((a, b) => a - b)) {
      const back = this.#put(node);
      if (back === null) continue;
      if (this.run()) return true;
      back();
    }
    return failed();
  }

  #nextSure(): number | undefined {
    let least: number | undefined;
    for (const node of this.#ready) if (!this.#isCyclic[node] && (least === undefined || node < least)) least = node;
    return least;
  }

  /** The node comes next. Gives what takes it back; null where it would not see what it saw. */
  #put(node: number): (() => void) | null {
    if (++this.#steps > STEPS_MAX) return null;
    const changed = node < this.#members.length ? this.#step(this.#members[node]!) : [];
    if (changed === null) return null;
    const before = changed.map(([record]) => [record, this.#states.get(record)!] as const);
    for (const [record, model] of changed) this.#states.set(record, model);
    this.#ready.delete(node);
    this.#left--;
    for (const to of this.#edges[node]!) if (--this.#due[to]! === 0) this.#ready.add(to);
    return () => {
      for (const to of this.#edges[node]!) if (this.#due[to]!++ === 0) this.#ready.delete(to);
      this.#left++;
      this.#ready.add(node);
      for (const [record, model] of before) this.#states.set(record, model);
    };
  }

  /** The records that the transaction changes, as it leaves them. */
  #step({ visits }: Committed): [string, Model][] | null {
    const changed: [string, Model][] = [];
    for (const visit of visits) {
      const model = this.#states.get(visit.record);
      // Nobody else of the window changes it.
      if (model === undefined) continue;
      const results = execute(model, visit);
      if (results === null || !visit.operations.every(({ result }, i) => isSeen(result, results[i]))) return null;
      if (!visit.changes) continue;
      const after = model.clone();
      apply(after, visit, results);
      changed.push([visit.record, after]);
    }
    return changed;
  }
}

function endOf({ before, visit }: VisitInOrder): Model {
  const end = before.clone();
  apply(end, visit, execute(before, visit));
  return end;
}

const isSeen = (seen: HistoryValue | undefined, result: HistoryValue | undefined | typeof FRESH): boolean =>
  seen === undefined || result === FRESH || sameValue(seen, result);
