// The invariant of stock and purchases, auction by auction: the pieces that were bought, won and left add up to the pieces that
// were offered. Each acknowledged purchase happened once, a purchase without a response once or not at all, each of them
// completely: it has a record, is on the auction's list and on the buyer's list. There is no other purchase.
//
// A tool reads the auctions (`StockedAuction`), describes the acknowledged purchases (`AcknowledgedPurchases`) and gets the
// differences.

import { parsePurchase, PURCHASE_FIELDS } from '../../apps/rubis/server/actions/buy-now.ts';
import type { ItemInfo } from '../../apps/rubis/server/actions/item-info.ts';
import { key, type PurchaseItem } from '../../apps/rubis/server/model.ts';
import { groupBy } from '../kit/group-by.ts';
import type { Entry, Store } from '../kit/store.ts';
import type { Finding } from './findings.ts';

export type Purchase = PurchaseItem & { bought_at_ms: number };

export interface StockedAuction {
  item_id: string;
  info: ItemInfo;
  /** null: the auction has no pieces for sale */
  stock: number | null;
  /** in the order of time */
  purchases: readonly Purchase[];
}

export interface AcknowledgedPurchase {
  purchase_id: string;
  item_id: string;
  quantity: number;
  buyer_id: string;
  /** acknowledged; false: without a response */
  certain: boolean;
}

export interface AcknowledgedPurchases {
  /** in the order of time; a purchase that was resent occurs again */
  purchases: readonly AcknowledgedPurchase[];
  /** start of the run */
  since_ms: number;
  /** Whether all purchases of that buyer since the start are in `purchases`. */
  isOwn: (buyer_id: string) => boolean;
  /** buyers whose own lists are checked */
  buyers: readonly string[];
}

type Auctions = ReadonlyMap<string, StockedAuction>;
type Listed = Purchase & { item_id: string };
type ListedById = ReadonlyMap<string, readonly [Listed, ...Listed[]]>;

export async function stockFindings(store: Store, auctions: Auctions, known: AcknowledgedPurchases): Promise<Finding[]> {
  const listed = [...auctions.values()].flatMap(({ item_id, purchases }) =>
    purchases.map((purchase): Listed => ({ ...purchase, item_id })),
  );
  const byId = groupBy(listed, ({ purchase_id }) => purchase_id);
  const twice = [...byId].flatMap(([purchase_id, { length, 0: first }]): Finding[] =>
    length === 1
      ? []
      : [{ record: key.item_purchases(first.item_id), expected: `purchase ${purchase_id} once`, found: `it ${length} times` }],
  );
  return [
    ...[...auctions.values()].flatMap(pieceFindings),
    ...twice,
    ...(await recordFindings(store, auctions, listed)),
    ...(await acknowledgedFindings(store, known, byId)),
    ...strangeFindings(known, byId),
    ...(await ownListFindings(store, auctions, known, byId)),
  ];
}

function pieceFindings({ item_id, info, stock: left, purchases }: StockedAuction): Finding[] {
  const bought = purchases.reduce((sum, { quantity }) => sum + quantity, 0);
  const won = info.winner === null ? 0 : 1;
  const record = key.item_stock(item_id);
  const list = key.item_purchases(item_id);
  if (left === null) return bought > 0 ? [{ record: list, expected: 'none, since it cannot be bought', found: `${bought} pieces` }] : [];
  const findings: Finding[] = [];
  if (left < 0) findings.push({ record, expected: 'no less than 0', found: String(left) });
  if (bought + won + left !== info.quantity) {
    const expected = `${info.quantity - bought - won}, of ${info.quantity} with ${bought} bought and ${won} won`;
    findings.push({ record, expected, found: String(left) });
  }
  if (info.status === 'closed' && info.left !== left)
    findings.push({ record: key.item_info(item_id), expected: `${left} left, as in the stock`, found: String(info.left) });
  for (const { purchase_id, bought_at_ms, buyer_id } of purchases) {
    if (bought_at_ms >= info.closes_at_ms)
      findings.push({ record: list, expected: `purchases until ${info.closes_at_ms}`, found: `${purchase_id} at ${bought_at_ms}` });
    if (buyer_id === info.seller.id)
      findings.push({ record: list, expected: 'no purchase by the seller', found: `${purchase_id} by ${buyer_id}` });
  }
  return findings;
}

