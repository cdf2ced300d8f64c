// What a bid spike knows to be accepted, held against what is stored. Of its own bids, those that the auction still lists
// are checked one by one. Visitors may have bid too: their bids may make the counter greater, never smaller.

import type { Claret } from '@claret/client';
import { key, parseBidItem } from '../../../apps/rubis/server/model.ts';

/** What a TopK keeps. */
const BIDS_KEPT = 128;

export class BidCheck {
  readonly #item_id: string;
  readonly #bidders: ReadonlySet<string>;
  /** the highest accepted, by id; now and then cut down to as many as the list keeps */
  #highest = new Map<string, number>();
  #accepted = 0;
  /** nobody could say what became of them */
  readonly #unsure = new Set<string>();
  /** what no transaction may be told; each once */
  readonly #surprises = new Set<string>();

  /** @param bidders ids of those who bid here; bids of others are visitors' */
  constructor(item_id: string, bidders: ReadonlySet<string>) {
    this.#item_id = item_id;
    this.#bidders = bidders;
  }

  accepted(bid_id: string, amount_cents: number): void {
    this.#accepted++;
    this.#highest.set(bid_id, amount_cents);
    if (this.#highest.size > 8 * BIDS_KEPT) {
      this.#highest = new Map([...this.#highest].sort(([, a], [, b]) => b - a).slice(0, BIDS_KEPT));
    }
  }

  unsure(bid_id: string): void {
    this.#unsure.add(bid_id);
  }

  surprised(what: string): void {
    this.#surprises.add(what);
  }

  async mismatches(claret: Claret): Promise<string[]> {
    const bids = claret.on.topK(key.item_bids(this.#item_id));
    const [count, kept, listed] = await claret.transact('Check', [
      claret.on.counter(key.item_bid_count(this.#item_id)).value(),
      bids.size(),
      bids.top(BIDS_KEPT),
    ]);
    const found = [...this.#surprises, ...this.#inList(listed)];
    if (Number(count) < this.#accepted) found.push(`${count} bids are counted; accepted were ${this.#accepted}`);
    if (Number(kept) !== Math.min(Number(count), BIDS_KEPT)) found.push(`${kept} bids are kept of ${count}`);
    return found.map((text) => `auction ${this.#item_id}: ${text}`);
  }

  #inList(listed: readonly (readonly [string, number])[]): string[] {
    const bids = listed.map(([item, amount_cents]) => ({ ...parseBidItem(item), amount_cents }));
    const ids = new Set(bids.map(({ id }) => id));
    // Of equal amounts, some may have been pushed out.
    const lowest_cents = bids.length < BIDS_KEPT ? 0 : bids.at(-1)!.amount_cents;
    const lost = [...this.#highest].filter(([id, amount_cents]) => amount_cents > lowest_cents && !ids.has(id));
    const unknown = bids.filter(
      ({ id, bidder_id, amount_cents }) => this.#bidders.has(bidder_id) && !this.#unsure.has(id) && this.#highest.get(id) !== amount_cents,
    );
    return [
      ...lost.map(([id, amount_cents]) => `bid ${id} of ${amount_cents} cents was accepted and is not listed`),
      ...unknown.map(({ id, amount_cents }) => `bid ${id} of ${amount_cents} cents is listed and was never accepted`),
    ];
  }
}
