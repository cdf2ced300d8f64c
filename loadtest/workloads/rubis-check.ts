// The check of the rubis workload: the store holds the acknowledged changes. The bids of every auction satisfy their invariant
// (invariants/bids.ts), and the closing of an auction saw its highest bid. The number of listed auctions equals those opened minus
// those closed. A person has as many ratings as comments were written about them. A mismatch is reported once: from then on the
// stored value counts.
//
// Without locks (`none`) each operation is still atomic, and all operations of a transaction are sent once it got that far. Counts,
// highest bids, the list and the ratings are still correct, because transactions only add to them. Decisions on values read are
// not: a bid may be accepted after its auction was closed, below its highest bid.

import { key } from '../../apps/rubis/server/model.ts';
import type { Auction } from './auctions.ts';
import { bidFindings, readBidCounts } from '../invariants/bids.ts';
import { sentenceOf } from '../invariants/findings.ts';
import { readAll, type Records } from '../kit/checking.ts';

export class RubisCheck {
  #open = 0;
  readonly #ratings = new Map<string, number>();
  /** since the last call of `mismatches` */
  #auctions: Auction[] = [];
  #closings: { auction: Auction; final_price_cents: number | null }[] = [];
  #rated = new Set<string>();
  /** results that no transaction of the workload may return */
  #surprises: string[] = [];

  opened(): void {
    this.#open++;
  }

  bidAccepted(auction: Auction, amount_cents: number): void {
    auction.bids++;
    if (amount_cents > auction.highest_cents) auction.highest_cents = amount_cents;
    if (auction.unchecked) return;
    auction.unchecked = true;
    this.#auctions.push(auction);
  }

  bidRefused({ item_id }: Auction, why: string): void {
    // A bid may by chance come after the end, or from the seller.
    if (why !== 'auction_closed' && why !== 'own_item') this.#surprises.push(`a bid on item ${item_id} was refused: ${why}`);
  }

  closed(auction: Auction, final_price_cents: number | null): void {
    this.#open--;
    this.#closings.push({ auction, final_price_cents });
  }

  closingRefused({ item_id }: Auction, why: string): void {
    this.#surprises.push(`closing item ${item_id} was refused: ${why}`);
  }

  commented(user_id: string): void {
    this.#ratings.set(user_id, (this.#ratings.get(user_id) ?? 0) + 1);
    this.#rated.add(user_id);
  }

  async mismatches(claret: Records): Promise<string[]> {
    const found = [...this.#inClosings(), ...(await this.#inAuctions(claret)), ...(await this.#inRatings(claret)), ...this.#surprises];
    this.#surprises = [];
    const [listed] = await claret.transact('Check', [claret.on.scoredSet(key.open_all).size()]);
    if (listed !== this.#open) found.push(`${key.open_all} lists ${listed} auctions; open are ${this.#open}`);
    this.#open = Number(listed);
    return found;
  }

  async #inAuctions(claret: Records): Promise<string[]> {
    const auctions = this.#auctions;
    this.#auctions = [];
    const stored = await readBidCounts(
      claret,
      auctions.map(({ item_id }) => item_id),
    );
    return auctions.flatMap((auction, i) => {
      auction.unchecked = false;
      const { item_id, bids, highest_cents } = auction;
      const known = { item_id, earlier: 0, accepted: bids, unknown: 0, others: false, highest_cents };
      const findings = bidFindings(known, stored[i]!);
      if (findings.length === 0) return [];
      auction.bids = stored[i]!.count;
      auction.highest_cents = stored[i]!.highest_cents ?? 0;
      // One auction is one mismatch.
      return [findings.map(sentenceOf).join('; ')];
    });
  }

  #inClosings(): string[] {
    const closings = this.#closings;
    this.#closings = [];
    return closings.flatMap(({ auction: { item_id, bids, highest_cents }, final_price_cents }) => {
      const highest = bids === 0 ? null : highest_cents;
      return final_price_cents === highest
        ? []
        : [`item ${item_id} closed at ${final_price_cents}; the highest bid accepted was ${highest}`];
    });
  }

  async #inRatings(claret: Records): Promise<string[]> {
    const rated = [...this.#rated];
    this.#rated = new Set();
    const counts = await readAll(
      claret,
      rated.map((user_id) => claret.on.summaryBag(key.rating(user_id)).count()),
    );
    return rated.flatMap((user_id, i) => {
      const written = this.#ratings.get(user_id)!;
      if (counts[i] === written) return [];
      this.#ratings.set(user_id, Number(counts[i]));
      return [`user ${user_id} has ${counts[i]} ratings; ${written} comments were written`];
    });
  }
}
