// Votes: the timestamps at which the shards have voted for an attempt. The greatest is its commit's.

import type { Wide } from './wire/client-frame.ts';

/**
 * A shard that restarts begins this far above the timestamps that it can have given. An attempt that only observes leaves
 * no trace in the shards' logs: its locks are good for timestamps up to here above its vote, whether the shard has
 * restarted since or not.
 */
const APART_MS_MAX = 5_000;
const TICKS_PER_MS = 4_000;

type Votes = readonly { readonly votedAt: Wide }[];

/** 0 where there are none. */
export function greatestVote(votes: Votes): Wide {
  let greatest: Wide = { high: 0, low: 0 };
  for (const { votedAt } of votes) {
    if (votedAt.high > greatest.high || (votedAt.high === greatest.high && votedAt.low > greatest.low)) greatest = votedAt;
  }
  return greatest;
}

/** Of an attempt that only observes: there may have been no time at which all that it saw stood. */
export function areTooFarApart(votes: Votes): boolean {
  if (votes.length < 2) return false;
  const ticks = votes.map(({ votedAt }) => (votedAt.high * 0x1_0000_0000 + votedAt.low) / 0x100);
  return (Math.max(...ticks) - Math.min(...ticks)) / TICKS_PER_MS > APART_MS_MAX;
}
