// The bid spike: many people bid on one auction of the auction site, and some look at it. All transactions and rules are the site's
// own. Everybody bids on the price as it was seen last, at least an increment and less than two above it, so the price rises with every
// look, however many bids come between two. (Bids that outbid each other one by one would reach the site's highest amount within 100,000,
// and all that came after them would be looks.) The auction is a real one: visitors find it and may bid too, and it is closed like any
// other, a minute after the spike. Its seller and bidders are people of the data set. Without a data set, they are registered first,
// without credentials.

import { ClaretError, type Claret } from '@claret/client';
import { LIMITS } from '../../../apps/rubis/server/api.ts';
import { bid, newBidId } from '../../../apps/rubis/server/actions/bid.ts';
import { findAccount } from '../../../apps/rubis/server/actions/find-account.ts';
import { newUser } from '../../../apps/rubis/server/actions/new-user.ts';
import { openAuctionNow } from '../../../apps/rubis/server/actions/open-auction.ts';
import { viewAuction, type Auction } from '../../../apps/rubis/server/actions/view-auction.ts';
import { REGIONS } from '../../../apps/rubis/server/data/regions.ts';
import { key, minNextBid } from '../../../apps/rubis/server/model.ts';
import { priceOf } from '../../../apps/rubis/server/price.ts';
import { readAll } from '../../kit/checking.ts';
import { mapAtOnce } from '../../kit/at-once.ts';
import { BidCheck } from './bid-check.ts';
import { commitStateOf } from './commit-state.ts';
import type { Checked, Compared, SitePage, Spike, SpikeOptions } from './spike.ts';

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
/** So often the price is seen by everybody. */
export const LOOK_EVERY_MS = 250;
/** From the end of the spike to that of the auction. */
const OPEN_AFTER_MS = 60_000;
/** A shard that is down does not hold up the next count. */
const COUNTED_WITHIN_MS = 1_000;

interface Person {
  id: string;
  nickname: string;
}

export async function bidSpike(claret: Claret, { seconds, clients, random }: SpikeOptions): Promise<Spike> {
  const count = 1 + Math.min(clients, BIDDERS_MAX);
  const people = (await peopleOfDataset(claret, count)) ?? (await mapAtOnce(count, (number) => account(claret, nicknameOf(number))));
  const [seller, ...bidders] = people as [Person, ...Person[]];
  const { item_id } = await openAuctionNow(claret, {
    title: TITLE,
    description: DESCRIPTION,
    category_id: CATEGORY,
    region_id: REGION,
    seller,
    start_price_cents: START_PRICE_CENTS,
    duration_ms: 1000 * seconds + OPEN_AFTER_MS,
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
  const joined = await newUser(claret, {
    nickname,
    region_id: REGION,
    credentials: null,
    created_at_ms: claret.clock.nowMs(key.nickname(nickname)),
  });
  if (joined.refused !== null) return account(claret, nickname); // registered concurrently
  return { id: joined.user_id, nickname };
}

function noneIfUnread(error: unknown): null {
  if (error instanceof ClaretError) return null;
  throw error;
}

class BidSpike implements Spike {
  readonly page: SitePage;
  readonly #item_id: string;
  readonly #bidders: readonly Person[];
  readonly #random: () => number;
  readonly #check: BidCheck;
  /** the price as seen last; null: there was no bid */
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
    if (this.#lookedAtMs + LOOK_EVERY_MS < performance.now()) return this.#seePrice(claret);
    return this.#random() < VIEW_SHARE ? this.#look(claret).then(() => {}) : this.#bid(claret, this.#amount());
  }

  /** In cents. */
  #amount(): number {
    const least = minNextBid(START_PRICE_CENTS, this.#seen_cents);
    const most = minNextBid(START_PRICE_CENTS, least) - 1;
    return Math.min(least + Math.floor(this.#random() * (most - least + 1)), LIMITS.amount_cents_max);
  }

  async #seePrice(claret: Claret): Promise<void> {
    this.#lookedAtMs = performance.now();
    const auction = await this.#look(claret);
    // Prices never fall, so a lower one is an older one.
    if (auction?.bids.length) this.#seen_cents = Math.max(this.#seen_cents ?? 0, priceOf(auction.info, auction.bids));
  }

  /** Null: it was refused. */
  async #look(claret: Claret): Promise<Auction | null> {
    const seen = await viewAuction(claret, { item_id: this.#item_id });
    if (seen.refused === null) return seen.auction;
    this.#check.surprised(`looking at it was refused: ${seen.refused}`);
    return null;
  }

  async #bid(claret: Claret, amount_cents: number): Promise<void> {
    const person = this.#bidders[Math.floor(this.#random() * this.#bidders.length)]!;
    const made = { id: newBidId(), bidder_id: person.id, amount_cents };
    try {
      const placed = await bid(claret, {
        item_id: this.#item_id,
        bidder: person,
        amount_cents,
        placed_at_ms: claret.clock.nowMs(key.item_info(this.#item_id)),
        bid_id: made.id,
      });
      if (placed.refused === null) this.#check.accepted(made);
      else this.#check.surprised(`a bid was refused: ${placed.refused}`);
    } catch (error) {
      const state = commitStateOf(error);
      if (state === 'applied') this.#check.accepted(made);
      if (state === 'unknown') this.#check.unsure(made);
      throw error;
    }
  }

  async count(claret: Claret): Promise<Compared> {
    const { acknowledged } = this.#check;
    const count = claret.on.counter(key.item_bid_count(this.#item_id)).value();
    const read = claret.readOnly('CountBids', [count], { timeoutMs: COUNTED_WITHIN_MS });
    return { what: 'bids', acknowledged, stored: await read.then(([stored]) => Number(stored), noneIfUnread) };
  }

  check(claret: Claret): Promise<Checked> {
    return this.#check.check(claret);
  }

  /** All data belongs to the site. */
  async clearUp(): Promise<void> {}
}
