// Evaluation: the computations that run in one attempt, or whose values are proved there.
//
// A value that is in memory is proved by the leaves below it: each has a grant that stands, on which the attempt relies from then on, or is
// asked for by its digest, or is asked for anew and compared. If a leaf has changed, the lowest nodes run first; one whose value comes out
// as before ends the matter for those above.
//
// Nothing here waits for another attempt: that one may wait for what the caller has locked.

import type { BodyRun, ComputingRun } from '../attempt/running-attempt.ts';
import { isSame } from '../values/same.ts';
import type { OperationSpec } from '../values/operation-spec.ts';
import { GrantWitness } from '../warranties/grant-witness.ts';
import type { Uses } from '../warranties/uses.ts';
import { computationOf, repeats, runOf, type AnyComputation } from './body.ts';
import { tooDeep } from './errors.ts';
import { frozenFrom, nameOfCall } from './identity.ts';
import { Leaf } from './leaf.ts';
import { DEPTH_MAX, NodeRecord, type Node } from './node.ts';
import type { Callable } from './reader.ts';
import { wireOf, type Evaluated, type Known, type RunningIn } from './run.ts';
import type { Computations } from './computations.ts';

/** A node that is evaluated in the attempt. */
class Frame {
  readonly node: Node;
  readonly depth: number;
  /** those whose values it awaits */
  readonly awaits = new Set<Frame>();
  ended = false;
  evaluated!: Promise<Evaluated>;

  constructor(node: Node, depth: number) {
    this.node = node;
    this.depth = depth;
  }

  /** It awaits that one, also by others. */
  reaches(other: Frame): boolean {
    return this === other || [...this.awaits].some((frame) => !frame.ended && frame.reaches(other));
  }
}

export class Evaluation {
  readonly #run: BodyRun;
  readonly #frames = new Map<Node, Frame>();
  /** leaves with the results that they had */
  readonly #proved = new Set<Leaf>();
  /** leaves with other ones */
  readonly #changed = new Set<Leaf>();
  /** what was asked for anew */
  readonly #known = new Map<string, Known>();

  constructor(run: BodyRun) {
    this.#run = run;
  }

  async call(computation: Callable<readonly unknown[], unknown>, args: readonly unknown[]): Promise<unknown> {
    const { value } = await this.#evaluate((computation as AnyComputation).nodeOf(args), null);
    return value;
  }

  /**
   * The value, for a body that does nothing but return it. What is in memory may be proved by the votes: that is one round trip.
   * Returns whether it is.
   */
  async conclude(node: Node): Promise<{ readonly value: unknown; readonly proving: boolean }> {
    const computing = this.#run.computing;
    const { record } = node;
    if (computing !== null && record !== null && !computing.owner.isLast) {
      const uses = computing.relying();
      const { nowMs, warranties } = computationsOf(node);
      const { leaves, whole } = node.below(nowMs);
      for (const leaf of leaves) leaf.stands(nowMs, warranties.table);
      if (uses !== null && whole && !node.changing && leaves.every(isExpectable)) {
        // Until the votes say that it is not.
        node.changing = true;
        uses.relyLate(leaves.map((leaf) => leaf.reason!));
        return { value: record.value, proving: true };
      }
    }
    const { value } = await this.#evaluate(node, null);
    return { value, proving: false };
  }

  #evaluate(node: Node, caller: Frame | null): Promise<Evaluated> {
    const there = this.#frames.get(node);
    if (there !== undefined) {
      if (caller !== null && !there.ended) {
        if (this.#needs(node, caller)) throw tooDeep(node.computation.name, 'needs its own value');
        caller.awaits.add(there);
      }
      return there.evaluated;
    }
    const depth = caller === null ? 1 : caller.depth + 1;
    if (depth > DEPTH_MAX) throw tooDeep(node.computation.name, `is called ${depth} computations deep; ${DEPTH_MAX} are possible`);
    const frame = new Frame(node, depth);
    caller?.awaits.add(frame);
    this.#frames.set(node, frame);
    frame.evaluated = this.#valueOf(frame).finally(() => (frame.ended = true));
    frame.evaluated.catch(() => {});
    return frame.evaluated;
  }

