// Explain: looks for an order of a window's transactions that yields all of their results, and in which each transaction
// precedes all that began after its acknowledgement. If there is one, the window is strictly serializable, whatever its graph
// says.
//
// The graph judges two accesses only on the state before the earlier one. So it blames the first of two adds of x for the result
// of a later `size`, although the second add suffices: a spurious edge, and possibly a spurious cycle. Here conflicts among the
// transactions of a cycle do not count, only their results.

import type { Committed } from './committed.ts';
import type { AccessInOrder } from './conflicts.ts';
import type { Model } from './model.ts';
import { apply, execute, wereSeen } from './replay.ts';

/** The number of transactions tried before the search is given up. */
const STEPS_MAX = 50_000;

/** `edges`: of the graph, with real time through nodes after the members. `cyclic`: its strongly connected components. */
export function explain(
  members: readonly Committed[],
  edges: readonly number[][],
  cyclic: readonly number[][],
  contested: ReadonlyMap<string, AccessInOrder[]>,
): boolean {
  return new Search(members, edges, cyclic, contested).run();
}

class Search {
  readonly #members: readonly Committed[];
  readonly #edges: readonly number[][];
  readonly #isCyclic: boolean[];
  readonly #states = new Map<string, Model>();
  readonly #goal = new Map<string, Model>();
  /** for each node, the number of nodes that must still come before it */
  readonly #due: number[];
  readonly #ready = new Set<number>();
  #left: number;
  #steps = 0;

  constructor(
    members: readonly Committed[],
    edges: readonly number[][],
    cyclic: readonly number[][],
    contested: ReadonlyMap<string, AccessInOrder[]>,
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
    for (const [record, accesses] of contested) {
      this.#states.set(record, accesses[0]!.before);
      this.#goal.set(record, endOf(accesses.at(-1)!));
    }
  }

  /** Places all nodes that can come next and are in no cycle; of the others, tries each that can come next, by timestamp. */
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

  /** Places the node next. Returns a function that undoes this; null if the node's results would be wrong. */
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

  /** The records that the transaction changes, with their new states. */
  #step({ accesses }: Committed): [string, Model][] | null {
    const changed: [string, Model][] = [];
    for (const access of accesses) {
      const model = this.#states.get(access.record);
      // No other transaction of the window changes it.
      if (model === undefined) continue;
      const results = execute(model, access);
      if (!wereSeen(access, results)) return null;
      if (!access.changes) continue;
      const after = model.clone();
      apply(after, access, results);
      changed.push([access.record, after]);
    }
    return changed;
  }
}

function endOf({ before, access }: AccessInOrder): Model {
  const end = before.clone();
  apply(end, access, execute(before, access));
  return end;
}
