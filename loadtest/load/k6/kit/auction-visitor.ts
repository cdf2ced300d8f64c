// The actions of visitors of the auction site, for all scenarios: one function for each action, which writes to the ledger.

import type { BidAccepted, Bought, ItemOpened } from '../../../../apps/rubis/server/api.ts';
import type { StormPerson } from '../storm.ts';
import { auctionPage, serversOf } from '../../../kit/browser.ts';
import { needed, storm } from './data.ts';
import { itemSeen, type ItemSeen } from './item-seen.ts';
import { leastNow, offerFor, stepOf, type Offer } from './offer.ts';
import { madeUpId } from '../../../kit/random.ts';
import { tell } from './tell.ts';
import { Site, parsed, type Answer, type Written } from './site.ts';

const site = new Site('auctions');

export class AuctionVisitor {
  readonly random: () => number;
  /** the visitor's app server */
  readonly base: string;
  /** that, and another one, if there is one */
  readonly #servers: ReturnType<typeof serversOf>;
  /** null: not logged in */
  person: StormPerson | null;
  /** has seen nothing of the site yet */
  #isNew = true;

  constructor(random: () => number, person: StormPerson | null) {
    this.random = random;
    this.#servers = serversOf(needed(storm.auctions, 'auctions'), random);
    this.base = this.#servers[0];
    this.person = person;
  }

  /** Requests a page, or the data of a page. */
  look(name: string, path: string): Answer {
    return this.#seen(name, site.look(name, this.base + path, this.person));
  }

  /** Null if the request failed. */
  read<Body>(name: string, path: string): Body | null {
    return parsed<Body>(this.#seen(name, site.read(name, this.base + path, this.person)));
  }

  #seen(name: string, answer: Answer): Answer {
    this.#isNew = false;
    tell('read', answer, this.person?.id ?? '', { page: name });
    return answer;
  }

  /** Opens an auction's page. Null if the request failed. */
  item(name: string, item: string): ItemSeen | null {
    const { outcome, body } = this.#seen(name, site.read(name, this.base + auctionPage(item, this.#isNew), this.person));
    return outcome === 'accepted' && body !== null ? itemSeen(body) : null;
  }

  /** If the price has risen in the meantime, the response says so, and the visitor bids once more. */
  bid(seen: ItemSeen): void {
    const offer = offerFor(seen, this.random);
    if (!seen.open || offer === null) return;
    const answer = this.#offer(seen.id, offer);
    const min_next_bid_cents = leastNow(answer);
    if (min_next_bid_cents === null) return;
    const raised = offerFor({ price_cents: min_next_bid_cents - stepOf(seen), min_next_bid_cents, bid_count: 1 }, this.random);
    if (raised !== null) this.#offer(seen.id, raised);
  }

  #offer(item: string, { amount_cents, max_cents }: Offer): Answer {
    const person = this.#loggedIn();
    const body = max_cents === null ? { amount_cents } : { amount_cents, max_cents };
    const answer = this.#post('StoreBid', `/api/items/${item}/bids`, person, body);
    const accepted = parsed<BidAccepted>(answer);
    tell('bid', answer, person.id, { item, amount: amount_cents, max: max_cents ?? amount_cents, bid_id: accepted?.bid_id });
    return answer;
  }

  /** Buys a number of pieces that suits the number left. */
  buy({ id: item, left }: ItemSeen): Answer {
    const person = this.#loggedIn();
    const quantity = Math.max(1, Math.min(left, 1 + Math.floor(this.random() * 2)));
    const answer = this.#post('StoreBuyNow', `/api/items/${item}/buy`, person, { quantity });
    tell('buy', answer, person.id, { item, quantity, key: answer.key!, purchase_id: parsed<Bought>(answer)?.purchase_id });
    return answer;
  }

  /** Like RUBiS' data: 40 % with a reserve, 10 % for immediate purchase, a fifth of these with several pieces. */
  open(category: string): Answer {
    const person = this.#loggedIn();
    const { random } = this;
    const start_price_cents = 100 + Math.floor(random() * 5_000);
    const reserve_price_cents = random() < 0.4 ? start_price_cents + Math.floor(random() * 5_000) : undefined;
    const buyable = random() < 0.1;
    const body = {
      title: `Storm lantern number ${Math.floor(random() * 1e6)}`,
      description: 'Opened by a load test.',
      category_id: category,
      start_price_cents,
      reserve_price_cents,
      duration_minutes: 60 + Math.floor(random() * 600),
      buy_now_price_cents: buyable ? (reserve_price_cents ?? start_price_cents) * 2 : undefined,
      quantity: buyable && random() < 0.2 ? 2 + Math.floor(random() * 9) : 1,
    };
    const answer = this.#post('RegisterItem', '/api/items', person, body);
    tell('open', answer, person.id, { item: parsed<ItemOpened>(answer)?.item_id });
    return answer;
  }

  comment(item: string, about: string): Answer {
    const person = this.#loggedIn();
    const rating = Math.floor(this.random() * 11) - 5;
    const body = { rating, text: 'As described, and quick.', about_user_id: about };
    const answer = this.#post('StoreComment', `/api/items/${item}/comments`, person, body);
    tell('comment', answer, person.id, { item, about, rating });
    return answer;
  }

  /** A visitor who has registered is logged in. */
  register(region: string): Answer {
    const name = `s${madeUpId(this.random, 14)}`;
    const body = { nickname: name, password: madeUpId(this.random), region_id: region };
    const { answer, token } = site.session('RegisterUser', `${this.base}/api/register`, body, this.random);
    const id = parsed<{ user: { id: string } | null }>(answer)?.user?.id ?? '';
    tell('register', answer, id, { name });
    if (token !== null && id !== '') this.person = { id, name, token };
    return answer;
  }

  #post(name: string, path: string, person: StormPerson, body: object): Written {
    return site.write(name, 'POST', path, { at: this.#servers, person, body, random: this.random });
  }

  #loggedIn(): StormPerson {
    if (this.person === null) throw new Error('nobody is logged in');
    return this.person;
  }
}
