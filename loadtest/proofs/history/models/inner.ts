// What expressions are evaluated to, and from what.

import { Refusal } from '../model.ts';

export type Json = null | boolean | number | string | readonly Json[];
/** A bigint is an integer, and a number is a number. */
export type Inner = null | boolean | bigint | number | string | readonly Inner[];

export interface Known {
  args: readonly Inner[];
  /** for what is written */
  answer?: Inner;
  /** for what is read before */
  read?(field: number, key: string, operation: string, args: readonly Inner[]): Inner;
  /** for an update of a value: what it was just before */
  old?: Inner;
  /** by number */
  locals?: ReadonlyMap<number, Inner>;
  /** of the evaluation of which this is a part */
  meter?: Meter;
}

const STEPS_MAX = 100_000;

/** Counts what an evaluation does, and no more than the core counts. So what is refused here is refused by the core. */
export class Meter {
  #steps = 0;

  /** Throws Refusal. */
  count(steps = 1): void {
    this.#steps += steps;
    if (this.#steps > STEPS_MAX) throw new Refusal('too many steps');
  }
}
