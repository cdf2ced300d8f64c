// RUBiS' 27 states as a visitor of this site goes through them, with the requests of their browser on each page. A page with data
// asks for that data; a form, which has none, asks for the page itself. A visitor goes on with what the pages have shown: the
// list, then an auction of it, then its seller.
//
// The `…Auth` states are RUBiS' log-in forms. Here a visitor who comes to one is a person of the storm from then on, whose
// session is open already: otherwise the test would measure the hashing of passwords. RegisterUser does register, with its full
// cost.

import type { ItemPage, MyPage } from '../../../../apps/rubis/server/api.ts';
import { AuctionVisit } from './auction-visit.ts';
import { auctionPeople, items, storm } from './data.ts';
import type { ItemSeen } from './item-seen.ts';
import { pick, zipfRank } from '../../../kit/random.ts';
import type { State } from './rubis-table.ts';

type Card = Pick<ItemPage['items'][number], 'id' | 'buy_now_price_cents'>;

const isBuyable = ({ buy_now_price_cents }: Card) => buy_now_price_cents !== null;

export class RubisVisitor {
  readonly visit: AuctionVisit;
  category = '';
  region = '';
  /** of the list seen last */
  cards: readonly Card[] = [];
  /** the auction looked at last */
  item: ItemSeen | null = null;
  /** whom they may leave a comment on, for what */
  comment: { item_id: string; about: string } | null = null;

  constructor(random: () => number) {
    this.visit = new AuctionVisit(random, null);
    this.category = pick(random, storm.categories);
    this.region = pick(random, storm.regions);
  }

  /** Comes to that page. False: it offers nothing to go on with. */
  come(state: State): boolean {
    return PAGES[state](this);
  }

  logIn(name: string): boolean {
    this.visit.person ??= pick(this.visit.random, auctionPeople);
    return seen(this, name, '/login', '/api/session');
  }

  list(name: string, path: string): true {
    this.cards = this.visit.read<ItemPage>(name, path)?.items ?? [];
    return true;
  }

  /** An auction of the list, or of all where the list is empty; by preference one that suits. */
  choose(suits: (card: Card) => boolean): string {
    const fitting = this.cards.filter(suits);
    const from = fitting.length > 0 ? fitting : this.cards;
    return from.length > 0 ? pick(this.visit.random, from).id : items[zipfRank(this.visit.random, items.length)]!;
  }

  /** Goes through so many categories at most until one lists something that can be bought. */
  lookForBuyable(categories: number): void {
    for (let i = 0; i < categories && !this.cards.some(isBuyable); i++) {
      this.list('SearchItemsInCategory', `/api/items?category=${storm.categories[i % storm.categories.length]}`);
    }
  }

  see(name: string, item_id: string): boolean {
    this.item = this.visit.item(name, item_id);
    return this.item !== null;
  }

  /** Somebody who writes is logged in, whichever way they came. */
  get member(): AuctionVisit {
    this.visit.person ??= pick(this.visit.random, auctionPeople);
    return this.visit;
  }
}

/** Pages whose links lead on whatever they say: the header is on all of them. */
function seen({ visit }: RubisVisitor, name: string, ...paths: string[]): true {
  for (const path of paths) visit.look(name, path);
  return true;
}

const PAGES: Readonly<Record<State, (visitor: RubisVisitor) => boolean>> = {
  Home: (visitor) => seen(visitor, 'Home', '/') && visitor.list('Home', '/api/items'),
  Register: (visitor) => seen(visitor, 'Register', '/register', '/api/catalogue'),
  RegisterUser: ({ visit }) => visit.register(pick(visit.random, storm.regions)).outcome === 'accepted',

  Browse: (visitor) => seen(visitor, 'Browse', '/browse', '/api/popular'),
  BrowseCategories(visitor) {
    visitor.category = pick(visitor.visit.random, storm.categories);
    return seen(visitor, 'BrowseCategories', '/browse/categories', '/api/catalogue', '/api/popular');
  },
  SearchItemsInCategory: (visitor) => visitor.list('SearchItemsInCategory', `/api/items?category=${visitor.category}`),
  BrowseRegions(visitor) {
    visitor.region = pick(visitor.visit.random, storm.regions);
    return seen(visitor, 'BrowseRegions', '/browse/regions', '/api/catalogue');
  },
  BrowseCategoriesInRegion(visitor) {
    visitor.category = pick(visitor.visit.random, storm.categories);
    return visitor.list('BrowseCategoriesInRegion', `/api/items?region=${visitor.region}`);
  },
  SearchItemsInRegion: (visitor) => visitor.list('SearchItemsInRegion', `/api/items?category=${visitor.category}&region=${visitor.region}`),

  ViewItem: (visitor) =>
    visitor.see(
      'ViewItem',
      visitor.choose(() => true),
    ),
  ViewUserInfo: (visitor) => visitor.item !== null && seen(visitor, 'ViewUserInfo', `/api/users/${visitor.item.seller_id}`),
  ViewBidHistory: (visitor) => visitor.item !== null && seen(visitor, 'ViewBidHistory', `/api/items/${visitor.item.id}/bids`),

  BuyNowAuth: (visitor) => visitor.logIn('BuyNowAuth'),
  BuyNow(visitor) {
    const shown = visitor.item;
    return visitor.see('BuyNow', shown !== null && shown.left > 0 ? shown.id : visitor.choose(isBuyable));
  },
  StoreBuyNow({ item, member }) {
    return item !== null && item.open && item.left > 0 && member.buy(item).outcome === 'accepted';
  },

  PutBidAuth: (visitor) => visitor.logIn('PutBidAuth'),
  PutBid(visitor) {
    const shown = visitor.item;
    return visitor.see('PutBid', shown?.open === true ? shown.id : visitor.choose(() => true));
  },
  StoreBid({ item, member }) {
    if (item === null || !item.open) return false;
    member.bid(item);
    return true;
  },

  PutCommentAuth: (visitor) => visitor.logIn('PutCommentAuth'),
  PutComment(visitor) {
    const mine = visitor.member.read<MyPage>('PutComment', '/api/me');
    visitor.comment = mine === null ? null : toCommentOn(mine);
    return visitor.comment !== null && visitor.see('PutComment', visitor.comment.item_id);
  },
  StoreComment({ comment, member }) {
    if (comment === null) return false;
    return member.comment(comment.item_id, comment.about).outcome === 'accepted';
  },

  Sell: (visitor) => visitor.logIn('Sell') && seen(visitor, 'Sell', '/sell'),
  SelectCategoryToSellItem(visitor) {
    visitor.category = pick(visitor.visit.random, storm.categories);
    return seen(visitor, 'SelectCategoryToSellItem', '/api/catalogue');
  },
  SellItemForm: (visitor) => seen(visitor, 'SellItemForm', '/sell'),
  RegisterItem: ({ member, category }) => member.open(category).outcome === 'accepted',

  AboutMeAuth: (visitor) => visitor.logIn('AboutMeAuth'),
  AboutMe(visitor) {
    const mine = visitor.member.read<MyPage>('AboutMe', '/api/me');
    visitor.cards = mine === null ? [] : [...mine.bidding, ...mine.watching].map(({ item }) => item);
    return mine !== null;
  },
};

/** The first of what they bought, won or sold that they have not yet said anything about. */
function toCommentOn({ bought, won, sold }: MyPage): RubisVisitor['comment'] {
  for (const { item, may_comment_on } of [...bought, ...won, ...sold]) {
    const about = may_comment_on[0];
    if (about !== undefined) return { item_id: item.id, about: about.id };
  }
  return null;
}
