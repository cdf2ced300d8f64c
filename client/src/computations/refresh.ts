// Refresh: makes a node clean again, for the cost of what has changed and not of all that it rests on.
//
// What is not promised any more is read by a transaction of its own, which brings new grants. Then bodies run on what grants say. Nothing is
// locked meanwhile: if all leaves stand together at the end, the value is that of this moment. A body is given nothing unless all that it was
// given before stands too, so it sees no mixture. Where that fails, nothing is lost: whoever asks takes the way of evaluation.ts.

import type { ClaretError } from '../errors/claret-error.ts';
import type { Operation } from '../operation/operation.ts';
import type { Call } from '../values/call.ts';
import { isSame } from '../values/same.ts';
import type { OperationSpec } from '../values/operation-spec.ts';
import type { Warranties } from '../warranties/warranties.ts';
import { computationOf, repeats, runOf, type AnyComputation } from './body.ts';
import { notPromised } from './errors.ts';
import { Given } from './given.ts';
import { frozenFrom } from './identity.ts';
import { Leaf } from './leaf.ts';
import { DEPTH_MAX, NodeRecord, type Node } from './node.ts';
import type { Callable } from './reader.ts';
import type { Evaluated, Known, RunningIn } from './run.ts';

/** With more leaves to ask for, a proof in one transaction is as cheap. */
const READ_MAX = 64;
const TRIES_MAX = 4;

/** Reads in a transaction that takes warranties. */
export type ReadAll = (label: string, calls: readonly Call[]) => Promise<unknown>;

/** What is needed of all that is kept. Implemented once, since what keeps all of it refreshes it. */
export interface Kept {
  readonly warranties: Warranties;
  readonly nowMs: number;
  readonly stats: { runs: number; cutoffs: number };
  keep(node: Node, record: NodeRecord): void;
  runsTwice(computation: AnyComputation): boolean;
}

export class Refresh {
  readonly #computations: Kept;
  readonly #readAll: ReadAll;

  constructor(computations: Kept, readAll: ReadAll) {
    this.#computations = computations;
    this.#readAll = readAll;
  }

  /** Whether that is worth a try. */
  suits(node: Node): boolean {
    return this.#computations.warranties.on && node.record !== null && !node.unpromised;
  }

