// RUBiS' 27 states as a visitor of this site goes through them, with the browser's requests on each page. A page with data requests
// that data; a form, which has none, requests the page itself. A visitor continues with what the pages have shown: the list, then
// an auction of it, then its seller.
//
// The `…Auth` states are RUBiS' log-in forms. Here a visitor who reaches one becomes a person of the storm, whose session already
// exists: otherwise the test would measure the hashing of passwords. RegisterUser does register, with its full cost.

import type { ItemPage, MyPage } from '../../../../apps/rubis/server/api.ts';
import { AuctionVisitor } from './auction-visitor.ts';
import { auctionPeople, items, storm } from './data.ts';
import type { ItemSeen } from './item-seen.ts';
import { pick, zipfRank } from '../../../kit/random.ts';
import type { State } from './rubis-table.ts';

type Card = Pick<ItemPage['items'][number], 'id' | 'buy_now_price_cents'>;

const isBuyable = ({ buy_now_price_cents }: Card) => buy_now_price_cents !== null;

export class RubisVisitor {
  readonly actions: AuctionVisitor;
  category = '';
  region = '';
  /** of the last list */
  cards: readonly Card[] = [];
  /** the last auction viewed */
  item: ItemSeen | null = null;
  /** the next possible comment: its item and its subject */
  comment: { item_id: string; about: string } | null = null;

  constructor(random: () => number) {
    this.actions = new AuctionVisitor(random, null);
    this.category = pick(random, storm.categories);
    this.region = pick(random, storm.regions);
  }

  /** Visits that page. False: it offers nothing to continue with. */
  come(state: State): boolean {
    return PAGES[state](this);
  }

  logIn(name: string): boolean {
    this.actions.person ??= pick(this.actions.random, auctionPeople);
    return seen(this, name, '/login', '/api/session');
  }

  list(name: string, path: string): true {
    this.cards = this.actions.read<ItemPage>(name, path)?.items ?? [];
    return true;
  }

  /** An auction of the list, or of all if the list is empty; preferably one that suits. */
  choose(suits: (card: Card) => boolean): string {
    const fitting = this.cards.filter(suits);
    const from = fitting.length > 0 ? fitting : this.cards;
    return from.length > 0 ? pick(this.actions.random, from).id : items[zipfRank(this.actions.random, items.length)]!;
  }

  /** Goes through at most this many categories until one lists a buyable item. */
  lookForBuyable(categories: number): void {
    for (let i = 0; i < categories && !this.cards.some(isBuyable); i++) {
      this.list('SearchItemsInCategory', `/api/items?category=${storm.categories[i % storm.categories.length]}`);
    }
  }

  see(name: string, item_id: string): boolean {
    this.item = this.actions.item(name, item_id);
    return this.item !== null;
  }

  /** A visitor who writes is logged in, whichever page they came from. */
  get member(): AuctionVisitor {
    this.actions.person ??= pick(this.actions.random, auctionPeople);
    return this.actions;
  }
}

/** Pages that always lead on: the header's links are on all of them. */
function seen({ actions }: RubisVisitor, name: string, ...paths: string[]): true {
  for (const path of paths) actions.look(name, path);
  return true;
}

const PAGES: Readonly<Record<State, (visitor: RubisVisitor) => boolean>> = {
  Home: (visitor) => seen(visitor, 'Home', '/') && visitor.list('Home', '/api/items'),
  Register: (visitor) => seen(visitor, 'Register', '/register', '/api/catalogue'),
  RegisterUser: ({ actions }) => actions.register(pick(actions.random, storm.regions)).outcome === 'accepted',

  Browse: (visitor) => seen(visitor, 'Browse', '/browse', '/api/popular'),
  BrowseCategories(visitor) {
    visitor.category = pick(visitor.actions.random, storm.categories);
    return seen(visitor, 'BrowseCategories', '/browse/categories', '/api/catalogue', '/api/popular');
  },
  SearchItemsInCategory: (visitor) => visitor.list('SearchItemsInCategory', `/api/items?category=${visitor.category}`),
  BrowseRegions(visitor) {
    visitor.region = pick(visitor.actions.random, storm.regions);
    return seen(visitor, 'BrowseRegions', '/browse/regions', '/api/catalogue');
  },
  BrowseCategoriesInRegion(visitor) {
    visitor.category = pick(visitor.actions.random, storm.categories);
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
    visitor.category = pick(visitor.actions.random, storm.categories);
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

/** The first item that they bought, won or sold and have not yet commented on. */
function toCommentOn({ bought, won, sold }: MyPage): RubisVisitor['comment'] {
  for (const { item, may_comment_on } of [...bought, ...won, ...sold]) {
    const about = may_comment_on[0];
    if (about !== undefined) return { item_id: item.id, about: about.id };
  }
  return null;
}
