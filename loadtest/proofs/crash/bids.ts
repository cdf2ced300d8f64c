// Bids made through app servers, as the drivers report them, for the invariant of bids (invariants/bids.ts). A bid is known by its bidder
// and its amount: no bidder bids the same amount twice.

import type { Claret } from '@claret/client';
import { BIDS_KEPT_MAX } from '../../../apps/rubis/server/model.ts';
import { bidFindings, readBids, type AcknowledgedBid } from '../../invariants/bids.ts';
import { sentenceOf } from '../../invariants/findings.ts';
import { mapAtOnce } from '../../kit/at-once.ts';

export interface BidTold {
  item_id: string;
  bidder_id: string;
  amount_cents: number;
  /** `begun`: it is about to be sent; `unknown`: no answer came, or one that does not tell */
  outcome: 'begun' | 'accepted' | 'refused' | 'unknown';
  /** the site's name of it, where it is accepted */
  bid_id?: string;
  /** how often it was sent, all with one key, once that is over */
  sends?: number;
}

/** No auction gets more: then its TopK has kept all of them. */
export const BIDS_PER_AUCTION_MAX = BIDS_KEPT_MAX;

type Bids = Map<string, BidTold>;
const nameIn = (item: string, name: string) => `${item}: ${name}`;
const nameOf = ({ bidder_id, amount_cents }: Pick<BidTold, 'bidder_id' | 'amount_cents'>) => `${amount_cents} cents by ${bidder_id}`;

export class BidLedger {
  readonly #items = new Map<string, Bids>();
  accepted = 0;
  /** times that a bid was sent again */
  sentAgain = 0;
  /** accepted bids of each item, when it was looked at last */
  readonly #checked = new Map<string, number>();
  /** items with bids told since `takeTouched` */
  #touched = new Set<string>();

  take(told: BidTold): void {
    let bids = this.#items.get(told.item_id);
    if (bids === undefined) this.#items.set(told.item_id, (bids = new Map()));
    bids.set(nameOf(told), told);
    this.#touched.add(told.item_id);
    if (told.outcome === 'accepted') this.accepted++;
    this.sentAgain += (told.sends ?? 1) - 1;
  }

  get items(): string[] {
    return [...this.#items.keys()];
  }

  takeTouched(): string[] {
    const touched = [...this.#touched];
    this.#touched = new Set();
    return touched;
  }

  /** Accepted bids that have been looked for. */
  get checked(): number {
    return [...this.#checked.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Names of all bids that are accepted by now. */
  acceptedNow(): Set<string> {
    const names = [...this.#items].flatMap(([item, bids]) =>
      [...bids].filter(([, { outcome }]) => outcome === 'accepted').map(([name]) => nameIn(item, name)),
    );
    return new Set(names);
  }

  /** Items of which some are among these. */
  itemsOf(accepted: ReadonlySet<string>): string[] {
    return [...this.#items]
      .filter(([item, bids]) => [...bids.keys()].some((name) => accepted.has(nameIn(item, name))))
      .map(([item]) => item);
  }

  /**
   * REQUIRES: nothing is under way. What is wrong, a line each. `accepted`: of a state of some time ago, which holds these bids, and perhaps
   * others that were made by now.
   */
  async mismatches(claret: Claret, items: readonly string[], accepted?: ReadonlySet<string>): Promise<string[]> {
    const found = await mapAtOnce(items.length, (number) => this.#inItem(claret, items[number]!, accepted));
    return found.flat();
  }

  async #inItem(claret: Claret, item_id: string, accepted: ReadonlySet<string> | undefined): Promise<string[]> {
    const told = this.#items.get(item_id) ?? new Map<string, BidTold>();
    const bids = [...told].map(([name, bid]): AcknowledgedBid => {
      const outcome = accepted === undefined ? outcomeOf(bid) : accepted.has(nameIn(item_id, name)) ? 'accepted' : beforeNow(bid);
      const { bidder_id, amount_cents, bid_id } = bid;
      return { id: bid_id === '' ? undefined : bid_id, bidder_id, amount_cents, max_cents: amount_cents, outcome };
    });
    const count = (outcome: AcknowledgedBid['outcome']) => bids.filter((bid) => bid.outcome === outcome).length;
    if (accepted === undefined) this.#checked.set(item_id, count('accepted'));
    const stored = await readBids(claret, item_id, [...new Set(bids.map(({ bidder_id }) => bidder_id))]);
    const known = { item_id, earlier: 0, accepted: count('accepted'), unknown: count('unknown'), others: false, bids };
    return bidFindings(known, stored).map(sentenceOf);
  }
}

const outcomeOf = ({ outcome }: BidTold): AcknowledgedBid['outcome'] => (outcome === 'begun' ? 'unknown' : outcome);
/** In an earlier state: a bid that is accepted by now may have been there or not. */
const beforeNow = ({ outcome }: BidTold): AcknowledgedBid['outcome'] => (outcome === 'refused' ? 'refused' : 'unknown');
