// Votes: the timestamps at which the shards have voted for an attempt. The greatest is its commit's.

import type { Wide } from './wire/client-frame.ts';

/** Holds for commit timestamps without a limit: the vote is in the shard's log. */
export const HOLDS: Wide = { high: 0, low: 0 };

export interface Vote {
  readonly votedAt: Wide;
  /**
   * An attempt that only observes leaves no vote in a shard's log: it holds for commit timestamps up to here, whatever
   * becomes of the shard. 0: for all.
   */
  readonly holdsUntil: Wide;
}

/** 0 where there are none. */
export function greatestVote(votes: readonly Vote[]): Wide {
  let greatest: Wide = { high: 0, low: 0 };
  for (const { votedAt } of votes) if (isAbove(votedAt, greatest)) greatest = votedAt;
  return greatest;
}

export function holdsFor({ holdsUntil }: Vote, at: Wide): boolean {
  return (holdsUntil.high === 0 && holdsUntil.low === 0) || !isAbove(at, holdsUntil);
}

function isAbove(a: Wide, b: Wide): boolean {
  return a.high > b.high || (a.high === b.high && a.low > b.low);
}
