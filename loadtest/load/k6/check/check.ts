// The check of a storm: whether the store agrees with the storm's ledger, and whether the records of each site agree with each
// other.
//
// Usage: `before = await lookBefore(claret, data)` when all is prepared and there are no writes; then the storm; then `await
// check(…)`. The app servers must still be running, because they close auctions. The check writes nothing.
//
// The contract, by the outcome of a write:
//
//   accepted            it happened, once, completely: on every record concerned, with the same time on all
//   refused, shed       it did not happen: its effect is reported as an effect without a cause
//   unknown, failed     it happened once, completely, or not at all; each count concerned may be one higher
//
// Each room checks one family of invariants: bids, closings, stock, comments, indexes on the auctions; posts, reposts, follows,
// timelines on the timelines; people on both. The rules of bids, reposts and stock are in loadtest/invariants; their rooms only
// translate the ledger. Each room checks both directions: from the ledger to the store (is it there?) and, for everything with a
// time since `before`, from the store to the ledger (did a visitor do it?). Some rules need no ledger: the pieces bought, won and
// left add up to the pieces offered, the lists of open auctions contain the open ones, ratings agree with comments, timelines
// contain the entries of pages.
//
// Times are compared only if they are from one machine, or from machines whose clocks agree to a second.
//
// The check does not cover: reads during the storm (histories do, docs/history.md), bids that a TopK has dropped except for their
// number, trending and the lists of the newest.

import type { Claret } from '@claret/client';
import { SCENARIOS, type StormData } from '../storm.ts';
import type { Before } from './before.ts';
import type { Findings } from '../../../invariants/findings.ts';
import { readSite, type AuctionsStorm } from './auctions.ts';
import { bids } from './bids.ts';
import { closings } from './closings.ts';
import { comments } from './comments.ts';
import { follows } from './follows.ts';
import { indexes } from './indexes.ts';
import { Ledger } from './ledger.ts';
import { readIds, readPages, type TimelinesStorm } from './pages.ts';
import { people } from './people.ts';
import { posts } from './posts.ts';
import { reposts } from './reposts.ts';
import type { Room, Storm } from './room.ts';
import { stock } from './stock.ts';
import { Store } from '../../../kit/store.ts';
import { timelines } from './timelines.ts';

export { lookBefore, type Before } from './before.ts';

const DECIDED_AFTER_MS = 6_000;
const CLOSED_WITHIN_MS = 20_000;

export interface CheckOptions {
  /** false: others may have used the site too (--target); then effects beyond the ledger count only against the storm's people */
  alone?: boolean;
  /** how long after its response was lost a write may still take effect; by default longer than the sites' deadlines */
  decided_after_ms?: number;
  /** how long to wait for due auctions to be closed: app servers retry after a second */
  closed_within_ms?: number;
}

const AUCTION_ROOMS: readonly Room<AuctionsStorm>[] = [bids, closings, stock, comments, indexes];
const TIMELINE_ROOMS: readonly Room<TimelinesStorm>[] = [posts, reposts, follows, timelines];

/**
 * Returns violations as sentences: the record's key, what was expected, what was found; at most SENTENCES_MAX of each family and
 * the number of others. Empty: all invariants hold.
 * @param ledger its lines, as JSON texts or as parsed lines
 */
export async function check(
  ledger: Iterable<unknown> | AsyncIterable<unknown>,
  claret: Claret,
  data: StormData,
  before: Before,
  { alone = true, decided_after_ms = DECIDED_AFTER_MS, closed_within_ms = CLOSED_WITHIN_MS }: CheckOptions = {},
): Promise<string[]> {
  const read = new Ledger();
  for await (const line of ledger) read.take(line);
  await untilDecided(read.doubtful_until_ms + decided_after_ms);
  const storm: Storm = { data, before, writes: read.writes, store: new Store(claret), alone };
  const found: Findings[] = [read.findings, await people(storm)];
  if (SCENARIOS[data.scenario].sites.includes('auctions')) {
    const seen = await readSite(storm, closed_within_ms);
    for (const room of AUCTION_ROOMS) found.push(await room(seen));
  }
  if (SCENARIOS[data.scenario].sites.includes('timelines')) {
    const seen: TimelinesStorm = { ...storm, pages: await readPages(storm), ids: await readIds(storm) };
    for (const room of TIMELINE_ROOMS) found.push(await room(seen));
  }
  return found.flatMap((findings) => findings.sentences());
}

/** Bounded from now on, whatever times the ledger contains. */
async function untilDecided(decided_ms: number): Promise<void> {
  const left_ms = Math.min(decided_ms - Date.now(), DECIDED_AFTER_MS);
  if (left_ms > 0) await new Promise<void>((resolve) => setTimeout(resolve, left_ms));
}
