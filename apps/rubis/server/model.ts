// Which key holds which type, and why.
//
// Two rules decide. An auction's data carries the tag `{item:<id>}`, and a person's data `{user:<id>}`: the common transactions then touch
// one or two shards. And a record that a crowd writes has a type on which the writes commute, so that a famous auction is no bottleneck:
//
//   key                          type          why this type
//   {item:I}:info                Dict          fields that Bids never write: they read status, seller and end here, so a Bid never
//                                              waits for a Bid. Only opening and closing an auction write it.
//   {item:I}:bids                TopK          Bids add, adds commute; the greatest score leads (price.ts). A score is the bid's
//                                              maximum in cents: exact as a double.
//   {item:I}:bid_count           Counter       TopK drops low bids, the count does not
//   {item:I}:commented           Set           who has commented on whom about the sale; reading one member and adding another commute
//   {item:I}:stock               BoundedCounter   pieces left, of an item with Buy now: escrow lets a crowd take from it
//                                              concurrently while there is enough. Other items have one piece, which
//                                              goes to the winner, and no such record.
//   {item:I}:purchases           ScoredSet     purchases (PurchaseItem below), by time; at most as many as there were pieces
//   {item:I}:watchers            Set           the people who watch it
//   {item:I}:views               Counter       how often its page was opened; written and read by native operations alone
//   {user:U}:profile             Dict          written once
//   {user:U}:credentials         Register      separate from the profile, so that no page can leak it by reading too much
//   {user:U}:rating              SummaryBag    each comment adds its own rating; adds commute
//   {user:U}:comments            ScoredSet     comment ids by time
//   {user:U}:comment:C           Dict          a comment, on the shard of the person it is about: one message reads the page
//   {user:U}:bidding             ScoredSet     items by *closing time*, not by time of the bid: bidding again on an item adds an
//                                              equal score, which commutes, and the list has the order that the page needs
//   {user:U}:best_bid:I          TopK          their best bid on an item, since a crowd's bids push it out of the item's TopK:
//                                              one entry, whose score is the maximum. TopK keeps the greatest of several, so
//                                              their bids still commute with each other.
//   {user:U}:selling             ScoredSet     items by closing time
//   {user:U}:won                 ScoredSet     items by the time they were won
//   {user:U}:bought              ScoredSet     purchases by time
//   {user:U}:purchase:P          Dict          a purchase, on the shard of its buyer, whose pages show it. P is the name of the request that
//                                              made it (apps/site/once.ts).
//   {user:U}:watching            ScoredSet     items by closing time
//   {user:U}:inbox_seen          TopK          the time up to which they have read their inbox: TopK keeps the greatest score of
//                                              an item, so the later time wins in any order
//   auctions:session…                          sessions: apps/site/auth/sessions.ts
//   nickname:N                   Register      N in lower case; compareAndSet(null -> id) lets one person have it
//   open:all                     ScoredSet     open items by closing time: the closers' list and the home page
//   open:category:C, open:region:R, open:category:C:region:R
//                                ScoredSet     the same for the three ways to browse
//   word:W                       ScoredSet     open items whose title has a word of the stem W, by closing time (actions/indexes.ts)
//   words                        ScoredSet     the words that titles have had, all with the score 0, and so in alphabetical order:
//                                              words with a common prefix are adjacent
//   auctions:dataset             Dict          the loaded data set: apps/site/data/dataset.ts
//
// This file imports nothing: load tests import it where packages cannot be loaded.
//
// The index records are not split. Opening and closing auctions add and remove different items, which commutes; the closers and the home
// page follow open:all by watching, which takes no lock; so only a page of browsing conflicts with a writer, at the record of one category,
// and it reads 20 items there.

export const key = {
  item_info: (item_id: string) => `{item:${item_id}}:info`,
  item_bids: (item_id: string) => `{item:${item_id}}:bids`,
  item_bid_count: (item_id: string) => `{item:${item_id}}:bid_count`,
  item_commented: (item_id: string) => `{item:${item_id}}:commented`,
  profile: (user_id: string) => `{user:${user_id}}:profile`,
  credentials: (user_id: string) => `{user:${user_id}}:credentials`,
  rating: (user_id: string) => `{user:${user_id}}:rating`,
  comments: (user_id: string) => `{user:${user_id}}:comments`,
  comment: (user_id: string, comment_id: string) => `{user:${user_id}}:comment:${comment_id}`,
  bidding: (user_id: string) => `{user:${user_id}}:bidding`,
  best_bid: (user_id: string, item_id: string) => `{user:${user_id}}:best_bid:${item_id}`,
  selling: (user_id: string) => `{user:${user_id}}:selling`,
  won: (user_id: string) => `{user:${user_id}}:won`,
  item_stock: (item_id: string) => `{item:${item_id}}:stock`,
  item_purchases: (item_id: string) => `{item:${item_id}}:purchases`,
  item_watchers: (item_id: string) => `{item:${item_id}}:watchers`,
  item_views: (item_id: string) => `{item:${item_id}}:views`,
  bought: (user_id: string) => `{user:${user_id}}:bought`,
  purchase: (user_id: string, purchase_id: string) => `{user:${user_id}}:purchase:${purchase_id}`,
  watching: (user_id: string) => `{user:${user_id}}:watching`,
  inbox_seen: (user_id: string) => `{user:${user_id}}:inbox_seen`,
  nickname: (nickname: string) => `nickname:${nickname.toLowerCase()}`,
  open_all: 'open:all',
  open_category: (category_id: string) => `open:category:${category_id}`,
  open_region: (region_id: string) => `open:region:${region_id}`,
  open_category_region: (category_id: string, region_id: string) => `open:category:${category_id}:region:${region_id}`,
  word: (stem: string) => `word:${stem}`,
  words: 'words',
  dataset: 'auctions:dataset',
} as const;

