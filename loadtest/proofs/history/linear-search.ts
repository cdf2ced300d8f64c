// LinearSearch: looks for an order of the accesses to one record that gives the results that were seen, and in which each access
// precedes all that began after it was acknowledged. It is the search of Wing and Gong ("Testing and verifying concurrent objects",
// 1993) with the memory of Lowe ("Testing for linearizability", 2017): the same accesses done with the same state are tried once.
//
// An observing access whose results fit the state is placed as soon as it can be: that excludes no order of the others. So only
// accesses that may change the record are tried one after another. An optional one can come at any time, or not at all, so it is placed only
// where the next access depends on it: it is not tried where the next change would overwrite it, or could as well
// precede it.

import type { Access } from './committed.ts';
import type { Model } from './model.ts';
import { apply, execute, wereSeen } from './replay.ts';

/** All that one transaction, or one native, did on the record: a single step. */
export interface Visit {
  readonly access: Access;
  /** its process and label, for explanations */
  readonly by: string;
  readonly callNs: number;
  /** when it was acknowledged; Infinity: it never was */
  readonly endNs: number;
  /** it may have had no effect at all */
  readonly isOptional: boolean;
  /** the number of a visit that must come before it, whatever the times; null: none */
  readonly after: number | null;
  /** a guess of its place in the order; it decides only what is tried first */
  readonly guess: bigint;
}

/** What several searches may try together: a run of an access on a model is one step. Steps make a verdict reproducible. */
export interface Budget {
  steps: number;
}

/** `stuck`: there is no order; it tells the point from which the search came no further. */
export type Found = { kind: 'order' } | { kind: 'undecided' } | { kind: 'stuck'; placed: number; next: readonly Visit[] };

interface Frame {
  readonly state: Model;
  /** observing visits placed in this state */
  readonly observed: readonly number[];
  readonly candidates: readonly number[];
  tried: number;
  /** an optional visit that led here and has not been observed, with the state before it, and how many such came one after another */
  readonly unused: { visit: number; before: Model; count: number } | null;
  /** the candidate placed next; null: none */
  placed: number | null;
  /** one more than the greatest number placed before that */
  readonly reach: number;
}

interface Pass {
  /** how many optional visits may come one after another without an observation */
  readonly unusedMax: number;
  readonly isGuided: boolean;
  /** of the steps that are left */
  readonly share: number;
}

/** Few unused visits are likely, and many take long to try. Only the last pass can say that there is no order, unless none was left out. */
const PASSES: readonly Pass[] = [
  { unusedMax: Infinity, isGuided: true, share: 0.1 },
  { unusedMax: 1, isGuided: false, share: 0.2 },
  { unusedMax: 2, isGuided: false, share: 0.2 },
  { unusedMax: Infinity, isGuided: true, share: 1 },
];

/** `visits`: in the order of their calls, which `after` refers to. `initial` is not changed. */
export function findOrder(visits: readonly Visit[], initial: Model, budget: Budget): Found {
  for (const pass of PASSES) {
    const own = { steps: Math.ceil(budget.steps * pass.share) };
    budget.steps -= own.steps;
    const search = new LinearSearch(visits, initial, own, pass);
    const found = search.run();
    budget.steps += own.steps;
    if (found.kind === 'order' || (found.kind === 'stuck' && !search.isBounded)) return found;
  }
  return { kind: 'undecided' };
}

class LinearSearch {
  readonly #visits: readonly Visit[];
  readonly #budget: Budget;
  readonly #pass: Pass;
  /** the bound on unused visits was reached: there may be an order beyond it */
  isBounded = false;
  /** the visits that are not placed, as a ring in the order of calls, through `visits.length` */
  readonly #next: number[];
  readonly #previous: number[];
  readonly #isPlaced: boolean[];
  /** the state in which an observing visit last saw other results */
  readonly #misfits: (Model | undefined)[];
  /** states by the visits that were placed */
  readonly #seen = new Map<string, Model[]>();
  readonly #frames: Frame[] = [];
  #state: Model;
  /** one more than the greatest number placed */
  #reach = 0;
  #placed = 0;
  #dueLeft: number;
  #furthest: { placed: number; next: readonly Visit[] } = { placed: -1, next: [] };

  constructor(visits: readonly Visit[], initial: Model, budget: Budget, pass: Pass) {
    const count = visits.length;
    this.#visits = visits;
    this.#budget = budget;
    this.#pass = pass;
    this.#state = initial;
    this.#next = Array.from({ length: count + 1 }, (_, i) => (i === count ? 0 : i + 1));
    this.#previous = Array.from({ length: count + 1 }, (_, i) => (i === 0 ? count : i - 1));
    this.#isPlaced = new Array<boolean>(count).fill(false);
    this.#misfits = new Array<Model | undefined>(count).fill(undefined);
    this.#dueLeft = visits.filter((_, visit) => !this.#isOptional(visit)).length;
  }

  run(): Found {
    for (;;) {
      const parent = this.#frames.at(-1);
      const observed = this.#observe();
      if (this.#dueLeft === 0) return { kind: 'order' };
      const last = parent?.placed ?? null;
      const isUnused = last !== null && this.#isOptional(last) && observed.length === 0;
      const unused = isUnused ? { visit: last, before: parent!.state, count: 1 + (parent!.unused?.count ?? 0) } : null;
      this.#frames.push({
        state: this.#state,
        observed,
        candidates: this.#isKnown() ? [] : this.#candidates(unused?.count ?? 0),
        unused,
        tried: 0,
        placed: null,
        reach: this.#reach,
      });
      if (!this.#advance()) return this.#budget.steps <= 0 ? { kind: 'undecided' } : { kind: 'stuck', ...this.#furthest };
    }
  }

