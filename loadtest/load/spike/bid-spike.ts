// The bid spike: many people bid on one auction of the auction site, and some look at it. All transactions and rules are the site's
// own: a bid is at least an increment above the price known when it is made. The auction is a real one: visitors find it and may
// bid too, and it is closed like any other, a minute after the spike. Its seller and bidders are people of the data set. Without a
// data set, they are registered first, without credentials.

import type { Claret } from '@claret/client';
import { LIMITS } from '../../../apps/rubis/server/api.ts';
import { bid, newBidId } from '../../../apps/rubis/server/actions/bid.ts';
import { findAccount } from '../../../apps/rubis/server/actions/find-account.ts';
import { newUser } from '../../../apps/rubis/server/actions/new-user.ts';
import { openAuction } from '../../../apps/rubis/server/actions/open-auction.ts';
import { viewAuction } from '../../../apps/rubis/server/actions/view-auction.ts';
import { REGIONS } from '../../../apps/rubis/server/data/regions.ts';
import { key, minNextBid } from '../../../apps/rubis/server/model.ts';
import { priceOf } from '../../../apps/rubis/server/price.ts';
import { readAll } from '../../kit/checking.ts';
import { mapAtOnce } from '../../kit/at-once.ts';
import { BidCheck, type SpikeBid } from './bid-check.ts';
import { commitStateOf } from './commit-state.ts';
import type { SitePage, Spike, SpikeOptions } from './spike.ts';

const TITLE = 'Ship’s bell, brass, signed';
const DESCRIPTION = 'The one from the film. Everybody wants it: this auction belongs to a load spike from the dashboard.';
const CATEGORY = 'curiosities';
const REGION = REGIONS[0]!.id;
const nicknameOf = (number: number) => (number === 0 ? 'spike_seller' : `spike_bidder${number}`);
const BIDDERS_MAX = 48;
/** Share of views; the rest are bids. */
const VIEW_SHARE = 0.1;
/** The demo accounts, for visitors to log in, have the first ids of the data set. */
const DEMO_ACCOUNTS = 4;
const START_PRICE_CENTS = 100;
/** The auction is read at least this often, to see visitors' bids. */
const LOOK_EVERY_MS = 250;
/** From the end of the spike to that of the auction. */
const OPEN_AFTER_MS = 60_000;

interface Person {
  id: string;
  nickname: string;
}

export async function bidSpike(claret: Claret, { seconds, clients, random }: SpikeOptions): Promise<Spike> {
  const count = 1 + Math.min(clients, BIDDERS_MAX);
  const people = (await peopleOfDataset(claret, count)) ?? (await mapAtOnce(count, (number) => account(claret, nicknameOf(number))));
  const [seller, ...bidders] = people as [Person, ...Person[]];
  const opened_at_ms = Date.now();
  const { item_id } = await openAuction(claret, {
    title: TITLE,
    description: DESCRIPTION,
    category_id: CATEGORY,
    region_id: REGION,
    seller,
    start_price_cents: START_PRICE_CENTS,
    opened_at_ms,
    closes_at_ms: opened_at_ms + 1000 * seconds + OPEN_AFTER_MS,
  });
  return new BidSpike(item_id, bidders, random);
}

/** `count` people after the demo accounts, which are visitors'. Null: there are fewer. */
async function peopleOfDataset(claret: Claret, count: number): Promise<Person[] | null> {
  const ids = Array.from({ length: count }, (_, i) => `u${DEMO_ACCOUNTS + 1 + i}`);
  const profiles = await readAll(
    claret,
    ids.map((id) => claret.on.dict(key.profile(id)).get('nickname')),
  );
  const people = ids.map((id, i) => ({ id, nickname: profiles[i]![0] }));
  return people.every((person): person is Person => typeof person.nickname === 'string') ? people : null;
}

/** The person with that nickname, registered if missing. */
async function account(claret: Claret, nickname: string): Promise<Person> {
  const there = await findAccount(claret, { nickname });
  if (there !== null) return { id: there.person.id, nickname };
  const joined = await newUser(claret, { nickname, region_id: REGION, credentials: null, created_at_ms: Date.now() });
  if (joined.refused !== null) return account(claret, nickname); // registered concurrently
  return { id: joined.user_id, nickname };
}

class BidSpike implements Spike {
  readonly page: SitePage;
  readonly #item_id: string;
  readonly #bidders: readonly Person[];
  readonly #random: () => number;
  readonly #check: BidCheck;
  /** the highest known price; null: there is no bid */
  #seen_cents: number | null = null;
  #lookedAtMs = 0;

  constructor(item_id: string, bidders: readonly Person[], random: () => number) {
    this.page = { site: 'auctions', path: `/items/${item_id}`, title: TITLE };
    this.#item_id = item_id;
    this.#bidders = bidders;
    this.#random = random;
    this.#check = new BidCheck(item_id, new Set(bidders.map(({ id }) => id)));
  }

  run(claret: Claret): Promise<void> {
    const looks = this.#lookedAtMs + LOOK_EVERY_MS < performance.now() || this.#random() < VIEW_SHARE;
    return looks ? this.#look(claret) : this.#bid(claret);
  }

  async #look(claret: Claret): Promise<void> {
    this.#lookedAtMs = performance.now();
    const seen = await viewAuction(claret, { item_id: this.#item_id });
    if (seen.refused !== null) return this.#check.surprised(`looking at it was refused: ${seen.refused}`);
    if (seen.auction.bids.length > 0) this.#priceIs(priceOf(seen.auction.info, seen.auction.bids));
  }

  async #bid(claret: Claret): Promise<void> {
    const least_cents = minNextBid(START_PRICE_CENTS, this.#seen_cents);
    const raise_cents = Math.floor(this.#random() * (minNextBid(START_PRICE_CENTS, least_cents) - least_cents));
    const amount_cents = Math.min(LIMITS.amount_cents_max, least_cents + raise_cents);
    const person = this.#bidders[Math.floor(this.#random() * this.#bidders.length)]!;
    const made = { id: newBidId(), bidder_id: person.id, amount_cents };
    try {
      const placed = await bid(claret, {
        item_id: this.#item_id,
        bidder: person,
        amount_cents,
        placed_at_ms: Date.now(),
        bid_id: made.id,
      });
      if (placed.refused === null) this.#accepted(made);
      else this.#check.surprised(`a bid was refused: ${placed.refused}`);
    } catch (error) {
      const state = commitStateOf(error);
      if (state === 'applied') this.#accepted(made);
      if (state === 'unknown') this.#check.unsure(made);
      throw error;
    }
  }

  #accepted(made: SpikeBid): void {
    this.#check.accepted(made);
    this.#priceIs(made.amount_cents);
  }

  /** Prices never fall, so a lower one is an older one. */
  #priceIs(cents: number): void {
    this.#seen_cents = Math.max(this.#seen_cents ?? 0, cents);
  }

  mismatches(claret: Claret): Promise<string[]> {
    return this.#check.mismatches(claret);
  }

  /** All data belongs to the site. */
  async clearUp(): Promise<void> {}
}
