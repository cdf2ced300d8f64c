// The auctions of the rubis workload, their popularity, and their time.
//
// Popularity has a Zipf distribution with alpha 1. Interest in an auction rises exponentially towards its end, as observed by the
// studies that the paper follows (section 6.2): by a factor of e in each `rise_ms`, from a minimum level. Time is the workload's
// own: by default the end of the auction that was closed last, so that a run does the same whatever its speed; or it is a clock's,
// for runs that measure speed.

import { Weighted } from './weighted.ts';
import { Zipf, zipfWeights } from './zipf.ts';

export interface Auction {
  item_id: string;
  rank: number;
  closes_at_ms: number;
  category: number;
  region: number;
  /** number of accepted bids */
  bids: number;
  /** the highest of them; 0: none */
  highest_cents: number;
  /** has accepted bids that are not checked yet */
  unchecked: boolean;
}

export const EPOCH_MS = 1_500_000_000_000;
const ALPHA = 1;
/** The least interest in an auction, long before its end, relative to that at its end. */
const FAR = 0.05;
/** The weights are recomputed this often in the time in which interest rises by a factor of e. */
const WEIGHED_PER_RISE = 64;
/** An auction that has ended since the weights were computed is drawn again, up to this often. */
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
  /** by end, soonest first, from `#nextToEnd` on */
  #ending: Auction[] = [];
  #nextToEnd = 0;
  #endedLast_ms = EPOCH_MS;
  #weighedAt_ms = Number.NEGATIVE_INFINITY;

  /** @param clock ms of the workload's time; null: the time of the last end */
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

  /** Replaces the auction at its rank. */
  put(auction: Auction): void {
    this.#byRank[auction.rank] = auction;
  }

  /** Adds an auction for `takeEnding`: it ends later than all others. */
  willEnd(auction: Auction): void {
    this.#ending.push(auction);
  }

  /** Sorts all auctions by their ends. */
  order(): void {
    this.#ending = [...this.#byRank].sort((a, b) => a.closes_at_ms - b.closes_at_ms);
    this.#nextToEnd = 0;
  }

  /** Takes the auction that ends next, and advances the time to its end. Undefined: none is left. */
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

  /** The auction could not be closed: it is the next to end again. */
  putBack(auction: Auction): void {
    if (this.#nextToEnd > 0) this.#ending[--this.#nextToEnd] = auction;
    else this.#ending.unshift(auction);
  }

  /** Draws an auction by popularity alone. */
  popular(): Auction {
    return this.#byRank[this.#popular.draw(this.#random())]!;
  }

  /** Draws an auction by current interest: popular ones, and those that end soon. It is most likely open. */
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
