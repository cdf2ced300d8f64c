// FirmResult: what a transaction has read, and how long that is certain to stay as it is.

import type { Environment } from '../environment/environment.ts';
import type { Grant } from './grant.ts';
import type { Warranties } from './warranties.ts';

/** If a result rests on more grants than that, it is not made firm. */
const GRANTS_MAX = 64;

export interface FirmResult<Result> {
  readonly result: Result;
  /**
   * The number of milliseconds from now on for which nothing changes what the transaction has read; 0: for none. An application that keeps the
   * result calls this at each use: the number is 0 once the machine was suspended.
   */
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
  const { losses } = warranties;
  const leftMs = (): number => {
    const nowMs = environment.monotonicMs();
    warranties.look(nowMs);
    return warranties.losses === losses ? Math.max(0, untilMs - nowMs) : 0;
  };
  return { result, leftMs };
}
