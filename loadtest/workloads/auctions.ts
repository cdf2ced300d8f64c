// The auctions of the rubis workload, their popularity, and the time they live in.
//
// Popularity is zipfian with alpha 1. Interest in an auction rises exponentially to its end, as observed by the studies that the
// paper follows (section 6.2): by e in each `rise_ms`, from a level that it never falls below. Time is the workload's own. It is
// the end of the auction that was closed last, so that a run does the same whatever its speed; or it is a clock's, for runs that
// measure speed.

import { Weighted } from './weighted.ts';
import { Zipf, zipfWeights } from './zipf.ts';

export interface Auction {
  item_id: string;
  rank: number;
  closes_at_ms: number;
  category: number;
  region: number;
  /** bids that were accepted */
  bids: number;
  /** the highest of them; 0: none */
  highest_cents: number;
  /** what was accepted since the last check is not checked yet */
  unchecked: boolean;
}

export const EPOCH_MS = 1_500_000_000_000;
const ALPHA = 1;
/** Interest in an auction that ends later than anybody cares about, to that in one that ends now. */
const FAR = 0.05;
/** So often in the time in which interest rises by e it is weighed anew. */
const WEIGHED_PER_RISE = 64;
/** One that has ended since is drawn again. */
const DRAWS_MAX = 8;

export class Auctions {
  readonly #random: () => number;
  readonly #rise_ms: number;
  readonly #clock: (() => number) | null;
  readonly #byRank: Auction[];
  readonly #popularity: Float64Array;
  readonly #interest: Float64Array;
  readonly #wanted: Weighted;
  readonly #popular: Zipf;
  /** by their end, soonest first, from `#nextToEnd` on */
  #ending: Auction[] = [];
  #nextToEnd = 0;
  #endedLast_ms = EPOCH_MS;
  #weighedAt_ms = Number.NEGATIVE_INFINITY;

  /** @param clock ms of the workload's time, where it is not to be that of the last end */
  constructor(ranks: number, rise_ms: number, random: () => number, clock: (() => number) | null) {
    this.#random = random;
    this.#rise_ms = rise_ms;
    this.#clock = clock;
    this.#byRank = new Array<Auction>(ranks);
    this.#popularity = zipfWeights(ranks, ALPHA);
    this.#interest = this.#popularity.slice();
    this.#wanted = new Weighted(this.#interest);
    this.#popular = new Zipf(ranks, ALPHA);
  }

  get ranks(): number {
    return this.#byRank.length;
  }

  nowMs(): number {
    return this.#clock === null ? this.#endedLast_ms : this.#clock();
  }

  at(rank: number): Auction {
    return this.#byRank[rank]!;
  }

  /** In place of what is known at its rank. */
  put(auction: Auction): void {
    this.#byRank[auction.rank] = auction;
  }

  /** It is among those that `takeEnding` gives: later than all of them. */
  willEnd(auction: Auction): void {
    this.#ending.push(auction);
  }

  /** Puts all that are known in the order of their ends. */
  order(): void {
    this.#ending = [...this.#byRank].sort((a, b) => a.closes_at_ms - b.closes_at_ms);
    this.#nextToEnd = 0;
  }

  /** The one that ends next, and brings time to its end. Undefined: none is left. */
  takeEnding(): Auction | undefined {
    if (this.#nextToEnd === this.#ending.length) return undefined;
    const auction = this.#ending[this.#nextToEnd++]!;
    if (this.#nextToEnd > 4_096 && this.#nextToEnd * 2 > this.#ending.length) {
      this.#ending = this.#ending.slice(this.#nextToEnd);
      this.#nextToEnd = 0;
    }
    this.#endedLast_ms = Math.max(this.#endedLast_ms, auction.closes_at_ms);
    return auction;
  }

  /** Could not be closed: it ends next. */
  putBack(auction: Auction): void {
    if (this.#nextToEnd > 0) this.#ending[--this.#nextToEnd] = auction;
    else this.#ending.unshift(auction);
  }

  /** One by popularity alone. */
  popular(): Auction {
    return this.#byRank[this.#popular.draw(this.#random())]!;
  }

  /** One that somebody cares about now: the popular, and those that end soon. Most likely it is open. */
  wanted(): Auction {
    const now_ms = this.nowMs();
    if (now_ms - this.#weighedAt_ms > this.#rise_ms / WEIGHED_PER_RISE) this.#weigh(now_ms);
    let auction = this.#byRank[this.#wanted.draw(this.#random())]!;
    for (let draws = 1; draws < DRAWS_MAX && auction.closes_at_ms <= now_ms; draws++) {
      auction = this.#byRank[this.#wanted.draw(this.#random())]!;
    }
    return auction;
  }

  #weigh(now_ms: number): void {
    this.#weighedAt_ms = now_ms;
    const interest = this.#interest;
    let any = false;
    for (let rank = 0; rank < interest.length; rank++) {
      const left_ms = this.#byRank[rank]!.closes_at_ms - now_ms;
      interest[rank] = left_ms <= 0 ? 0 : this.#popularity[rank]! * Math.max(FAR, Math.exp(-left_ms / this.#rise_ms));
      any ||= left_ms > 0;
    }
    this.#wanted.weigh(any ? interest : this.#popularity);
  }
}
