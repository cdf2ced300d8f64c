// FirmResult: what a transaction has read, and how long that is certain to stay as it is.

import type { Environment } from '../environment/environment.ts';
import type { Grant } from './grant.ts';
import type { Warranties } from './warranties.ts';

/** If a result rests on more grants than that, it is not made firm. */
const GRANTS_MAX = 64;

export interface FirmResult<Result> {
  readonly result: Result;
  /** For how many milliseconds from now on it is certain that nothing has changed what the transaction has read; 0: for none. */
  leftMs(): number;
}

/** @param relied the grants that have answered all of the transaction's operations; null: not all were answered by warranties */
export async function firmResult<Result>(
  { environment, warranties }: { environment: Environment; warranties: Warranties },
  result: Result,
  relied: readonly Grant[] | null,
  forMs: number,
): Promise<FirmResult<Result>> {
  const mayBeFirm = relied !== null && relied.length > 0 && relied.length <= GRANTS_MAX;
  const untilMs = mayBeFirm ? await warranties.firm(relied, forMs) : -Infinity;
  return { result, leftMs: () => Math.max(0, untilMs - environment.monotonicMs()) };
}
