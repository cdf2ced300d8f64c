// A storm on auctions for the tests of the check: bids, purchases, openings, closings and comments by the clients of two app
// servers, with a ledger like that of k6's scripts.

import type { Claret } from '@claret/client';
import { bid, newBidId } from '../../../../apps/rubis/server/actions/bid.ts';
import { buyNow } from '../../../../apps/rubis/server/actions/buy-now.ts';
import { closeAuction } from '../../../../apps/rubis/server/actions/close-auction.ts';
import { newComment } from '../../../../apps/rubis/server/actions/new-comment.ts';
import { newUser } from '../../../../apps/rubis/server/actions/new-user.ts';
import { openAuction } from '../../../../apps/rubis/server/actions/open-auction.ts';
import { key } from '../../../../apps/rubis/server/model.ts';
import { newRequestKey } from '../../../../ui/site/api/requestKeys.ts';
import type { StormData, StormPerson } from '../storm.ts';
import { purchaseId } from './request-names.ts';
import { act, NO_STORM, startStage, type Stage } from './testing.ts';

const PEOPLE = 12;
const WORKERS = 8;
const EACH = 70;
const CLOSES_IN_MS = 5_000;
/** Half of the storm's steps wait for this time before the end. */
const JUST_BEFORE_MS = 100;
const DAY_MS = 24 * 60 * 60 * 1_000;

export const ref = ({ id, name }: StormPerson) => ({ id, nickname: name });

export class AuctionsStage {
  readonly stage: Stage;
  people: StormPerson[] = [];
  seller!: StormPerson;
  data: StormData = NO_STORM;
  // Auctions opened before the storm.
  /** ends within the storm */
  hot = '';
  /** has a reserve */
  reserved = '';
  /** has pieces to buy */
  pieces = '';
  /** sells out */
  wanted = '';

  /** Creates people and auctions; the storm has not begun. */
  static async start(): Promise<AuctionsStage> {
    const auctions = new AuctionsStage(await startStage());
    await auctions.#prepare();
    return auctions;
  }

  private constructor(stage: Stage) {
    this.stage = stage;
  }

  async join(nickname: string): Promise<StormPerson> {
    const joined = await newUser(this.stage.claret, { nickname, region_id: 'ny-albany', credentials: null, created_at_ms: Date.now() });
    if (joined.refused !== null) throw new Error(joined.refused);
    return { id: joined.user_id, name: nickname, token: '' };
  }

  async open(owner: StormPerson, more: Partial<Parameters<typeof openAuction>[1]> = {}, claret = this.stage.claret): Promise<string> {
    const now_ms = Date.now();
    const { item_id } = await openAuction(claret, {
      title: 'Green storm lantern',
      description: '',
      category_id: 'home',
      region_id: 'ny-albany',
      seller: ref(owner),
      start_price_cents: 100,
      opened_at_ms: now_ms,
      closes_at_ms: now_ms + DAY_MS,
      ...more,
    });
    return item_id;
  }

  /** Several app servers try concurrently; one of them closes the auction. */
  async close(item_id: string): Promise<void> {
    const { claret, other } = this.stage;
    for (const each of [claret, other, claret]) await closeAuction(each, { item_id, now_ms: Date.now() });
  }

