// Repetition: gives a second run of a computation's body what the first one was given.

import type { ClaretError } from '../errors/claret-error.ts';
import type { Operation } from '../operation/operation.ts';
import { copyOf } from '../values/same.ts';
import type { OperationSpec } from '../values/operation-spec.ts';
import { resultOf } from '../values/result.ts';
import { impure } from './errors.ts';
import { Given } from './given.ts';
import { nameOfCall } from './identity.ts';
import { Leaf } from './leaf.ts';
import type { Child, Node } from './node.ts';
import { outside } from './purity.ts';
import type { Callable, ResultSource } from './reader.ts';
import type { RunningIn } from './run.ts';

export class Repetition implements ResultSource {
  readonly #name: string;
  readonly #leaves: ReadonlyMap<string, Leaf>;
  readonly #values: ReadonlyMap<Node, unknown>;
  readonly #attempt: Pick<RunningIn, 'nodeOf'>;

  /** @param values of the nodes that the first run has called */
  constructor(name: string, members: readonly (Leaf | Child)[], values: ReadonlyMap<Node, unknown>, attempt: Pick<RunningIn, 'nodeOf'>) {
    const leaves = members.filter((member) => member instanceof Leaf);
    this.#name = name;
    this.#leaves = new Map(leaves.map((leaf) => [nameOfCall(leaf.call.spec, leaf.call.key, leaf.call.args), leaf]));
    this.#values = values;
    this.#attempt = attempt;
  }

  observe<Result>(spec: OperationSpec, key: string, args: readonly unknown[]): Operation<Result> {
    const leaf = this.#leaves.get(nameOfCall(spec, key, args));
    // What nobody awaits does no harm.
    const given = new Given<Result>(spec, key, args, () => given.fail(this.#readsOther()));
    if (leaf !== undefined) given.settle(resultOf(spec.result, copyOf(leaf.result)));
    return given;
  }

  call(computation: Callable<readonly unknown[], unknown>, args: readonly unknown[]): Promise<unknown> {
    const node = outside(() => this.#attempt.nodeOf(computation, args));
    const value = this.#values.has(node) ? Promise.resolve(this.#values.get(node)) : Promise.reject(this.#readsOther());
    value.catch(() => {});
    return value;
  }

  #readsOther(): ClaretError {
    return impure(this.#name, 'reads something else when it runs again on the same results');
  }
}
