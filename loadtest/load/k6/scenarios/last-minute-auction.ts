// The last minute of a famous auction: interest rises exponentially until its close (the paper, section 6.2). Three crowds:
//
//   bidders   the majority: they look at the hot auction and nearly all bid at once, sometimes with a secret maximum
//   others    visitors with other aims: they browse, look at other auctions, bid there, sell, buy pieces while there are any, and
//             comment
//   glances   clients that read the hot auction's state from a gateway by gRPC, bypassing the site, in one transaction
//
// After the close, later visitors see the result.

import exec from 'k6/execution';
import { ITEM_FIELDS } from '../../../../apps/rubis/server/actions/item-info.ts';
import { key } from '../../../../apps/rubis/server/model.ts';
import { lastMinute, share } from '../kit/arrival.ts';
import { AuctionVisitor } from '../kit/auction-visitor.ts';
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
/** The rest only looks: with the other views this approximates the 52 views to 45 bids of the paper's bid-heavy mix (Table 3). */
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

const begins = (random: () => number, person: StormPerson) => new AuctionVisitor(random, person);
const nextBidder = visitors('bidder', auctionPeople, begins);
const nextOther = visitors('other', auctionPeople, begins);

export function bidder(): void {
  const visitor = nextBidder();
  const seen = visitor.item('ViewItem', hot.id);
  if (seen !== null && visitor.random() < BIDS_AFTER_LOOK) visitor.bid(seen);
}

export function other(): void {
  const first = exec.scenario.iterationInTest === 0;
  const visitor = nextOther();
  const chance = visitor.random();
  // The first visitor always shops, so that each storm has a purchase and a comment to check.
  if (first || chance < 0.05) shop(visitor);
  else if (chance < 0.45) visitor.look('SearchItemsInCategory', `/api/items?category=${pick(visitor.random, storm.categories)}`);
  else if (chance < 0.47) visitor.open(pick(visitor.random, storm.categories));
  else {
    const seen = visitor.item('ViewItem', items[zipfRank(visitor.random, items.length)]!);
    if (seen === null || chance < 0.75) return;
    if (chance < 0.78) visitor.look('ViewUserInfo', `/api/users/${seen.seller_id}`);
    else visitor.bid(seen);
  }
}

/** Buys a piece or two if some are left, and may comment on the seller. */
function shop(visitor: AuctionVisitor): void {
  const seen = visitor.item('BuyNow', pick(visitor.random, storm.pieces));
  if (seen !== null && seen.open && seen.left > 0 && visitor.buy(seen).outcome === 'accepted') visitor.comment(seen.id, seen.seller_id);
}

export function glance(): void {
  const answer = transact('Glance', 'Glance', [
    { key: key.item_info(hot.id), name: 'Dict.get', arguments: [list(ITEM_FIELDS.map(text))] },
    { key: key.item_bids(hot.id), name: 'TopK.top', arguments: [integer(BIDS_SHOWN)] },
    { key: key.item_bid_count(hot.id), name: 'Counter.value' },
  ]);
  tell('read', answer, '', { page: 'Glance', door: 'grpc' });
}