  /** The node is evaluated, and awaits that frame. */
  #needs(node: Node, frame: Frame): boolean {
    const there = this.#frames.get(node);
    return there !== undefined && !there.ended && there.reaches(frame);
  }

  async #valueOf(frame: Frame): Promise<Evaluated> {
    const { node } = frame;
    const computations = computationsOf(node);
    // A grant is worth nothing in an attempt of another client.
    const computing = this.#run.computing?.warranties === computations.warranties ? this.#run.computing : null;
    const { record } = node;
    if (computing !== null && record !== null && !computing.owner.isLast) {
      if (await this.#proves(frame, record, computing, computations)) {
        node.settle(computations.nowMs, computations.warranties.table);
        return { value: record.value, hash: record.hash };
      }
    }
    return this.#runs(frame, computing !== null, computations);
  }

  // ---- what is in memory ----

  async #proves(frame: Frame, record: NodeRecord, computing: ComputingRun, computations: Computations): Promise<boolean> {
    const { node } = frame;
    const { warranties, nowMs, stats } = computations;
    const { leaves, whole } = node.below(nowMs);
    const uses = computing.relying();
    const open = leaves.filter((leaf) => !this.#proved.has(leaf) && !this.#changed.has(leaf));
    const standing = new Set(uses === null ? [] : open.filter((leaf) => leaf.stands(nowMs, warranties.table)));
    const others = open.filter((leaf) => !standing.has(leaf));
    const sameSoFar = whole && !leaves.some((leaf) => this.#changed.has(leaf));
    if (uses !== null && sameSoFar && !node.changing && others.every(isExpectable)) {
      await this.#relyOn(open, uses);
    } else {
      await Promise.all([uses !== null && this.#relyOn([...standing], uses), this.#askAnew(others, computing)]).catch((error: unknown) => {
        // The body need not read that any more.
        if (computing.othersRefused) computations.drop(node);
        throw error;
      });
    }
    node.changing = leaves.some((leaf) => this.#changed.has(leaf));
    if (whole && !node.changing) {
      stats.proved++;
      return true;
    }
    for (const member of record.members) {
      if (member instanceof Leaf) {
        if (this.#changed.has(member)) return false;
      } else {
        // The record is of a time when the one below did not need this one, or did not lie as deep.
        if (frame.depth === DEPTH_MAX || this.#needs(member.node, frame)) return false;
        const { hash } = await this.#evaluate(member.node, frame);
        if (hash !== member.hash) return false;
      }
    }
    stats.cutoffs++;
    return true;
  }

  /** REQUIRES: each has a grant, or its digest. */
  async #relyOn(leaves: readonly Leaf[], uses: Uses): Promise<void> {
    if (leaves.length === 0) return;
    const asked = uses.relyOn(leaves.map((leaf) => leaf.reason!));
    try {
      if (asked.length > 0) await Promise.all(asked);
    } catch (error) {
      // One of them may have changed: the next time the results are asked for.
      for (const leaf of leaves) if (!leaf.promised) leaf.doubted = true;
      throw error;
    }
    for (const leaf of leaves) this.#proved.add(leaf);
  }

  async #askAnew(leaves: readonly Leaf[], computing: ComputingRun): Promise<void> {
    if (leaves.length === 0) return;
    computing.asksForOthers++;
    try {
      await Promise.all(leaves.map((leaf) => this.#askFor(leaf, computing)));
    } finally {
      computing.asksForOthers--;
    }
  }

  async #askFor(leaf: Leaf, computing: ComputingRun): Promise<void> {
    const { spec, key, args } = leaf.call;
    const witness = new GrantWitness();
    const result = wireOf(spec, await computing.issue(spec, key, args, witness));
    this.#known.set(nameOfCall(spec, key, args), { result, grant: witness.grant });
    if (isSame(result, leaf.result)) {
      leaf.confirm(witness.grant);
      this.#proved.add(leaf);
    } else {
      this.#changed.add(leaf);
    }
  }

  // ---- runs ----

  async #runs(frame: Frame, mayKeep: boolean, computations: Computations): Promise<Evaluated> {
    const { node } = frame;
    const computation = computationOf(node);
    const attempt = this.#asSeenFrom(frame);
    node.runs++;
    computations.stats.runs++;
    const outcome = await runOf(node, attempt);
    const { members, text } = outcome;
    if (!mayKeep || members === null || computation.impure) {
      if (mayKeep) computations.drop(node);
      return { value: frozenFrom(text), hash: null };
    }
    if (computations.runsTwice(computation) && !(await repeats(node, outcome, attempt))) {
      computations.isImpure(computation);
      return { value: frozenFrom(text), hash: null };
    }
    const record = new NodeRecord(members, frozenFrom(text), text);
    for (const member of members) if (member instanceof Leaf) this.#proved.add(member);
    computations.keep(node, record);
    return { value: record.value, hash: record.hash };
  }

  #asSeenFrom(frame: Frame): RunningIn {
    return {
      known: (spec, key, args) => (this.#known.size === 0 ? undefined : this.#known.get(nameOfCall(spec, key, args))),
      issue: (spec: OperationSpec, key, args, witness) =>
        this.#run.computing === null ? this.#run.issue(spec, key, args) : this.#run.computing.issue(spec, key, args, witness),
      nodeOf: (computation, args) => (computation as AnyComputation).nodeOf(args),
      evaluate: (node) => this.#evaluate(node, frame),
    };
  }
}

const computationsOf = (node: Node): Computations => computationOf(node).keeper as Computations;

/** Its shard can say whether the result is the same, and there is no reason to think otherwise. */
const isExpectable = ({ grant, doubted }: Leaf): boolean => grant !== null && !doubted;