// ---- Bids ----------------------------------------------------------------------------------------------------------------

// the size of the TopK of bids
export const BIDS_KEPT_MAX = 128;

// A bid as an item of the TopK: time, id, bidder, and the amount if it differs from the score, which is the bid's maximum. The TopK orders
// equal scores by this text, so the time comes first and is padded. It includes the bidder's nickname, so that showing bids needs no
// further reads (nicknames never change).
export type BidItem = {
  id: string;
  bidder_id: string;
  bidder_nickname: string;
  placed_at_ms: number;
  // null: equal to the score
  amount_cents: number | null;
};

const TIME_DIGITS = 9; // base 36: until the year 5188

export const sortableTime = (time_ms: number): string => time_ms.toString(36).padStart(TIME_DIGITS, '0');

export function bidItem(bid: Omit<BidItem, 'amount_cents'> & Partial<BidItem>): string {
  const { amount_cents = null } = bid;
  const text = `${sortableTime(bid.placed_at_ms)}:${bid.id}:${bid.bidder_id}:${bid.bidder_nickname}`;
  return amount_cents === null ? text : `${text}:${amount_cents}`;
}

// the single entry of `{user:U}:best_bid:I`
export const BEST_BID = 'best';

export function parseBidItem(text: string): BidItem {
  const [time, id, bidder_id, bidder_nickname, amount] = text.split(':');
  if (time === undefined || id === undefined || bidder_id === undefined || bidder_nickname === undefined) {
    throw new Error(`not a bid: ${text}`);
  }
  const amount_cents = amount === undefined ? null : Number(amount);
  return { id, bidder_id, bidder_nickname, placed_at_ms: parseInt(time, 36), amount_cents };
}

// ---- Purchases -----------------------------------------------------------------------------------------------------------

// A purchase as an item of `{item:I}:purchases`: like a bid, it has all the data that the auction's pages show.
export type PurchaseItem = { purchase_id: string; buyer_id: string; buyer_nickname: string; quantity: number };

export function purchaseItem(purchase: PurchaseItem): string {
  return `${purchase.purchase_id}:${purchase.buyer_id}:${purchase.buyer_nickname}:${purchase.quantity}`;
}

export function parsePurchaseItem(text: string): PurchaseItem {
  const [purchase_id, buyer_id, buyer_nickname, quantity] = text.split(':');
  if (purchase_id === undefined || buyer_id === undefined || buyer_nickname === undefined || quantity === undefined) {
    throw new Error(`not a purchase: ${text}`);
  }
  return { purchase_id, buyer_id, buyer_nickname, quantity: Number(quantity) };
}

// ---- Prices --------------------------------------------------------------------------------------------------------------

// The increments: how much a bid must raise the price while the price is below `below_cents`.
export const INCREMENTS: readonly { below_cents: number | null; increment_cents: number }[] = [
  { below_cents: 1_00, increment_cents: 5 },
  { below_cents: 5_00, increment_cents: 25 },
  { below_cents: 25_00, increment_cents: 50 },
  { below_cents: 100_00, increment_cents: 1_00 },
  { below_cents: 250_00, increment_cents: 2_50 },
  { below_cents: 500_00, increment_cents: 5_00 },
  { below_cents: 1_000_00, increment_cents: 10_00 },
  { below_cents: 2_500_00, increment_cents: 25_00 },
  { below_cents: 5_000_00, increment_cents: 50_00 },
  { below_cents: null, increment_cents: 100_00 },
];

// The minimum for the next bid. `price_cents`: what the leader would pay now; null: there are no bids.
export function minNextBid(start_price_cents: number, price_cents: number | null): number {
  if (price_cents === null) return start_price_cents;
  const step = INCREMENTS.find((row) => row.below_cents === null || price_cents < row.below_cents);
  return price_cents + (step?.increment_cents ?? 0);
}
