// Expression: what a symbolic value stands for, in the form that a definition has it (docs/types-of-your-own.md, "The definition").
//
// A value that is used twice is written twice. So sizes are counted while expressions are made: sixty doublings of one value are refused at the
// tenth, and not once memory is full.

import { invalid } from './problem.ts';
import { Trace, type Local } from './trace.ts';

export type Json = null | boolean | number | string | readonly Json[];

/** Expressions of one operation, and how deep one of them may be. A literal is one node, and one deep. */
export const NODES_MAX = 1_000;
export const NESTING_MAX = 64;

const NO_LOCALS: ReadonlySet<Local> = new Set();

export class Expression {
  readonly json: Json;
  readonly nodes: number;
  readonly depth: number;
  /** the run of a function in which it was made; null: it is made of literals alone */
  readonly trace: Trace | null;
  /** what it uses of the functions around it */
  readonly locals: ReadonlySet<Local>;

  private constructor(json: Json, nodes: number, depth: number, trace: Trace | null, locals: ReadonlySet<Local> = NO_LOCALS) {
    this.json = json;
    this.nodes = nodes;
    this.depth = depth;
    this.trace = trace;
    this.locals = locals;
  }

  /** A value that is known: null, a boolean, a text or a safe integer, or one of the forms for other numbers. */
  static literal(json: Json): Expression {
    return new Expression(json, 1, 1, null);
  }

  /** What only the shard knows, such as an argument. */
  static symbol(json: Json, trace: Trace): Expression {
    return new Expression(json, 1, 1, trace);
  }

  /** A symbol that only one function inside of the trace's knows. */
  static local(json: Json, trace: Trace, local: Local): Expression {
    return new Expression(json, 1, 1, trace, new Set([local]));
  }

  /** @param bound the locals that it binds in its parts */
  static of(head: readonly Json[], parts: readonly Expression[], bound: readonly Local[] = []): Expression {
    return Expression.#whole([...head, ...parts.map(({ json }) => json)], parts, null, bound);
  }

  /** What an operation of a field answers. */
  static read(field: number, key: Expression | null, operation: string, args: readonly Expression[], trace: Trace): Expression {
    const json = ['read', field, key === null ? null : key.json, operation, ...args.map((arg) => arg.json)];
    return Expression.#whole(json, key === null ? args : [key, ...args], trace);
  }

  static #whole(json: Json, parts: readonly Expression[], trace: Trace | null, bound: readonly Local[] = []): Expression {
    let [nodes, depth] = [1, 1];
    const locals = new Set<Local>();
    for (const part of parts) {
      part.checkUse();
      for (const local of part.locals) if (!bound.includes(local)) locals.add(local);
      trace ??= part.trace;
      nodes += part.nodes;
      depth = Math.max(depth, part.depth + 1);
    }
    if (nodes > NODES_MAX) throw invalid(`an expression has more than ${NODES_MAX} nodes; a value that is used twice counts twice`);
    if (depth > NESTING_MAX) throw invalid(`an expression is nested deeper than ${NESTING_MAX}`);
    return new Expression(json, nodes, depth, trace, locals);
  }

  /** Throws where the value was made in another function, or another run of this one: it would mean something else here. */
  checkUse(): void {
    for (const local of this.locals) {
      if (!this.trace!.isBound(local)) throw invalid('an item is used outside of the function that was given it');
    }
    if (this.trace === null || this.trace === Trace.current) return;
    throw invalid(`a value of ${this.trace.where} is used ${Trace.current === null ? 'after it has returned' : 'in another function'}`);
  }
}
