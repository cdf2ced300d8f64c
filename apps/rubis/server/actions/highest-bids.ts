// The highest bids of an auction, as many as are needed to determine its price.
import type { Bid } from '../price.ts';
import { determinesPrice } from '../price.ts';
import { BIDS_KEPT_MAX, bidItem, parseBidItem } from '../model.ts';

export type Scored = readonly [item: string, score: number];

export function parseBid([item, max_cents]: Scored): Bid {
  const { id, bidder_id, bidder_nickname, placed_at_ms, amount_cents } = parseBidItem(item);
  const bidder = { id: bidder_id, nickname: bidder_nickname };
  return { id, bidder, placed_at_ms, amount_cents: amount_cents ?? max_cents, max_cents };
}

// The bids of an auction that is read again and again: each is parsed once.
export class ParsedBids {
  #bids = new Map<string, Bid>();

  parse(scored: readonly Scored[]): Bid[] {
    const before = this.#bids;
    this.#bids = new Map();
    return scored.map((one) => {
      const known = before.get(one[0]);
      const bid = known?.max_cents === one[1] ? known : parseBid(one);
      this.#bids.set(one[0], bid);
      return bid;
    });
  }
}

// The inverse: the bid as an item of the TopK, with its score.
export function scoredBid({ id, bidder, placed_at_ms, amount_cents, max_cents }: Bid): [item: string, score: number] {
  const amount = amount_cents === max_cents ? null : amount_cents;
  const item = bidItem({ id, bidder_id: bidder.id, bidder_nickname: bidder.nickname, placed_at_ms, amount_cents: amount });
  return [item, max_cents];
}

// For the price alone: mostly the leader's and a rival's bid determine it.
export const PRICE_PREFIXES = [2, 16, BIDS_KEPT_MAX] as const;

// Reads more and more bids until they determine the price. `read(n)` gives the n highest.
export async function readPrice(read: (asked: number) => Promise<readonly Scored[]>): Promise<Bid[]> {
  let bids: Bid[] = [];
  for (const asked of PRICE_PREFIXES) {
    bids = (await read(asked)).map(parseBid);
    if (determinesPrice(bids, asked)) break;
  }
  return bids;
}
