// The last minute of a famous auction: interest rises exponentially to its close (the paper, section 6.2). Three crowds:
//
//   bidders   most of them: they look at the hot auction and, nearly all, bid at once; now and then with a secret maximum
//   others    who are at the site for other things: browse, look at other auctions, bid there, sell, buy pieces while there are any and
//             say how that went
//   glances   who ask a gateway for the hot auction's state, by gRPC, past the site: all at one moment of one transaction
//
// After the close those who still come see how it ended.

import exec from 'k6/execution';
import { ITEM_FIELDS } from '../../../../apps/rubis/server/actions/item-info.ts';
import { key } from '../../../../apps/rubis/server/model.ts';
import { lastMinute, share } from '../kit/arrival.ts';
import { AuctionVisit } from '../kit/auction-visit.ts';
import { stormOptions } from '../kit/crowd.ts';
import { auctionPeople, items, needed, storm } from '../kit/data.ts';
import { integer, list, text, transact } from '../kit/grpc.ts';
import { begin, flag } from '../kit/marks.ts';
import { pick, zipfRank } from '../../../kit/random.ts';
import { tell } from '../kit/tell.ts';
import { visitors } from '../kit/visitors.ts';
import type { StormPerson } from '../storm.ts';

const BIDDERS = 0.7;
const OTHERS = 0.2;
const GLANCES = 0.1;
/** The rest only looks: with the others' looks this comes near the 52 views to 45 bids of the paper's bid-heavy mix (Table 3). */
const BIDS_AFTER_LOOK = 0.9;
const BIDS_SHOWN = 10;

const curve = lastMinute(storm.peak_per_s, storm.duration_s);
const hot = needed(storm.hot_item, 'hot_item');

export const options = stormOptions({
  bidders: { exec: 'bidder', curve: share(curve, BIDDERS) },
  others: { exec: 'other', curve: share(curve, OTHERS) },
  glances: { exec: 'glance', curve: share(curve, GLANCES) },
});

export const setup = begin;
export const marks = () => flag(curve);

const begins = (random: () => number, person: StormPerson) => new AuctionVisit(random, person);
const nextBidder = visitors('bidder', auctionPeople, begins);
const nextOther = visitors('other', auctionPeople, begins);

export function bidder(): void {
  const visit = nextBidder();
  const seen = visit.item('ViewItem', hot.id);
  if (seen !== null && visit.random() < BIDS_AFTER_LOOK) visit.bid(seen);
}

export function other(): void {
  const first = exec.scenario.iterationInTest === 0;
  const visit = nextOther();
  const chance = visit.random();
  // The first always does, so that each storm has a purchase and a comment to be checked.
  if (first || chance < 0.05) shop(visit);
  else if (chance < 0.45) visit.look('SearchItemsInCategory', `/api/items?category=${pick(visit.random, storm.categories)}`);
  else if (chance < 0.47) visit.open(pick(visit.random, storm.categories));
  else {
    const seen = visit.item('ViewItem', items[zipfRank(visit.random, items.length)]!);
    if (seen === null || chance < 0.75) return;
    if (chance < 0.78) visit.look('ViewUserInfo', `/api/users/${seen.seller_id}`);
    else visit.bid(seen);
  }
}

/** Buys a piece or two, where one is left, and thanks the seller, or does not. */
function shop(visit: AuctionVisit): void {
  const seen = visit.item('BuyNow', pick(visit.random, storm.pieces));
  if (seen !== null && seen.open && seen.left > 0 && visit.buy(seen).outcome === 'accepted') visit.comment(seen.id, seen.seller_id);
}

export function glance(): void {
  const answer = transact('Glance', 'Glance', [
    { key: key.item_info(hot.id), name: 'Dict.get', arguments: [list(ITEM_FIELDS.map(text))] },
    { key: key.item_bids(hot.id), name: 'TopK.top', arguments: [integer(BIDS_SHOWN)] },
    { key: key.item_bid_count(hot.id), name: 'Counter.value' },
  ]);
  tell('read', answer, '', { page: 'Glance', door: 'grpc' });
}
