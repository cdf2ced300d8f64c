// A flash crowd: people browse the auction site, suddenly ten times as many, then as before. No visitor writes, as in RUBiS'
// browsing mix; most are not logged in.

import exec from 'k6/execution';
import { flash } from '../kit/arrival.ts';
import { AuctionVisitor } from '../kit/auction-visitor.ts';
import { stormOptions } from '../kit/crowd.ts';
import { auctionPeople, items, storm } from '../kit/data.ts';
import { begin, flag } from '../kit/marks.ts';
import { auctionPage } from '../../../kit/browser.ts';
import { pick, streams, zipfRank } from '../../../kit/random.ts';

const LOGGED_IN = 0.2;

const stream = streams(storm.seed, 'browser');
const curve = flash(storm.peak_per_s, storm.duration_s);

export const options = stormOptions({ browsers: { exec: 'browser', curve } });

export const setup = begin;
export const marks = () => flag(curve);

export function browser(): void {
  const random = stream(exec.scenario.iterationInTest);
  const visitor = new AuctionVisitor(random, random() < LOGGED_IN ? pick(random, auctionPeople) : null);
  const category = pick(random, storm.categories);
  const chance = random();
  // Approximately the shares of these pages in RUBiS' table (README.md), without those that lead to a write.
  if (chance < 0.1) visitor.look('Home', '/api/items');
  else if (chance < 0.2) visitor.look('Browse', '/api/popular');
  else if (chance < 0.45) visitor.look('SearchItemsInCategory', `/api/items?category=${category}`);
  else if (chance < 0.55) visitor.look('SearchItemsInRegion', `/api/items?category=${category}&region=${pick(random, storm.regions)}`);
  else if (chance < 0.6) visitor.look('Search', '/api/search?q=old%20lamp');
  else {
    const item = items[zipfRank(random, items.length)]!;
    visitor.look('ViewItem', auctionPage(item, true));
    if (chance > 0.9) visitor.look('ViewBidHistory', `/api/items/${item}/bids`);
  }
}
