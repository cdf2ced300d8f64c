// The inbox: what has happened in the auctions that a person takes part in. Only the time up to which they have read it is stored; the rest
// follows from the auctions.
import type { Claret } from '@claret/client';

import { LIMITS, type InboxKind, type InboxNotice } from '../api.ts';
import type { LiveItems, SeenAuction } from '../live/items.ts';
import { key } from '../model.ts';
import { currentPrice, isTied, noticeId, outbidAt, saleNoticeId, standingOf } from '../standing.ts';
import { readAuctions, readLists, readPurchases, type MyAuction, type MyAuctions, type MyPurchase } from './my-auctions.ts';
import { boughtQuantity } from './sale.ts';

export type InboxView = { notices: InboxNotice[]; unread: number; seen_until_ms: number };

type InboxInput = { user_id: string; now_ms: number };

const LABEL = 'Inbox';
const MOST = LIMITS.inbox_auctions_max;
// a closer may settle an auction this long after its end
const CLOSED_LATE_MS = 10 * 60 * 1_000;

export async function readInbox(claret: Claret, { user_id, now_ms }: InboxInput): Promise<InboxView> {
  const { bidding, selling, bought, seen_until_ms } = await readLists(claret, { user_id, now_ms, label: LABEL, most: MOST });
  const purchases = await readPurchases(
    claret,
    LABEL,
    user_id,
    bought.map(([id]) => id),
  );
  const auctions = await readAuctions(claret, LABEL, [
    ...[bidding, selling].flatMap(({ coming, ended }) => [...coming, ...ended.map(([item_id]) => item_id)]),
    ...purchases.map(({ item_id }) => item_id),
  ]);
  const notices = noticesOf(auctions, purchases, user_id);
  return { notices, unread: notices.filter((one) => one.at_ms > seen_until_ms).length, seen_until_ms };
}

// The unread notices, for every page: of ended auctions only those that may be unread, up to the number that is counted; open auctions as
// `items` last saw them, since the live stream of the same page follows them in any case.
export async function readUnread(claret: Claret, items: LiveItems, { user_id, now_ms }: InboxInput): Promise<InboxView> {
  const { bidding, selling, bought, seen_until_ms } = await readLists(claret, { user_id, now_ms, label: LABEL, most: MOST });
  const since = (from_ms: number, entries: readonly (readonly [string, number])[]): string[] =>
    entries
      .filter(([, at_ms]) => at_ms > from_ms)
      .slice(0, LIMITS.unread_counted_max)
      .map(([id]) => id);
  const purchases = await readPurchases(claret, LABEL, user_id, since(seen_until_ms, bought));
  const ended = [bidding, selling].flatMap((list) => since(seen_until_ms - CLOSED_LATE_MS, list.ended));
  const coming = new Set([...bidding.coming, ...selling.coming]);
  const rest = [...ended, ...purchases.map(({ item_id }) => item_id)].filter((item_id) => !coming.has(item_id));
  const [read, seen] = await Promise.all([
    readAuctions(claret, LABEL, rest),
    Promise.all([...coming].map((item_id) => items.peek(item_id))),
  ]);
  const auctions = new Map([...read, ...seen.filter((one) => one !== null).map(asMine)]);
  const notices = noticesOf(auctions, purchases, user_id).filter((one) => one.at_ms > seen_until_ms);
  return { notices, unread: notices.length, seen_until_ms };
}

const asMine = (auction: SeenAuction): [string, MyAuction] => [
  auction.item_id,
  { auction, sale: { purchases: auction.purchases, commented: new Set() } },
];

// newest first
function noticesOf(auctions: MyAuctions, purchases: readonly MyPurchase[], user_id: string): InboxNotice[] {
  const found = [...auctions.values()].flatMap((one) => [...ofStanding(one, user_id), ...ofSales(one, user_id)]);
  for (const purchase of purchases) {
    const bought = auctions.get(purchase.item_id);
    if (bought !== undefined) found.push(ofPurchase(bought, purchase));
  }
  return found.sort((a, b) => b.at_ms - a.at_ms || (a.id < b.id ? -1 : 1)).slice(0, LIMITS.inbox_max);
}

// The notices that follow from a person's standing: at most one for each auction.
function ofStanding({ auction, sale }: MyAuction, user_id: string): InboxNotice[] {
  const { info, bids } = auction;
  const standing = standingOf(auction, user_id, { bidder: true, bought_quantity: boughtQuantity(sale, user_id) });
  if (standing === null || standing === 'selling' || standing === 'leading') return [];
  if (standing === 'bought') return []; // the purchase's own notice covers it
  // A seller of pieces gets a notice of each sale. The end adds only that a bid won, or that nothing was sold.
  if (standing === 'sold' && info.winner === null) return [];
  const at_ms = standing === 'outbid' ? outbidAt(bids, user_id) : info.closed_at_ms;
  if (at_ms === null) return [];
  return [
    notice(auction, noticeId(auction, user_id, standing), {
      kind: standing,
      price_cents: currentPrice(auction),
      quantity: 1,
      buyer: standing === 'sold' ? info.winner : null,
      tied: (standing === 'outbid' || standing === 'lost') && isTied(auction, user_id),
      at_ms,
    }),
  ];
}

// The seller's notices of purchases.
function ofSales({ auction, sale }: MyAuction, user_id: string): InboxNotice[] {
  const { info } = auction;
  if (info.seller.id !== user_id) return [];
  return sale.purchases.map(({ purchase_id, buyer, quantity, bought_at_ms }) =>
    notice(auction, saleNoticeId(auction.item_id, purchase_id), {
      kind: 'sold',
      price_cents: info.buy_now_price_cents ?? 0,
      quantity,
      buyer,
      tied: false,
      at_ms: bought_at_ms,
    }),
  );
}

function ofPurchase({ auction }: MyAuction, { purchase_id, price_cents, quantity, bought_at_ms }: MyPurchase): InboxNotice {
  const id = `bought.${auction.item_id}.${purchase_id}`;
  return notice(auction, id, { kind: 'bought', price_cents, quantity, buyer: null, tied: false, at_ms: bought_at_ms });
}

type NoticeDetails = Pick<InboxNotice, 'price_cents' | 'quantity' | 'buyer' | 'tied' | 'at_ms'> & { kind: InboxKind };
const notice = ({ item_id, info }: MyAuction['auction'], id: string, details: NoticeDetails): InboxNotice => ({
  id,
  item_id,
  title: info.title,
  ...details,
});

// TopK keeps the greatest score: the latest time, in whatever order they arrive.
const SEEN = 'until';

export async function markInboxSeen(claret: Claret, input: { user_id: string; until_ms: number }): Promise<number> {
  const { user_id, until_ms } = input;
  const seen = key.inbox_seen(user_id);
  await claret.transact('InboxSeen', [claret.on.topK(seen).add(SEEN, until_ms)]);
  const [latest] = await claret.transact('InboxSeen', [claret.on.topK(seen).max()]);
  return latest?.[1] ?? until_ms;
}
