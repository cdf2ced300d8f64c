// Votes: the timestamps at which the shards have voted for an attempt. The greatest is its commit timestamp.

import type { Wide } from '../wire/wide.ts';

/** The vote holds for every commit timestamp, since it is in the shard's log. */
export const HOLDS: Wide = { high: 0, low: 0 };

export interface Vote {
  readonly votedAt: Wide;
  /**
   * The greatest commit timestamp for which the vote holds, even if the shard dies; 0: it holds for all. An attempt that only
   * observes leaves no vote in a shard's log, so its votes are limited.
   */
  readonly holdsUntil: Wide;
}

/** 0 if there are no votes. */
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
