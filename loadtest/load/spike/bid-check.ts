// The bids of a spike on one auction, for the invariant of bids (invariants/bids.ts). Visitors may bid on the auction too.

import type { Claret } from '@claret/client';
import { BIDS_KEPT_MAX } from '../../../apps/rubis/server/model.ts';
import { bidFindings, readBids, type AcknowledgedBid } from '../../invariants/bids.ts';
import { Findings } from '../../invariants/findings.ts';

export interface SpikeBid {
  id: string;
  bidder_id: string;
  amount_cents: number;
}

export class BidCheck {
  readonly #item_id: string;
  readonly #bidders: ReadonlySet<string>;
  /** the highest accepted bids; trimmed now and then to the length of the list */
  #highest: SpikeBid[] = [];
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
    if (this.#highest.length > 8 * BIDS_KEPT_MAX) {
      this.#highest = this.#highest.sort((a, b) => b.amount_cents - a.amount_cents).slice(0, BIDS_KEPT_MAX);
    }
  }

  unsure(bid: SpikeBid): void {
    this.#unsure.push(bid);
  }

  surprised(what: string): void {
    this.#surprises.add(what);
  }

  async mismatches(claret: Claret): Promise<string[]> {
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
        await readBids(claret, this.#item_id),
      ),
    );
    return findings.sentences();
  }
}
