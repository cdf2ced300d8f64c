// The bids of a spike on one auction, for the invariant of bids (invariants/bids.ts). Visitors may bid on the auction too.

import type { Claret } from '@claret/client';
import { BIDS_KEPT_MAX } from '../../../apps/rubis/server/model.ts';
import { bidFindings, readBids, type AcknowledgedBid } from '../../invariants/bids.ts';
import { Findings } from '../../invariants/findings.ts';
import type { Checked } from './spike.ts';

export interface SpikeBid {
  id: string;
  bidder_id: string;
  amount_cents: number;
}

export class BidCheck {
  readonly #item_id: string;
  readonly #bidders: ReadonlySet<string>;
  /** the accepted bids that may be listed; trimmed now and then */
  #highest: SpikeBid[] = [];
  #trimmedAt = 8 * BIDS_KEPT_MAX;
  #accepted = 0;
  /** bids without a response */
  readonly #unsure: SpikeBid[] = [];
  /** responses that no transaction of the spike may get; each once */
  readonly #surprises = new Set<string>();

  /** @param bidders ids of the spike's bidders; all other bids are visitors' */
  constructor(item_id: string, bidders: ReadonlySet<string>) {
    this.#item_id = item_id;
    this.#bidders = bidders;
  }

  accepted(bid: SpikeBid): void {
    this.#accepted++;
    this.#highest.push(bid);
    if (this.#highest.length >= this.#trimmedAt) this.#trim();
  }

  /** Any of those that are as high as the lowest listed one may be listed. */
  #trim(): void {
    this.#highest.sort((a, b) => b.amount_cents - a.amount_cents);
    const lowest_cents = this.#highest[BIDS_KEPT_MAX - 1]!.amount_cents;
    this.#highest = this.#highest.filter(({ amount_cents }) => amount_cents >= lowest_cents);
    this.#trimmedAt = this.#highest.length + 8 * BIDS_KEPT_MAX;
  }

  get acknowledged(): number {
    return this.#accepted;
  }

  unsure(bid: SpikeBid): void {
    this.#unsure.push(bid);
  }

  surprised(what: string): void {
    this.#surprises.add(what);
  }

  async check(claret: Claret): Promise<Checked> {
    const stored = await readBids(claret, this.#item_id);
    const findings = new Findings('bids');
    for (const text of this.#surprises) findings.say(`auction ${this.#item_id}: ${text}`);
    const asMade = (outcome: AcknowledgedBid['outcome']) => (bid: SpikeBid) => ({ ...bid, max_cents: bid.amount_cents, outcome });
    findings.addAll(
      bidFindings(
        {
          item_id: this.#item_id,
          earlier: 0,
          accepted: this.#accepted,
          unknown: this.#unsure.length,
          others: true,
          bids: [...this.#highest.map(asMade('accepted')), ...this.#unsure.map(asMade('unknown'))],
          isOwn: ({ bidder }) => this.#bidders.has(bidder.id),
        },
        stored,
      ),
    );
    return { what: 'bids', acknowledged: this.#accepted, stored: stored.count, mismatches: findings.sentences() };
  }
}
