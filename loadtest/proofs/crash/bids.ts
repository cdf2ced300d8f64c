// Bids made through app servers, as the drivers report them, for the invariant of bids (invariants/bids.ts). A bid is identified by
// its bidder and its amount: no bidder bids the same amount twice.

import type { Claret } from '@claret/client';
import { BIDS_KEPT_MAX } from '../../../apps/rubis/server/model.ts';
import { bidFindings, readBids, type AcknowledgedBid } from '../../invariants/bids.ts';
import { sentenceOf } from '../../invariants/findings.ts';
import { mapAtOnce } from '../../kit/at-once.ts';

export interface BidTold {
  item_id: string;
  bidder_id: string;
  amount_cents: number;
  /** `begun`: it is about to be sent; `unknown`: there was no response, or one without a definite outcome */
  outcome: 'begun' | 'accepted' | 'refused' | 'unknown';
  /** the site's id of the bid, if it is accepted */
  bid_id?: string;
  /** how often it was sent, always with one key; present when it has ended */
  sends?: number;
}

/** No auction gets more: so its TopK keeps all of them. */
export const BIDS_PER_AUCTION_MAX = BIDS_KEPT_MAX;

type Bids = Map<string, BidTold>;
const nameIn = (item: string, name: string) => `${item}: ${name}`;
const nameOf = ({ bidder_id, amount_cents }: Pick<BidTold, 'bidder_id' | 'amount_cents'>) => `${amount_cents} cents by ${bidder_id}`;

export class BidLedger {
  readonly #items = new Map<string, Bids>();
  accepted = 0;
  /** number of times that a bid was resent */
  sentAgain = 0;
  /** number of accepted bids of each item at the last check */
  readonly #checked = new Map<string, number>();
  /** items with bids reported since `takeTouched` */
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

  /** Number of accepted bids that have been checked. */
  get checked(): number {
    return [...this.#checked.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Names of all bids accepted so far. */
  acceptedNow(): Set<string> {
    const names = [...this.#items].flatMap(([item, bids]) =>
      [...bids].filter(([, { outcome }]) => outcome === 'accepted').map(([name]) => nameIn(item, name)),
    );
    return new Set(names);
  }

  /** Items with at least one of these bids. */
  itemsOf(accepted: ReadonlySet<string>): string[] {
    return [...this.#items]
      .filter(([item, bids]) => [...bids.keys()].some((name) => accepted.has(nameIn(item, name))))
      .map(([item]) => item);
  }

  /**
   * REQUIRES: no bid is in flight. Returns violations, one line each. `accepted`: for an earlier state that contains these bids,
   * and possibly others that have been made since.
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
/** For an earlier state: a bid that is accepted now may or may not be in it. */
const beforeNow = ({ outcome }: BidTold): AcknowledgedBid['outcome'] => (outcome === 'refused' ? 'refused' : 'unknown');
