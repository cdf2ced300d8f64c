// The inbox: what has happened in the auctions that a person takes part in. Nothing is kept for it but until when they have
// read: the rest follows from the auctions.
import type { Claret } from '@claret/client';

import { LIMITS, type InboxKind, type InboxNotice } from '../api.ts';
import { key } from '../model.ts';
import { currentPrice, noticeId, outbidAt, saleNoticeId, standingOf } from '../standing.ts';
import { myAuctions, type MyAuction, type MyPurchase } from './my-auctions.ts';

export type InboxView = { notices: InboxNotice[]; unread: number; seen_until_ms: number };

export async function readInbox(claret: Claret, input: { user_id: string; now_ms: number }): Promise<InboxView> {
  const { user_id } = input;
  const { auctions, purchases, seen_until_ms } = await myAuctions(claret, { ...input, label: 'Inbox', watching: false });
  const found = [...auctions.values()].flatMap((one) => [...ofStanding(one, user_id), ...ofSales(one, user_id)]);
  for (const purchase of purchases) {
    const bought = auctions.get(purchase.item_id);
    if (bought !== undefined) found.push(ofPurchase(bought, purchase));
  }
  const notices = found.sort((a, b) => b.at_ms - a.at_ms || (a.id < b.id ? -1 : 1)).slice(0, LIMITS.inbox_max);
  return { notices, unread: notices.filter((one) => one.at_ms > seen_until_ms).length, seen_until_ms };
}

// What a person's standing says has happened: at most one thing for each auction.
function ofStanding({ auction }: MyAuction, user_id: string): InboxNotice[] {
  const { info, bids } = auction;
  const standing = standingOf(auction, user_id, true);
  if (standing === null || standing === 'selling' || standing === 'leading') return [];
  // To a seller of pieces each sale is told on its own: of the end only that it sold to a winner, or that nothing was sold.
  if (standing === 'sold' && info.winner === null) return [];
  const at_ms = standing === 'outbid' ? outbidAt(bids, user_id) : info.closed_at_ms;
  if (at_ms === null) return [];
  return [notice(auction, noticeId(auction, user_id, standing), {
    kind: standing,
    price_cents: currentPrice(auction),
    quantity: 1,
    buyer: standing === 'sold' ? info.winner : null,
    at_ms,
  })];
}

// To the seller: each purchase.
function ofSales({ auction, sale }: MyAuction, user_id: string): InboxNotice[] {
  const { info } = auction;
  if (info.seller.id !== user_id) return [];
  return sale.purchases.map(({ purchase_id, buyer, quantity, bought_at_ms }) =>
    notice(auction, saleNoticeId(auction.item_id, purchase_id), {
      kind: 'sold',
      price_cents: info.buy_now_price_cents ?? 0,
      quantity,
      buyer,
      at_ms: bought_at_ms,
    }),
  );
}

function ofPurchase({ auction }: MyAuction, { purchase_id, price_cents, quantity, bought_at_ms }: MyPurchase): InboxNotice {
  const id = `bought.${auction.item_id}.${purchase_id}`;
  return notice(auction, id, { kind: 'bought', price_cents, quantity, buyer: null, at_ms: bought_at_ms });
}

type Told = Pick<InboxNotice, 'price_cents' | 'quantity' | 'buyer' | 'at_ms'> & { kind: InboxKind };
const notice = ({ item_id, info }: MyAuction['auction'], id: string, told: Told): InboxNotice => ({
  id,
  item_id,
  title: info.title,
  ...told,
});

// Of several times the latest counts, in whatever order they come.
const SEEN = 'until';

export async function markInboxSeen(claret: Claret, input: { user_id: string; until_ms: number }): Promise<number> {
  const { user_id, until_ms } = input;
  const seen = key.inbox_seen(user_id);
  await claret.transact('InboxSeen', [claret.on.topK(seen).add(SEEN, until_ms)]);
  const [latest] = await claret.transact('InboxSeen', [claret.on.topK(seen).max()]);
  return latest?.[1] ?? until_ms;
}
