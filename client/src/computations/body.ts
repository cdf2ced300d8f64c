// The body of a computation: one run for a node, and the second one that shows whether it is pure.

import type { Computation } from './computation.ts';
import { keepable } from './errors.ts';
import { textOf } from '../values/json.ts';
import type { Leaf } from './leaf.ts';
import type { Child, Node } from './node.ts';
import { runInside } from './purity.ts';
import { ComputationReader, type ResultSource } from './reader.ts';
import { Repetition } from './repetition.ts';
import { Run, type RunningIn } from './run.ts';

export type AnyComputation = Computation<readonly unknown[], unknown>;

export const computationOf = (node: Node): AnyComputation => node.computation as AnyComputation;

/** What a run has come to. */
export interface Outcome {
  readonly run: Run;
  /** what the value rests on; null: something that cannot be kept */
  readonly members: readonly (Leaf | Child)[] | null;
  /** of the value, as JSON */
  readonly text: string;
}

/** Rejects with what the body throws, or with `invalid_value`. */
export async function runOf(node: Node, running: RunningIn): Promise<Outcome> {
  const computation = computationOf(node);
  const run = new Run(computation.name, running);
  const result = await runBody(computation, run, node.args);
  const members = run.end();
  return { run, members, text: keepable(`The value of the computation ${computation.name}`, () => textOf(result)) };
}

/** Whether a second run on the same results has the same value. REQUIRES: it has members. */
export async function repeats(node: Node, { run, members, text }: Outcome, running: Pick<RunningIn, 'nodeOf'>): Promise<boolean> {
  const computation = computationOf(node);
  try {
    return textOf(await runBody(computation, new Repetition(computation.name, members!, run.values, running), node.args)) === text;
  } catch {
    return false;
  }
}

async function runBody(computation: AnyComputation, source: ResultSource, args: readonly unknown[]): Promise<unknown> {
  const reader = new ComputationReader(source);
  const run = () => computation.body(reader, ...args);
  return computation.strict ? runInside(computation.name, run) : run();
}