  async #prepare(): Promise<void> {
    this.people = await Promise.all(Array.from({ length: PEOPLE }, (_, i) => this.join(`bidder${i}`)));
    this.seller = await this.join('seller');
    const opened_at_ms = Date.now();
    const closes_at_ms = opened_at_ms + CLOSES_IN_MS;
    const closes_early_at_ms = opened_at_ms + CLOSES_IN_MS / 2;
    this.hot = await this.open(this.seller, { closes_at_ms });
    this.reserved = await this.open(this.seller, { reserve_price_cents: 1_000_000, closes_at_ms: closes_early_at_ms });
    this.pieces = await this.open(this.seller, { quantity: 10, buy_now_price_cents: 5_000, closes_at_ms: closes_early_at_ms });
    this.wanted = await this.open(this.seller, { quantity: 3, buy_now_price_cents: 700 });
    await bid(this.stage.claret, {
      item_id: this.reserved,
      bidder: ref(this.people[0]!),
      amount_cents: 150,
      max_cents: 170,
      placed_at_ms: opened_at_ms,
      bid_id: newBidId(),
    });
    const others = await Promise.all(this.people.map((owner) => this.open(owner)));
    this.data = {
      ...NO_STORM,
      scenario: 'last-minute-auction',
      auction_people: [...this.people, this.seller],
      items: [this.reserved, this.pieces, this.wanted, ...others],
      hot_item: { id: this.hot, closes_at_ms, start_price_cents: 100 },
      categories: ['home', 'books'],
      regions: ['ny-albany', 'tx-austin'],
    };
  }

  async storm(): Promise<void> {
    const { stage, hot, reserved, pieces, wanted } = this;
    const closing = [hot, reserved, pieces].map((item_id) => this.#closeInTime(item_id));
    const justBefore = this.#until(this.data.hot_item!.closes_at_ms - JUST_BEFORE_MS);
    const workers = Array.from({ length: WORKERS }, async (_, worker) => {
      for (let i = 0; i < EACH; i++) {
        if (i >= EACH / 2) await justBefore;
        await this.#step(worker % 2 === 0 ? stage.claret : stage.other);
      }
    });
    await Promise.all([...closing, ...workers]);
    for (const person of this.people)
      for (const item_id of [hot, pieces, wanted, reserved]) {
        await this.#comment(item_id, person, this.seller);
        await this.#comment(item_id, this.seller, person);
      }
    for (let piece = 0; piece < 3; piece++) await this.#buy(stage.claret, wanted, 1);
    // An app server that finds it sold out closes the auction.
    await this.close(wanted);
  }

  async #closeInTime(item_id: string): Promise<void> {
    const { claret } = this.stage;
    const [[closes_at_ms]] = await claret.transact('Look', [claret.on.dict(key.item_info(item_id)).get('closes_at_ms')]);
    await this.#until(Number(closes_at_ms));
    await this.close(item_id);
  }

  #until(at_ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, at_ms - Date.now()));
  }

  #step(claret: Claret): Promise<void> {
    const { random } = this.stage;
    const steps: (() => Promise<void>)[] = [
      () => this.#bid(claret, this.hot),
      () => this.#bid(claret, this.hot),
      () => this.#bid(claret, this.hot),
      // A bid would withdraw the Buy now of `wanted`.
      () => this.#bid(claret, random.pick(this.data.items.filter((id) => id !== this.wanted))),
      () => this.#buy(claret, random.pick([this.pieces, this.pieces, this.wanted])),
      () => this.#openAnother(claret),
    ];
    return random.pick(steps)();
  }

  async #bid(claret: Claret, item_id: string): Promise<void> {
    const { random } = this.stage;
    const person = random.pick(this.people);
    const amount = 100 + random.below(20_000);
    const bid_id = newBidId();
    const max = random.below(4) === 0 ? amount + random.below(5_000) : amount;
    await act(this.stage, 'bid', person.id, { item: item_id, amount, max }, async () => {
      const outcome = await bid(claret, {
        item_id,
        bidder: ref(person),
        amount_cents: amount,
        max_cents: max,
        placed_at_ms: Date.now(),
        bid_id,
      });
      // Some scripts may not read the response.
      return random.below(10) === 0 ? { refused: outcome.refused } : { refused: outcome.refused, facts: { bid_id } };
    });
  }

  async #buy(claret: Claret, item_id: string, quantity = 1 + this.stage.random.below(2)): Promise<void> {
    const person = this.stage.random.pick(this.people);
    const facts = { item: item_id, quantity, key: newRequestKey(Date.now()) };
    const purchase_id = purchaseId(person.id, facts);
    const once = { id: claret.transactionId() };
    const buy = () =>
      act(this.stage, 'buy', person.id, facts, async () => {
        const input = { item_id, buyer: ref(person), quantity, purchase_id, bought_at_ms: Date.now() };
        const { refused } = await buyNow(claret, input, once);
        return { refused, facts: { purchase_id } };
      });
    await buy();
    // A person without a response resends the request.
    if (this.stage.ledger.at(-1)![3] !== 'accepted') await buy();
  }

  async #openAnother(claret: Claret): Promise<void> {
    const { random } = this.stage;
    await act(this.stage, 'open', random.pick(this.people).id, {}, async () => ({
      facts: { item: await this.open(random.pick(this.people), {}, claret) },
    }));
  }

  async #comment(item_id: string, from: StormPerson, about: StormPerson): Promise<void> {
    const { claret, random } = this.stage;
    const rating = random.below(11) - 5;
    await act(this.stage, 'comment', from.id, { item: item_id, about: about.id, rating }, () =>
      newComment(claret, { item_id, from: ref(from), rating, text: 'Fine', created_at_ms: Date.now(), about: { party_id: about.id } }),
    );
  }
}
