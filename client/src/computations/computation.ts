// Computation: a named function of the store, whose values are kept in memory (client/API.md, "Computations").

import { canonical, frozenFrom, hashOf } from './identity.ts';
import { keepable } from './errors.ts';
import { Leaf } from './leaf.ts';
import { Node, type Definition, type NodeRecord } from './node.ts';
import type { Callable, ComputationBody } from './reader.ts';

/** What the value of a computation rests on. */
export type ExplainedMember =
  | { readonly operation: string; readonly key: string; readonly args: readonly unknown[]; readonly granted: boolean }
  | { readonly computation: string; readonly args: readonly unknown[] };

/** A value that stands without any question. */
export interface KeptValue<Result> {
  /** shared and frozen */
  readonly value: Result;
  /** on how many results and other computations it rests */
  readonly members: number;
}

export interface Explanation {
  /** of the computation and its arguments */
  readonly id: string;
  /** 'none': no value is kept */
  readonly state: 'clean' | 'suspect' | 'unproven' | 'none';
  readonly members: readonly ExplainedMember[];
  /** how often the body ran for these arguments */
  readonly runs: number;
  /** how often `get` answered without a question */
  readonly hits: number;
}

/** What computations need of their client. Implemented once, since what keeps all of them names them. */
export interface Keeper {
  get(node: Node): Promise<unknown>;
  /** What is kept of it, if its value is that of now; else null. Counts as a use. */
  kept(node: Node): NodeRecord | null;
  /** Makes it clean if all that it rests on is promised. */
  settle(node: Node): boolean;
  /** A node that is in memory from now on. */
  newNode(definition: Definition, args: readonly unknown[], name: string): Node;
}

export class Computation<Args extends readonly unknown[], Result> implements Callable<Args, Result>, Definition {
  readonly name: string;
  readonly version: number;
  readonly body: ComputationBody<Args, Result>;
  readonly hash: string;
  readonly nodes = new Map<string, Node>();
  /** true: it is run twice, and time, chance and the network throw inside */
  readonly strict: boolean;
  impure = false;
  readonly keeper: Keeper;

  constructor(keeper: Keeper, name: string, options: { version: number; strict: boolean }, body: ComputationBody<Args, Result>) {
    this.keeper = keeper;
    this.name = name;
    this.version = options.version;
    this.strict = options.strict;
    this.body = body;
    this.hash = hashOf(JSON.stringify([name, options.version, String(body)]));
  }

  /** The value, which is that of some moment between call and return. It is shared and frozen. */
  get(...args: Args): Promise<Result> {
    return this.keeper.get(this.nodeOf(args)) as Promise<Result>;
  }

  /** The value, if it is in memory and is that of now; else null. It asks nobody and runs nothing. */
  kept(...args: Args): KeptValue<Result> | null {
    const record = this.keeper.kept(this.nodeOf(args));
    return record && { value: record.value as Result, members: record.members.length };
  }

  explain(...args: Args): Explanation {
    const node = this.nodeOf(args);
    const state = this.keeper.settle(node) ? 'clean' : node.record === null ? 'none' : stateOf(node);
    const members = (node.record?.members ?? []).map((member): ExplainedMember => {
      if (!(member instanceof Leaf)) return { computation: member.node.computation.name, args: member.node.args };
      const { call, promised } = member;
      return { operation: call.spec.name, key: call.key, args: call.args, granted: promised };
    });
    return { id: hashOf(`${this.hash} ${node.name}`), state, members, runs: node.runs, hits: node.hits };
  }

  /** Throws `invalid_value`. */
  nodeOf(args: readonly unknown[]): Node {
    const name = keepable(`An argument of the computation ${this.name}`, () => canonical(args));
    return this.nodes.get(name) ?? this.keeper.newNode(this, frozenFrom(name) as readonly unknown[], name);
  }
}

/** REQUIRES: it has a record, and is not clean. */
function stateOf(node: Node): 'suspect' | 'unproven' {
  const { leaves, whole } = node.below(node.usedMs);
  return whole && !leaves.some(({ doubted }) => doubted) ? 'unproven' : 'suspect';
}