/** From an auction's list to the purchase's own record and the buyer's list. */
async function recordFindings(store: Store, auctions: Auctions, listed: readonly Listed[]): Promise<Finding[]> {
  const { on } = store;
  const stored = await store.atOnce(
    listed.map(({ purchase_id, buyer_id }) => [
      on.dict(key.purchase(buyer_id, purchase_id)).get(...PURCHASE_FIELDS),
      on.scoredSet(key.bought(buyer_id)).score(purchase_id),
    ]),
  );
  return listed.flatMap(({ item_id, purchase_id, buyer_id, quantity, bought_at_ms }, i) => {
    const [fields, score] = stored[i] as [Parameters<typeof parsePurchase>[0], number | null];
    const price_cents = auctions.get(item_id)!.info.buy_now_price_cents;
    const expected = JSON.stringify({ item_id, buyer_id, quantity, price_cents, bought_at_ms });
    const found = JSON.stringify(parsePurchase(fields));
    const findings: Finding[] = [];
    if (found !== expected) findings.push({ record: key.purchase(buyer_id, purchase_id), expected, found });
    if (score !== bought_at_ms) {
      const where = score === null ? 'nothing' : `it at ${score}`;
      findings.push({ record: key.bought(buyer_id), expected: `${purchase_id} at ${bought_at_ms}`, found: where });
    }
    return findings;
  });
}

/** From the acknowledged purchases to the auctions' lists. */
async function acknowledgedFindings(store: Store, { purchases }: AcknowledgedPurchases, listed: ListedById): Promise<Finding[]> {
  const groups = [...groupBy(purchases, ({ purchase_id }) => purchase_id)];
  const items = await store.all(
    groups.map(([purchase_id, [{ buyer_id }]]) => store.on.dict(key.purchase(buyer_id, purchase_id)).get('item')),
  );
  return groups.flatMap(([purchase_id, same], i): Finding[] => {
    const told = same.find(({ certain }) => certain) ?? same[0];
    const one = listed.get(purchase_id)?.[0];
    const record = key.item_purchases(told.item_id);
    const expected = `${purchase_id}: ${told.quantity} by ${told.buyer_id}`;
    if (one === undefined) {
      if (told.certain) return [{ record, expected, found: 'nothing' }];
      return items[i]![0] === null ? [] : [{ record, expected: `${expected}, which has a record`, found: 'nothing' }];
    }
    const isSame = one.item_id === told.item_id && one.quantity === told.quantity && one.buyer_id === told.buyer_id;
    return isSame ? [] : [{ record, expected, found: `${one.quantity} by ${one.buyer_id} of ${one.item_id}` }];
  });
}

/** From the auctions' lists to the acknowledged purchases. */
function strangeFindings({ purchases, since_ms, isOwn }: AcknowledgedPurchases, listed: ListedById): Finding[] {
  const ids = new Set(purchases.map(({ purchase_id }) => purchase_id));
  return [...listed].flatMap(([purchase_id, [{ item_id, buyer_id, bought_at_ms }]]): Finding[] => {
    if (ids.has(purchase_id) || bought_at_ms < since_ms || !isOwn(buyer_id)) return [];
    const found = `${purchase_id} by ${buyer_id}, which is none`;
    return [{ record: key.item_purchases(item_id), expected: 'purchases of the ledger', found }];
  });
}

/** From the buyers' lists, since the start of the run, to the auctions' lists. */
async function ownListFindings(
  store: Store,
  auctions: Auctions,
  { buyers, since_ms }: AcknowledgedPurchases,
  listed: ListedById,
): Promise<Finding[]> {
  const strange: { record: string; buyer_id: string; entry: Entry }[] = [];
  const buyerOf = new Map(buyers.map((buyer_id) => [key.bought(buyer_id), buyer_id]));
  for await (const [record, entries] of store.lists([...buyerOf.keys()], { min: since_ms })) {
    for (const entry of entries) if (!listed.has(entry[0])) strange.push({ record, buyer_id: buyerOf.get(record)!, entry });
  }
  const items = await store.all(strange.map(({ buyer_id, entry }) => store.on.dict(key.purchase(buyer_id, entry[0])).get('item')));
  return strange.flatMap(({ record, entry: [purchase_id, at_ms] }, i): Finding[] => {
    const item_id = items[i]![0];
    if (item_id !== null && item_id !== undefined && !auctions.has(String(item_id))) return [];
    return [{ record, expected: 'purchases that an auction lists', found: `${purchase_id} at ${at_ms}` }];
  });
}
