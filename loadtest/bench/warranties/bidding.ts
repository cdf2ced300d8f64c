// Auctions whose pages visitors look at: a quiet one, on which nobody bids, and hot ones with a bidder each. It knows which bids were
// acknowledged when, and so what an answer must show.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Claret } from '@claret/client';
import { bid } from '../../../apps/rubis/server/actions/bid.ts';
import { openAuction } from '../../../apps/rubis/server/actions/open-auction.ts';
import { bidFindings, readBidCounts } from '../../invariants/bids.ts';
import { sentenceOf } from '../../invariants/findings.ts';

const HOT_AUCTIONS = 4;
/** between two bids on an auction: half of it to one and a half times */
const PAUSE_MS = 1_000;
const START_CENTS = 100;
const OPEN_MS = 24 * 3_600_000;
const SELLER = { id: 'u1', nickname: 'seller' };
const BIDDER = { id: 'u2', nickname: 'bidder' };

/** A bid that was acknowledged. */
interface Acknowledged {
  at_ms: number;
  took_ms: number;
}

export class Bidding {
  /** the quiet one first */
  readonly item_ids: readonly string[];
  readonly #claret: Claret;
  readonly #random: () => number;
  readonly #acknowledged: readonly Acknowledged[][];

  private constructor(claret: Claret, item_ids: readonly string[], random: () => number) {
    this.item_ids = item_ids;
    this.#claret = claret;
    this.#random = random;
    this.#acknowledged = item_ids.map(() => []);
  }

  static async open(claret: Claret, random: () => number): Promise<Bidding> {
    const now_ms = Date.now();
    const opening = {
      description: 'It is what it says.',
      category_id: 'c0',
      region_id: 'r0',
      seller: SELLER,
      start_price_cents: START_CENTS,
    };
    const times = { opened_at_ms: now_ms, closes_at_ms: now_ms + OPEN_MS };
    const titles = ['Quiet', ...Array.from({ length: HOT_AUCTIONS }, () => 'Hot')];
    const opened = await Promise.all(titles.map((title) => openAuction(claret, { title, ...opening, ...times })));
    return new Bidding(
      claret,
      opened.map(({ item_id }) => item_id),
      random,
    );
  }

  /** Bids on the hot auctions until told to stop, and for the last bid of each. */
  async run(signal: AbortSignal): Promise<void> {
    const pause = () => sleep(PAUSE_MS * (0.5 + this.#random()), undefined, { signal }).catch(() => {});
    const bidder = async (auction: number) => {
      for (await pause(); !signal.aborted; await pause()) await this.#bid(auction);
    };
    await Promise.all(this.item_ids.slice(1).map((_, i) => bidder(i + 1)));
  }

  async #bid(auction: number): Promise<void> {
    const own = this.#acknowledged[auction]!;
    const began_ms = performance.now();
    const item_id = this.item_ids[auction]!;
    const bids = { bidder: BIDDER, amount_cents: START_CENTS + own.length, placed_at_ms: Date.now(), bid_id: `b${auction}.${own.length}` };
    const { refused } = await bid(this.#claret, { item_id, ...bids });
    if (refused !== null) throw new Error(`a bid on ${item_id} was refused: ${refused}`);
    own.push({ at_ms: Date.now(), took_ms: performance.now() - began_ms });
  }

  /** How many bids had certainly been acknowledged before a request that began in this millisecond. */
  before(auction: number, began_ms: number): number {
    const first = this.#acknowledged[auction]!.findIndex(({ at_ms }) => at_ms >= began_ms);
    return first < 0 ? this.#acknowledged[auction]!.length : first;
  }

  /** The times of the bids that were under way in the span, also before it and after. */
  timesWithin(from_ms: number, until_ms: number): number[] {
    const within = this.#acknowledged.flat().filter(({ at_ms, took_ms }) => at_ms >= from_ms && at_ms - took_ms < until_ms);
    return within.map(({ took_ms }) => took_ms);
  }

  /** Call after `run`. */
  async mismatches(): Promise<string[]> {
    const stored = await readBidCounts(this.#claret, this.item_ids);
    return this.item_ids.flatMap((item_id, auction) => {
      const accepted = this.#acknowledged[auction]!.length;
      const highest_cents = accepted === 0 ? null : START_CENTS + accepted - 1;
      return bidFindings({ item_id, earlier: 0, accepted, unknown: 0, others: false, highest_cents }, stored[auction]!).map(sentenceOf);
    });
  }
}
