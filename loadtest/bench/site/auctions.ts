// Bids on a few hot auctions, and their pages. A page is the one request of the site's own page, as the first of a visit. Its file is left out, for
// it needs no store, and so is its live stream, since readers hold theirs for long.

import { mapAtOnce } from '../../kit/at-once.ts';
import { auctionPage } from '../../kit/browser.ts';
import { geometric, pick, zipfRank } from '../../kit/random.ts';
import { Ledger, type Verdict } from './ledger.ts';
import type { Mix } from './question.ts';
import { Readers, type PriceTold } from './readers.ts';
import type { Action, Stage } from './stage.ts';
import type { Counts, Person, Visitors } from './visitors.ts';

const PEOPLE = 40;
/** of the people; they do not bid */
const SELLERS = 4;
const HOT = 4;
const QUIET = 36;
/** The share of bids in `bid-heavy`, and in `read-heavy`. */
const BIDS_MOST = 0.9;
const BIDS_FEW = 0.05;
const START_CENTS = 100;
const DAYS = 7;
/** A bid is above the least by so many steps, each with this probability. */
const MORE_AGAIN = 0.6;
/** The share of visits by people who are logged in, and of visits to a hot auction. */
const LOGGED_IN = 0.5;
const OF_HOT = 0.5;
/** of the list of bids that the site shows */
const SHOWN_MAX = 50;

interface Auction {
  id: string;
  /** as last heard, from an answer or from the live stream */
  price_cents: number;
  least_cents: number;
}

export class AuctionStage implements Stage {
  readers: Readers | null = null;
  readonly #visitors: Visitors;
  /** the share of actions that are bids */
  #bids = 0;
  #category = '';
  #quiet: readonly Auction[] = [];
  #hot: readonly Auction[] = [];
  #ledger = new Ledger();

  private constructor(visitors: Visitors) {
    this.#visitors = visitors;
  }

  static async open(visitors: Visitors): Promise<AuctionStage> {
    const stage = new AuctionStage(visitors);
    const { value } = await visitors.must<{ categories: { id: string }[]; regions: { id: string }[] }>('GET', '/api/catalogue', null);
    stage.#category = value.categories[0]!.id;
    const region_id = value.regions[0]!.id;
    await visitors.register(PEOPLE, (nickname) => ({ nickname, region_id }));
    stage.#quiet = await stage.#openAuctions('Quiet', QUIET);
    return stage;
  }

  /** Each round has hot auctions of its own, so that none begins with the bids of another. */
  async begin(mix: Mix): Promise<void> {
    this.#bids = mix === 'bid-heavy' ? BIDS_MOST : BIDS_FEW;
    this.#ledger = new Ledger();
    this.#hot = await this.#openAuctions('Hot', HOT);
    const ids = this.#hot.map(({ id }) => id);
    this.readers = await Readers.open(this.#visitors.urls, ids, (told) => this.#hear(told));
  }

  countIn(counts: Counts): void {
    this.#visitors.counts = counts;
  }

  draw(random: () => number): Action {
    const server = pick(random, this.#visitors.urls);
    if (random() < this.#bids) {
      const auction = this.#hot[zipfRank(random, HOT)]!;
      const bidder = pick(random, this.#visitors.people.slice(SELLERS));
      const steps = geometric(random, MORE_AGAIN);
      return { kind: 'change', run: (onAnswer) => this.#bid(auction, bidder, steps, onAnswer) };
    }
    const auction = random() < OF_HOT ? pick(random, this.#hot) : pick(random, this.#quiet);
    const person = random() < LOGGED_IN ? pick(random, this.#visitors.people) : null;
    return { kind: 'page', run: (onAnswer) => this.#visitors.look(server, auctionPage(auction.id, true), person).then(onAnswer) };
  }

  async end(): Promise<Verdict[]> {
    this.readers?.close();
    this.readers = null;
    return Promise.all(this.#hot.map((auction) => this.#verdict(auction)));
  }

  async #openAuctions(title: string, count: number): Promise<Auction[]> {
    return mapAtOnce(count, async (number) => {
      const seller = this.#visitors.people[number % SELLERS]!;
      const body = {
        title: `${title} lantern ${number}`,
        description: 'Opened by a load test.',
        category_id: this.#category,
        start_price_cents: START_CENTS,
        duration_minutes: DAYS * 24 * 60,
      };
      const { value } = await this.#visitors.must<{ item_id: string }>('POST', '/api/items', seller, body);
      return { id: value.item_id, price_cents: START_CENTS, least_cents: START_CENTS };
    });
  }

  #hear({ item_id, price_cents, min_next_bid_cents }: PriceTold): void {
    const auction = this.#hot.find(({ id }) => id === item_id);
    if (auction === undefined || min_next_bid_cents < auction.least_cents) return;
    auction.price_cents = price_cents;
    auction.least_cents = min_next_bid_cents;
  }

  async #bid(auction: Auction, person: Person, steps: number, onAnswer: () => void): Promise<void> {
    const step = Math.max(1, auction.least_cents - auction.price_cents);
    const amount_cents = auction.least_cents + step * steps;
    let isTold = false;
    await this.#visitors.change({
      path: `/api/items/${auction.id}/bids`,
      person,
      body: { amount_cents },
      onAnswer,
      note: ({ outcome, body }, { key, isAfter }) => {
        const id = outcome === 'accepted' ? (JSON.parse(body) as { bid_id: string }).bid_id : null;
        this.#ledger.note(auction.id, key, { outcome, id, cents: amount_cents, isAfter });
        if (outcome === 'accepted' && !isTold) {
          isTold = true;
          this.readers?.expect(this.#visitors.random, auction.id, amount_cents);
        }
        if (outcome === 'accepted' && amount_cents + step > auction.least_cents) {
          auction.price_cents = amount_cents;
          auction.least_cents = amount_cents + step;
        }
        const least = outcome === 'outbid' ? ((JSON.parse(body) as { min_next_bid_cents?: number }).min_next_bid_cents ?? 0) : 0;
        if (least > auction.least_cents) {
          auction.price_cents = least - step;
          auction.least_cents = least;
        }
      },
    });
  }

  async #verdict({ id }: Auction): Promise<Verdict> {
    const { value } = await this.#visitors.must<BidHistory>('GET', `/api/items/${id}/bids`, null);
    const { bid_count: count, bids } = value;
    const highest = {
      ids: bids.map((bid) => bid.id),
      least_cents: Math.min(...bids.map(({ amount_cents }) => amount_cents)),
      isAll: bids.length < SHOWN_MAX,
    };
    return this.#ledger.verdict(id, { count, earlier: 0, highest });
  }
}

interface BidHistory {
  bid_count: number;
  bids: { id: string; amount_cents: number }[];
}
