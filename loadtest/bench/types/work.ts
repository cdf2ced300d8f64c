// Work: what a cell of the types benchmark does again and again, and the check of what it has left.

import type { Claret } from '@claret/client';

export interface Work {
  /** Begins one operation. */
  run(): Promise<unknown>;
  /** Throws if what is stored is not what was acknowledged. REQUIRES: nothing is under way. */
  check(done: number): Promise<void>;
}

export type MakeWork = (claret: Claret, cell: string, seed: number) => Promise<Work>;

class Mismatch extends Error {
  constructor(what: string, stored: unknown, acknowledged: unknown) {
    super(`${what}: ${String(stored)} stored, ${String(acknowledged)} acknowledged`);
  }
}
export function same(what: string, stored: unknown, acknowledged: unknown): void {
  if (stored !== acknowledged) throw new Mismatch(what, stored, acknowledged);
}