  /** Whether the node may be clean now. Rejects if its shards cannot be read in time. REQUIRES: it suits. */
  async run(node: Node): Promise<boolean> {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const open = this.#openBelow(node);
      if (open === null || open.length > READ_MAX) return false;
      if (open.length > 0 && !(await this.#reads(node, open))) return false;
      if ((await new Pass(this.#computations).valueOf(node, 1)) !== null) return true;
    }
    node.unpromised = true;
    return false;
  }

  /** False: a shard refuses it for good. The body need not read that any more. */
  async #reads(node: Node, calls: readonly Call[]): Promise<boolean> {
    try {
      await this.#readAll(node.computation.name, calls);
      return true;
    } catch (error) {
      if ((error as ClaretError).retryable) throw error;
      return false;
    }
  }

  /** The calls below whose results are not promised; null: a node below has no record. */
  #openBelow(node: Node): Call[] | null {
    const { nowMs, warranties } = this.#computations;
    const open: Call[] = [];
    const walked = new Set<Node>();
    const walk = (at: Node): boolean => {
      if (at.clean || walked.has(at)) return true;
      walked.add(at);
      at.usedMs = Math.max(at.usedMs, nowMs);
      for (const member of at.record?.members ?? []) {
        if (member instanceof Leaf) {
          if (warranties.table.answer(member.call, nowMs) === null) open.push(member.call);
        } else if (!walk(member.node)) {
          return false;
        }
      }
      return at.record !== null;
    };
    return walk(node) ? open : null;
  }
}

/** One look at all that is not clean below a node, from the bottom up. */
class Pass {
  readonly #computations: Kept;
  readonly #under = new Set<Node>();
  #runs = 0;

  constructor(computations: Kept) {
    this.#computations = computations;
  }

  /** Its record, which is clean; null: it did not become so. */
  async valueOf(node: Node, depth: number): Promise<NodeRecord | null> {
    if (this.#isClean(node)) return node.record;
    const { record } = node;
    if (record === null || depth > DEPTH_MAX || this.#under.has(node)) return null;
    this.#under.add(node);
    const runs = this.#runs;
    try {
      const same = await this.#isSame(record, depth);
      if (same === false) return await this.#valueOfRun(node, depth);
      if (same === null || !this.#isClean(node)) return null;
      if (this.#runs > runs) this.#computations.stats.cutoffs++;
      return node.record;
    } finally {
      this.#under.delete(node);
    }
  }

  #isClean(node: Node): boolean {
    return node.settle(this.#computations.nowMs, this.#computations.warranties.table);
  }

  /** Whether its members have the results that they had; null: that is not promised. */
  async #isSame({ members }: NodeRecord, depth: number): Promise<boolean | null> {
    const { nowMs, warranties } = this.#computations;
    for (const member of members) {
      if (member instanceof Leaf) {
        const answer = warranties.table.answer(member.call, nowMs);
        if (answer === null) return null;
        if (!isSame(answer.value, member.result)) return false;
      } else {
        const below = await this.valueOf(member.node, depth + 1);
        if (below === null) return null;
        if (below.hash !== member.hash) return false;
      }
    }
    return true;
  }

  async #valueOfRun(node: Node, depth: number): Promise<NodeRecord | null> {
    const computations = this.#computations;
    const computation = computationOf(node);
    if (computation.impure) return null;
    const results = new PromisedResults(computations.warranties, computations, (below) => this.valueOf(below, depth + 1));
    this.#runs++;
    node.runs++;
    computations.stats.runs++;
    // What it throws on what is not so any more is nobody's business.
    const outcome = await runOf(node, results).catch(() => null);
    if (outcome === null || outcome.members === null || results.failed) return null;
    if (computations.runsTwice(computation) && !(await repeats(node, outcome, results))) return null;
    const record = new NodeRecord(outcome.members, frozenFrom(outcome.text), outcome.text);
    computations.keep(node, record);
    return this.#isClean(node) ? record : null;
  }
}

/** What one run is given: what grants say, as long as all of them stand. */
class PromisedResults implements RunningIn {
  /** It has asked for something else, or something has fallen. */
  failed = false;
  readonly #warranties: Warranties;
  readonly #clock: { readonly nowMs: number };
  readonly #below: (node: Node) => Promise<NodeRecord | null>;
  readonly #falls: number;
  #untilMs = Infinity;

  constructor(warranties: Warranties, clock: { readonly nowMs: number }, below: (node: Node) => Promise<NodeRecord | null>) {
    this.#warranties = warranties;
    this.#clock = clock;
    this.#below = below;
    this.#falls = warranties.falls;
  }

  known(spec: OperationSpec, key: string, args: readonly unknown[]): Known | undefined {
    const { nowMs } = this.#clock;
    const answer = this.#holds(nowMs) ? this.#warranties.answer({ spec, key, args }, nowMs) : null;
    if (answer === null) return undefined;
    this.#untilMs = Math.min(this.#untilMs, answer.grant.holder.leaseUntilMs);
    return { result: answer.value, grant: answer.grant };
  }

  #holds(nowMs: number): boolean {
    return !this.failed && this.#warranties.falls === this.#falls && nowMs < this.#untilMs;
  }

  issue(spec: OperationSpec, key: string, args: readonly unknown[]): Operation<unknown> {
    this.failed = true;
    const refused: Operation<unknown> = new Given(spec, key, args, () => refused.fail(notPromised));
    return refused;
  }

  nodeOf(computation: Callable<readonly unknown[], unknown>, args: readonly unknown[]): Node {
    return (computation as unknown as { nodeOf(args: readonly unknown[]): Node }).nodeOf(args);
  }

  async evaluate(node: Node): Promise<Evaluated> {
    const record = await this.#below(node);
    const { nowMs } = this.#clock;
    if (record === null || !this.#holds(nowMs) || !node.standsAt(nowMs)) {
      this.failed = true;
      throw notPromised;
    }
    this.#untilMs = Math.min(this.#untilMs, node.leaseUntilMs);
    return { value: record.value, hash: record.hash };
  }
}
