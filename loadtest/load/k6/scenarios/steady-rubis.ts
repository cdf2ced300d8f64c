// An ordinary day at the auction site, as RUBiS' own client emulator generates it: sessions that go from page to page by its
// transition table (kit/rubis-table.ts), with a think time on each page. Arrivals are sessions. RUBiS' think times are exponential
// with a mean of 7 s; here they are a tenth of that, so that whole sessions fit into a run.
//
// The storm's height is pages per second, which the crowd reaches at once: the average number of visitors arrives at the beginning.
// The first visitor sees each of the 27 pages once, so that each run covers all of them: the table itself never leads to
// PutCommentAuth.

import { sleep } from 'k6';
import exec from 'k6/execution';
import { sessions } from '../kit/arrival.ts';
import { stormOptions } from '../kit/crowd.ts';
import { storm } from '../kit/data.ts';
import { begin, flag } from '../kit/marks.ts';
import { exponential, streams } from '../../../kit/random.ts';
import { RubisVisitor } from '../kit/rubis-pages.ts';
import { STATES, type State } from '../kit/rubis-table.ts';
import { PAGES_PER_SESSION, Walk } from '../kit/rubis-walk.ts';

const THINK_MEAN_S = 0.7;
/** Session lengths vary: the number at once may exceed the average by this factor. */
const AT_ONCE_MOST = 1.8;
/** Number of categories that the tour searches for a buyable item. */
const BUYABLE_LISTS = 10;
const OVERTIME_MS = 5_000;
/** Shed requests are retried this often. */
const TRIES = 3;
const TRY_AGAIN_S = 0.3;

const stream = streams(storm.seed, 'session');
const session_s = PAGES_PER_SESSION * THINK_MEAN_S;
const curve = sessions(storm.peak_per_s / PAGES_PER_SESSION, session_s, storm.duration_s);
const ends_at_ms = storm.starts_at_ms + storm.duration_s * 1_000;

export const options = stormOptions({
  sessions: { exec: 'session', curve, users: storm.peak_per_s * THINK_MEAN_S * AT_ONCE_MOST },
});

export const setup = begin;
export const marks = () => flag(curve);

export function session(): void {
  const number = exec.scenario.iterationInTest;
  const random = stream(number);
  const visitor = new RubisVisitor(random);
  if (number === 0) return tour(visitor, random);
  const walk = new Walk(random);
  for (let state: State | null = walk.state; state !== null;) {
    state = visitor.come(state) ? walk.next() : walk.back();
    if (!think(random, THINK_MEAN_S)) return;
  }
}

/** In the table's order, in which each page finds what it needs; runs to the end, unless the storm is long over. */
function tour(visitor: RubisVisitor, random: () => number): void {
  for (const state of STATES) {
    if (state === 'BuyNow') visitor.lookForBuyable(BUYABLE_LISTS);
    for (let tries = 0; tries < TRIES && !visitor.come(state); tries++) sleep(TRY_AGAIN_S);
    think(random, Math.min(THINK_MEAN_S, storm.duration_s / STATES.length / 2));
    if (Date.now() > ends_at_ms + OVERTIME_MS) return;
  }
}

/** Returns false when the storm is over. */
function think(random: () => number, mean_s: number): boolean {
  sleep(Math.min(exponential(random, mean_s), Math.max(0, (ends_at_ms - Date.now()) / 1_000)));
  return Date.now() < ends_at_ms;
}
