// The initial data of rubis: people and earlier bids, written directly into the records, many operations per message. Auctions are
// opened by the site's own transaction.

import type { Description } from '@claret/client';
import { bidItem, key } from '../../apps/rubis/server/model.ts';
import { EPOCH_MS, type Auctions } from './auctions.ts';
import type { Records } from '../kit/checking.ts';
import { writeAll } from './writing.ts';
import { zipfWeights } from './zipf.ts';

/** On average (the paper, section 6.2). */
export const BIDS_PER_AUCTION = 10;
export const START_PRICE_CENTS = 100;
const LOADED_RAISE_CENTS = 50;
/** The number of bids that a TopK keeps: lower bids are only counted. */
const BIDS_KEPT = 128;

const PEOPLE: { id: string; nickname: string }[] = [];

/** The person with that number; always the same object, which avoids allocations for each transaction. */
export function person(number: number): { id: string; nickname: string } {
  while (PEOPLE.length <= number) PEOPLE.push({ id: `b${PEOPLE.length}`, nickname: `b${PEOPLE.length}` });
  return PEOPLE[number]!;
}

export function loadPeople(claret: Records, count: number): Promise<void> {
  const writes = Array.from({ length: count }, (_, number) => {
    const { id, nickname } = person(number);
    return claret.on.dict(key.profile(id)).set({ nickname, region: 'r0', created_at_ms: EPOCH_MS });
  });
  return writeAll(claret, writes);
}

/** Zipf-distributed by the auctions' popularity; each bid is higher than the previous one. */
export function loadBids(claret: Records, auctions: Auctions, people: number): Promise<void> {
  const weights = zipfWeights(auctions.ranks, 1);
  const all = (BIDS_PER_AUCTION * auctions.ranks) / weights.reduce((sum, weight) => sum + weight, 0);
  const writes: Description<unknown>[] = [];
  for (let rank = 0; rank < auctions.ranks; rank++) {
    const auction = auctions.at(rank);
    const bids = Math.round(all * weights[rank]!);
    if (bids === 0) continue;
    writes.push(claret.on.counter(key.item_bid_count(auction.item_id)).add(bids));
    for (let number = Math.max(0, bids - BIDS_KEPT); number < bids; number++) {
      const { id, nickname } = person((rank + number) % people);
      const item = bidItem({ id: `l${number.toString(36)}`, bidder_id: id, bidder_nickname: nickname, placed_at_ms: EPOCH_MS });
      auction.highest_cents = START_PRICE_CENTS + LOADED_RAISE_CENTS * number;
      writes.push(claret.on.topK(key.item_bids(auction.item_id)).add(item, auction.highest_cents));
    }
    auction.bids = bids;
  }
  return writeAll(claret, writes);
}
