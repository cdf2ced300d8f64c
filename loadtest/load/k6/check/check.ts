// The check of a storm: whether the store holds what the storm's ledger says, and whether the records of each site agree.
//
// Its use: `before = await lookBefore(claret, data)` once all is prepared and nobody writes; then the storm; then
// `await check(…)`. The app servers must still be there, because they close auctions. The check writes nothing.
//
// The contract, by the outcome of a write:
//
//   accepted            it happened, once, wholly: on every record that it should be on, with the same time on all
//   refused, shed       it did not happen: its effect is found as something that nobody did
//   unknown, failed     it happened once, wholly, or not at all; each count that it would be in may be one higher
//
// Each room checks one family of invariants: bids, closings, stock, comments, indexes on the auctions; posts, reposts, follows,
// timelines on the timelines; people on both. The rules of bids, reposts and stock are in loadtest/invariants; their rooms only
// translate the ledger. Each room checks both directions: from the ledger to the store (is it there?) and, for everything with a
// time since `before`, from the store to the ledger (did anybody do that?). Some rules need no ledger: pieces that were bought,
// won and left make up the pieces offered, the lists of open auctions list the open ones, ratings agree with comments, timelines
// hold what pages hold.
//
// Times are compared where one machine made them, or machines whose clocks agree to a second.
//
// The check leaves out: reads during the storm (histories are for that, docs/history.md), bids that a TopK has forgotten except
// for their number, trending and the lists of the newest.

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
  /** false: others may have used the site too (--target); then what is there beyond the ledger is held against the storm's people alone */
  alone?: boolean;
  /** how long after its answer was lost a write may still be under way; by default longer than the sites give any request */
  decided_after_ms?: number;
  /** how long is waited for auctions to be closed that should be: app servers try again after a second */
  closed_within_ms?: number;
}

const AUCTION_ROOMS: readonly Room<AuctionsStorm>[] = [bids, closings, stock, comments, indexes];
const TIMELINE_ROOMS: readonly Room<TimelinesStorm>[] = [posts, reposts, follows, timelines];

/**
 * What does not hold, in sentences: the record's key, what was expected, what was found; of each family at most
 * SENTENCES_MAX and how many more. Empty: all holds.
 * @param ledger its lines, as they were written (JSON) or as they were read
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

/** No longer than from now on, whatever the ledger says of its times. */
async function untilDecided(decided_ms: number): Promise<void> {
  const left_ms = Math.min(decided_ms - Date.now(), DECIDED_AFTER_MS);
  if (left_ms > 0) await new Promise<void>((resolve) => setTimeout(resolve, left_ms));
}