  /** Places the next candidate that fits, of the deepest frame that has one. False: there is none, or no step is left. */
  #advance(): boolean {
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) {
      this.#state = frame.state;
      if (frame.placed !== null) {
        this.#takeBack(frame.placed);
        frame.placed = null;
      }
      this.#reach = frame.reach;
      while (frame.tried < frame.candidates.length && this.#budget.steps > 0) {
        const candidate = frame.candidates[frame.tried++]!;
        const after = this.#after(frame.state, candidate);
        if (after === null || this.#needsNot(frame, candidate, after)) continue;
        this.#state = after;
        this.#place(candidate);
        frame.placed = candidate;
        return true;
      }
      if (this.#budget.steps <= 0) return false;
      for (const visit of frame.observed.toReversed()) this.#takeBack(visit);
      this.#frames.pop();
    }
    return false;
  }

  /** The state after the visit; null: its results would be others than it saw. */
  #after(state: Model, visit: number): Model | null {
    const { access } = this.#visits[visit]!;
    this.#budget.steps--;
    const results = execute(state, access);
    if (!wereSeen(access, results)) return null;
    const after = state.clone();
    apply(after, access, results);
    return after;
  }

  /** Whether the optional visit before the candidate could be left out, or could come after it, with the same end. */
  #needsNot({ unused }: Frame, candidate: number, after: Model): boolean {
    if (unused === null) return false;
    const without = this.#after(unused.before, candidate);
    if (without === null) return false;
    if (without.equals(after)) return true;
    // Two optional visits are tried in one order only: the lower number first.
    if (this.#isOptional(candidate) && candidate > unused.visit) return false;
    return this.#after(without, unused.visit)?.equals(after) === true;
  }

  /** Places all observing visits that can come next and fit the state. */
  #observe(): number[] {
    const observed: number[] = [];
    for (let before = -1; before < observed.length;) {
      before = observed.length;
      for (const visit of this.#canComeNext()) {
        const { access } = this.#visits[visit]!;
        if (access.changes || this.#misfits[visit] === this.#state) continue;
        this.#budget.steps--;
        if (!wereSeen(access, execute(this.#state, access))) {
          this.#misfits[visit] = this.#state;
          continue;
        }
        this.#place(visit);
        observed.push(visit);
      }
    }
    return observed;
  }

  /** As guessed, or in the order of their calls, which is that of their effects as a rule, with optional ones last. */
  #candidates(unused: number): number[] {
    const next = this.#canComeNext();
    if (this.#placed > this.#furthest.placed) this.#furthest = { placed: this.#placed, next: next.map((visit) => this.#visits[visit]!) };
    const changing = next.filter((visit) => this.#visits[visit]!.access.changes);
    if (this.#pass.isGuided) return changing.sort((a, b) => (this.#visits[a]!.guess < this.#visits[b]!.guess ? -1 : 1));
    const due = changing.filter((visit) => !this.#isOptional(visit));
    if (due.length === changing.length) return due;
    if (unused < this.#pass.unusedMax) return [...due, ...changing.filter((visit) => this.#isOptional(visit))];
    this.isBounded = true;
    return due;
  }

  /** The visits that no other must precede. */
  #canComeNext(): number[] {
    const found: number[] = [];
    let firstEndNs = Infinity;
    for (let visit = this.#next.at(-1)!; visit < this.#visits.length; visit = this.#next[visit]!) {
      const { callNs, endNs, after } = this.#visits[visit]!;
      if (callNs > firstEndNs) break;
      firstEndNs = Math.min(firstEndNs, endNs);
      if (after === null || this.#isPlaced[after]) found.push(visit);
    }
    return found;
  }

  /** Whether the same visits were placed with the same state before. */
  #isKnown(): boolean {
    let placed = `${this.#reach}`;
    for (let visit = this.#next.at(-1)!; visit < this.#reach; visit = this.#next[visit]!) placed += ` ${visit}`;
    const states = this.#seen.get(placed);
    if (states === undefined) {
      this.#seen.set(placed, [this.#state]);
      return false;
    }
    if (states.some((state) => state.equals(this.#state))) return true;
    states.push(this.#state);
    return false;
  }

  #isOptional(visit: number): boolean {
    return this.#visits[visit]!.isOptional;
  }

  #place(visit: number): void {
    const [previous, next] = [this.#previous[visit]!, this.#next[visit]!];
    this.#next[previous] = next;
    this.#previous[next] = previous;
    this.#isPlaced[visit] = true;
    this.#reach = Math.max(this.#reach, visit + 1);
    this.#placed++;
    if (!this.#isOptional(visit)) this.#dueLeft--;
  }

  /** REQUIRES: it was placed last. */
  #takeBack(visit: number): void {
    this.#next[this.#previous[visit]!] = visit;
    this.#previous[this.#next[visit]!] = visit;
    this.#isPlaced[visit] = false;
    this.#placed--;
    if (!this.#isOptional(visit)) this.#dueLeft++;
  }
}
