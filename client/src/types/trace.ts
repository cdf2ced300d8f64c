// Trace: one run of a function that a developer wrote, on symbolic values.

/** What a function may do with fields: `require` and `answer` read them, `write` changes them, a claim does neither. */
export type Purpose = 'read' | 'write' | 'claim';

export class Trace {
  /** null: no function is run */
  static current: Trace | null = null;

  /** "SeatMap.reserve, write" */
  readonly where: string;
  readonly purpose: Purpose;

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
}
