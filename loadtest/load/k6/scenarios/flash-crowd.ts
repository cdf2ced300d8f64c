// A flash crowd: people browse the auction site, suddenly ten times as many, then as many as before. Nobody writes, as in RUBiS'
// browsing mix; most are not logged in.

import exec from 'k6/execution';
import { flash } from '../kit/arrival.ts';
import { AuctionVisit } from '../kit/auction-visit.ts';
import { stormOptions } from '../kit/crowd.ts';
import { auctionPeople, items, storm } from '../kit/data.ts';
import { begin, flag } from '../kit/marks.ts';
import { pick, streams, zipfRank } from '../../../kit/random.ts';

const LOGGED_IN = 0.2;

const stream = streams(storm.seed, 'browser');
const curve = flash(storm.peak_per_s, storm.duration_s);

export const options = stormOptions({ browsers: { exec: 'browser', curve } });

export const setup = begin;
export const marks = () => flag(curve);

export function browser(): void {
  const random = stream(exec.scenario.iterationInTest);
  const visit = new AuctionVisit(random, random() < LOGGED_IN ? pick(random, auctionPeople) : null);
  const category = pick(random, storm.categories);
  const chance = random();
  // About as RUBiS' table has these pages (README.md), without those that lead to a write.
  if (chance < 0.1) visit.look('Home', '/api/items');
  else if (chance < 0.2) visit.look('Browse', '/api/popular');
  else if (chance < 0.45) visit.look('SearchItemsInCategory', `/api/items?category=${category}`);
  else if (chance < 0.55) visit.look('SearchItemsInRegion', `/api/items?category=${category}&region=${pick(random, storm.regions)}`);
  else if (chance < 0.6) visit.look('Search', '/api/search?q=old%20lamp');
  else {
    const item = items[zipfRank(random, items.length)]!;
    visit.look('ViewItem', `/api/items/${item}`);
    if (chance > 0.9) visit.look('ViewBidHistory', `/api/items/${item}/bids`);
  }
}
