// Run: one run of a computation's body, and what it was given.

import { attemptEnded } from '../attempt/attempt-errors.ts';
import type { ClaretError } from '../errors/claret-error.ts';
import type { Operation } from '../operation/operation.ts';
import { copyOf } from '../values/same.ts';
import type { OperationSpec } from '../values/operation-spec.ts';
import { resultOf } from '../values/result.ts';
import type { WireValue } from '../values/values.ts';
import type { Grant } from '../warranties/grant.ts';
import { GrantWitness } from '../warranties/grant-witness.ts';
import { impure } from './errors.ts';
import { Given } from './given.ts';
import { Leaf } from './leaf.ts';
import { Child, type Node } from './node.ts';
import { outside } from './purity.ts';
import type { Callable, ResultSource } from './reader.ts';

/** A result that the attempt already has. */
export interface Known {
  readonly result: WireValue;
  readonly grant: Grant | null;
}

/** A value that was found out, or proved, in an attempt. */
export interface Evaluated {
  readonly value: unknown;
  /** null: it is not kept */
  readonly hash: string | null;
}

/** The attempt in which it runs. As a class implemented once, since an evaluation makes one of each frame. */
export interface RunningIn {
  known(spec: OperationSpec, key: string, args: readonly unknown[]): Known | undefined;
  issue(spec: OperationSpec, key: string, args: readonly unknown[], witness: GrantWitness): Operation<unknown>;
  nodeOf(computation: Callable<readonly unknown[], unknown>, args: readonly unknown[]): Node;
  evaluate(node: Node): Promise<Evaluated>;
}

interface Member {
  /** it has been awaited */
  wanted: boolean;
  /** null: there is no result yet, or none that can be kept */
  found: Leaf | Child | null;
}

/** The result as it came over the wire. Entries were made an object of. */
export const wireOf = ({ result }: OperationSpec, value: unknown): WireValue =>
  copyOf((result === 'entries' ? Object.entries(value as object) : value) as WireValue);

export class Run implements ResultSource {
  readonly #name: string;
  readonly #attempt: RunningIn;
  readonly #members: Member[] = [];
  /** the values of those that were called */
  readonly values = new Map<Node, unknown>();
  #ended = false;

  constructor(name: string, attempt: RunningIn) {
    this.#name = name;
    this.#attempt = attempt;
  }

  observe<Result>(spec: OperationSpec, key: string, args: readonly unknown[]): Operation<Result> {
    this.#expectRunning(spec, key);
    if (spec.operationClass !== 'observe') throw impure(this.#name, `calls ${spec.name}, which changes a record`);
    const member: Member = { wanted: false, found: null };
    this.#members.push(member);
    const call = { spec, key, args };
    const known = this.#attempt.known(spec, key, args);
    if (known !== undefined) {
      const given = new Given<Result>(spec, key, args, () => {});
      member.wanted = true;
      member.found = new Leaf(call, known.result, known.grant);
      given.settle(resultOf(spec.result, copyOf(known.result)));
      return given;
    }
    const witness = new GrantWitness();
    const issued = outside(() => this.#attempt.issue(spec, key, args, witness));
    const given = new Given<Result>(spec, key, args, () => {
      member.wanted = true;
      const onResult = (value: unknown): void => {
        member.found = new Leaf(call, wireOf(spec, value), witness.grant);
        given.settle(value);
      };
      void outside(() => issued.then(onResult, (error: unknown) => given.fail(error as ClaretError)));
    });
    return given;
  }

  call(computation: Callable<readonly unknown[], unknown>, args: readonly unknown[]): Promise<unknown> {
    this.#expectRunning();
    const node = outside(() => this.#attempt.nodeOf(computation, args));
    const member: Member = { wanted: true, found: null };
    this.#members.push(member);
    const called = outside(() => this.#attempt.evaluate(node)).then(({ value, hash }) => {
      this.values.set(node, value);
      if (hash !== null) member.found = new Child(node, hash);
      return value;
    });
    // The body is told if it awaits this. It need not.
    called.catch(() => {});
    return called;
  }

  #expectRunning(spec?: OperationSpec, key?: string): void {
    if (this.#ended) throw attemptEnded(spec, key);
  }

  /** The body has ended. Returns what its value rests on; null: something that cannot be kept. */
  end(): readonly (Leaf | Child)[] | null {
    this.#ended = true;
    const wanted = this.#members.filter((member) => member.wanted);
    return wanted.every(({ found }) => found !== null) ? wanted.map(({ found }) => found!) : null;
  }
}
