// Bids made through app servers, as the visitors who made them know them, held against the store: every accepted bid is there, none is half
// there, none twice, and none that was refused or never made. A bid is known by its bidder and its amount, which none makes twice.

import type { Claret } from '@claret/client';
import { BIDS_KEPT_MAX, key } from '../../../apps/rubis/server/model.ts';
import { parseBid, type Scored } from '../../../apps/rubis/server/actions/highest-bids.ts';
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
    const bidders = [...new Set([...told.values()].map(({ bidder_id }) => bidder_id))];
    const { bids, count, lists } = await read(claret, item_id, bidders);
    const mustBeThere = (name: string, outcome: BidTold['outcome']) =>
      accepted === undefined ? outcome === 'accepted' : accepted.has(nameIn(item_id, name));
    if (accepted === undefined) this.#checked.set(item_id, [...told.values()].filter(({ outcome }) => outcome === 'accepted').length);
    const wrong: string[] = [];
    for (const { id, bidder, amount_cents } of bids) {
      const { bid_id = id } = told.get(nameOf({ bidder_id: bidder.id, amount_cents })) ?? {};
      if (bid_id !== id) wrong.push(`${nameOf({ bidder_id: bidder.id, amount_cents })} was answered as ${bid_id}, and is there as ${id}`);
    }
    const names = bids.map(({ bidder, amount_cents }) => nameOf({ bidder_id: bidder.id, amount_cents }));
    const present = new Set(names);
    for (const [name, { outcome }] of told) {
      if (mustBeThere(name, outcome) && !present.has(name)) wrong.push(`lost: ${name} was accepted`);
      if (outcome === 'refused' && present.has(name)) wrong.push(`${name} was refused, and is there`);
    }
    for (const name of present) if (!told.has(name)) wrong.push(`${name} is there, and was never made`);
    if (present.size < names.length) wrong.push(`${names.length - present.size} bids are there twice`);
    if (count !== names.length) wrong.push(`half a bid: there are ${names.length}, the count says ${count}`);
    bidders.forEach((bidder_id, i) => {
      const has = bids.some(({ bidder }) => bidder.id === bidder_id);
      if (has !== (lists[i] !== null)) {
        wrong.push(
          `half a bid: ${bidder_id} has ${has ? 'a' : 'no'} bid on it, and it is ${has ? 'not ' : ''}on the list of what they bid on`,
        );
      }
    });
    return wrong.map((what) => `item ${item_id}: ${what}`);
  }
}

/** In one transaction over the shards of the item and of all who bid on it. */
async function read(claret: Claret, item_id: string, bidders: readonly string[]) {
  const [count, top, ...lists] = await claret.transact('Check', [
    claret.on.counter(key.item_bid_count(item_id)).value(),
    claret.on.topK(key.item_bids(item_id)).top(BIDS_KEPT_MAX),
    ...bidders.map((bidder_id) => claret.on.scoredSet(key.bidding(bidder_id)).score(item_id)),
  ]);
  return { count: Number(count), bids: (top as Scored[]).map(parseBid), lists: lists as (number | null)[] };
}
