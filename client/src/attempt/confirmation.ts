// Confirmation: what a body was told by several shards goes together only if each of them still has the attempt after the last one has answered.
// A shard may end its part while the body runs, for an older transaction or since its session was lost, and the client learns of that a little
// later. Meanwhile others may change what was read there, and what else the body reads. An attempt that commits finds out by its votes. A body that
// throws asks, since its error might be due to something that never was.

import type { Branch } from './branch.ts';

/**
 * Calls `then` once all that the body was told is confirmed; at once if it was told only one thing.
 * @param relies it was also told results that are warranted
 */
export function confirm(branches: readonly Branch[], relies: boolean, then: () => void): void {
  const told = branches.filter((branch) => branch.issued.told && !branch.ended);
  let left = told.length;
  if (left + (relies ? 1 : 0) < 2) return then();
  for (const branch of told) {
    branch.confirm(() => {
      if (--left === 0) then();
    });
  }
}
