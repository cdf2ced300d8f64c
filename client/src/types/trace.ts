// Trace: one run of a function that a developer wrote, on symbolic values.

import { invalid } from './problem.ts';

/** What a function may do with fields: `require` and `answer` read them, `write` changes them, a migration does both, and a claim neither. */
export type Purpose = 'read' | 'write' | 'claim' | 'migration';

/** What a function inside a function gets: an item of a list, or the old value of a field. It means something only in there. */
export class Local {
  /** the name of a local in the definition: no other one that is bound at the same time has it; null: it needs none */
  readonly number: number | null;

  constructor(number: number | null) {
    this.number = number;
  }
}

/** ["local", its number], or ["old"] */
type Symbolic = readonly (string | number)[];

/** Locals that are bound at the same time. */
export const LOCALS_MAX = 64;

export class Trace {
  /** null: no function is run */
  static current: Trace | null = null;

  /** "SeatMap.reserve, write" */
  readonly where: string;
  readonly purpose: Purpose;
  readonly #bound = new Set<Local>();

  constructor(where: string, purpose: Purpose) {
    this.where = where;
    this.purpose = purpose;
  }

  run<Result>(body: () => Result): Result {
    const outer = Trace.current;
    Trace.current = this;
    try {
      return body();
    } finally {
      Trace.current = outer;
    }
  }
  /** Runs `body` with a new local, and with its symbol. */
  bind<Result>(body: (local: Local, symbol: Symbolic) => Result): Result {
    const number = [...this.#bound].filter((local) => local.number !== null).length;
    if (number === LOCALS_MAX) throw invalid(`functions are nested deeper than ${LOCALS_MAX}`);
    return this.#within(new Local(number), (local) => body(local, ['local', number]));
  }

  /** Runs `body` with the old value of a field. */
  bindOld<Result>(body: (local: Local, symbol: Symbolic) => Result): Result {
    return this.#within(new Local(null), (local) => body(local, ['old']));
  }

  #within<Result>(local: Local, body: (local: Local) => Result): Result {
    this.#bound.add(local);
    try {
      return body(local);
    } finally {
      this.#bound.delete(local);
    }
  }

  isBound(local: Local): boolean {
    return this.#bound.has(local);
  }

  /** Throws outside of the functions of a type. */
  static needed(): Trace {
    if (Trace.current === null) throw invalid('functions of values are called by the functions of a type only');
    return Trace.current;
  }
}
