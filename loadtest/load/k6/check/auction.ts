// An auction as stored at one moment: its info, bids, stock and purchases, and the lists that contain it. The rooms of the auctions
// read these.

import type { Description } from '@claret/client';
import { parseBid, type Scored } from '../../../../apps/rubis/server/actions/highest-bids.ts';
import { ITEM_FIELDS, parseItemInfo, type ItemInfo, type Scalar } from '../../../../apps/rubis/server/actions/item-info.ts';
import { hasStock } from '../../../../apps/rubis/server/actions/open-auction.ts';
import { openIndexes } from '../../../../apps/rubis/server/actions/indexes.ts';
import { BIDS_KEPT_MAX, key, parsePurchaseItem } from '../../../../apps/rubis/server/model.ts';
import type { Purchase } from '../../../invariants/stock.ts';
import type { Bid } from '../../../../apps/rubis/server/price.ts';
import type { Entry, Store } from '../../../kit/store.ts';

export interface Auction {
  item_id: string;
  info: ItemInfo;
  /** by rank, highest first: all bids that are kept */
  bids: Bid[];
  kept: number;
  bid_count: number;
  /** null: the auction has no pieces for sale */
  stock: number | null;
  /** in the order of time */
  purchases: Purchase[];
  /** texts among bids and purchases that cannot be parsed */
  unreadable: string[];
  /** by index (openIndexes): the time under which it is listed; null: it is not listed */
  listed: ReadonlyMap<string, number | null>;
  /** on the seller's and on the winner's list: the time under which it is there; null: it is not there, or there is no winner */
  selling_at_ms: number | null;
  won_at_ms: number | null;
}

const numberOrNull = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value));

const infoRead = (store: Store, item_id: string) => store.on.dict(key.item_info(item_id)).get(...ITEM_FIELDS);
const readInfos = async (store: Store, item_ids: readonly string[]): Promise<(ItemInfo | null)[]> =>
  (await store.all(item_ids.map((item_id) => infoRead(store, item_id)))).map(parseItemInfo);

/** Reads all auctions that exist. Each takes two reads, because the first one reveals which other records belong to it. */
export async function readAuctions(store: Store, item_ids: readonly string[]): Promise<Map<string, Auction>> {
  const auctions = new Map<string, Auction>();
  let unread = [...item_ids];
  while (unread.length > 0) {
    const infos = await readInfos(store, unread);
    const known = unread.flatMap((item_id, i) => (infos[i] === null ? [] : [{ item_id, info: infos[i]! }]));
    const found = await store.atOnce(known.map(({ item_id, info }) => readsOf(store, item_id, info)));
    unread = [];
    known.forEach(({ item_id, info }, i) => {
      const auction = auctionOf(item_id, info, found[i]!);
      // Closed between the two reads: the winner's list was not read.
      if (auction.info.status === info.status) auctions.set(item_id, auction);
      else unread.push(item_id);
    });
  }
  return auctions;
}

function readsOf(store: Store, item_id: string, info: ItemInfo): Description<unknown>[] {
  const { on } = store;
  return [
    infoRead(store, item_id),
    on.topK(key.item_bids(item_id)).top(BIDS_KEPT_MAX),
    on.topK(key.item_bids(item_id)).size(),
    on.counter(key.item_bid_count(item_id)).value(),
    on.scoredSet(key.item_purchases(item_id)).range(0, -1),
    on.scoredSet(key.selling(info.seller.id)).score(item_id),
    ...openIndexes(info).map((index) => on.scoredSet(index).score(item_id)),
    ...(hasStock(info) ? [on.boundedCounter(key.item_stock(item_id)).value()] : []),
    ...(info.winner === null ? [] : [on.scoredSet(key.won(info.winner.id)).score(item_id)]),
  ];
}

function auctionOf(item_id: string, before: ItemInfo, [fields, top, kept, count, purchases, selling, ...rest]: unknown[]): Auction {
  const info = parseItemInfo(fields as (Scalar | null)[])!;
  const indexes = openIndexes(before);
  const listed = new Map(indexes.map((index, i) => [index, numberOrNull(rest[i])]));
  const more = rest.slice(indexes.length);
  const stock = hasStock(before) ? Number(more.shift()) : null;
  const unreadable: string[] = [];
  const readable = <Item extends Scored, Read>(items: Item[], read: (item: Item) => Read): Read[] =>
    items.flatMap((item) => {
      try {
        return [read(item)];
      } catch {
        unreadable.push(item[0]);
        return [];
      }
    });
  return {
    item_id,
    info,
    listed,
    stock,
    unreadable,
    bids: readable(top as Scored[], parseBid),
    kept: Number(kept),
    bid_count: Number(count),
    purchases: readable(purchases as Entry[], ([item, bought_at_ms]) => ({ ...parsePurchaseItem(item), bought_at_ms })),
    selling_at_ms: numberOrNull(selling),
    won_at_ms: numberOrNull(more[0]),
  };
}

const LOOK_EVERY_MS = 250;

/**
 * Waits until auctions are closed that are due: their time is over, or they are sold out. At most `wait_ms`.
 * @param hot_closes_at_ms end of the hot auction, which is awaited; null: there is none
 * @returns the auctions that are still open
 */
export async function untilClosed(
  store: Store,
  item_ids: readonly string[],
  hot_closes_at_ms: number | null,
  wait_ms: number,
): Promise<string[]> {
  const due_ms = Math.max(Date.now(), hot_closes_at_ms ?? 0);
  const until_ms = Math.min(due_ms, Date.now() + wait_ms) + wait_ms;
  for (let late = [...item_ids]; ;) {
    const infos = await readInfos(store, late);
    const stocks = await store.all(late.map((item_id) => store.on.boundedCounter(key.item_stock(item_id)).value()));
    late = late.filter((_, i) => {
      const info = infos[i]!;
      return info !== null && info.status === 'open' && (info.closes_at_ms <= due_ms || (hasStock(info) && Number(stocks[i]) === 0));
    });
    if (late.length === 0 || Date.now() >= until_ms) return late;
    await new Promise<void>((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
