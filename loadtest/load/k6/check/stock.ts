// Stock and purchases: what was bought, won and left of an auction makes up what there was; each acknowledged purchase happened
// once, one whose answer was lost once or not, each wholly: it has a record, is on the auction's list and on the buyer's.

import { parsePurchase, PURCHASE_FIELDS } from '../../../../apps/rubis/server/actions/buy-now.ts';
import { key } from '../../../../apps/rubis/server/model.ts';
import type { Auction, Purchase } from './auction.ts';
import type { AuctionsStorm } from './auctions.ts';
import { Findings } from '../../../invariants/findings.ts';
import { groupBy } from './ledger.ts';
import type { Room } from './room.ts';
import type { Entry } from '../../../kit/store.ts';

type Listed = Purchase & { item_id: string };

export const stock: Room<AuctionsStorm> = async (storm) => {
  const findings = new Findings('stock');
  for (const auction of storm.auctions.values()) pieces(auction, findings);
  const listed = [...storm.auctions.values()].flatMap(({ item_id, purchases }) =>
    purchases.map((purchase): Listed => ({ ...purchase, item_id })),
  );
  const by_id = groupBy(listed, ({ purchase_id }) => purchase_id);
  for (const [purchase_id, [first, ...more]] of by_id) {
    if (more.length > 0) findings.add(key.item_purchases(first.item_id), `purchase ${purchase_id} once`, `it ${more.length + 1} times`);
  }
  await records(storm, listed, findings);
  await ofLedger(storm, by_id, findings);
  await onOwnLists(storm, by_id, findings);
  return findings;
};

function pieces({ item_id, info, stock: left, purchases }: Auction, findings: Findings): void {
  const bought = purchases.reduce((sum, { quantity }) => sum + quantity, 0);
  const won = info.winner === null ? 0 : 1;
  const record = key.item_stock(item_id);
  if (left === null) {
    if (bought > 0) findings.add(key.item_purchases(item_id), 'none, since it cannot be bought', `${bought} pieces`);
    return;
  }
  if (left < 0) findings.add(record, 'no less than 0', String(left));
  if (bought + won + left !== info.quantity)
    findings.add(record, `${info.quantity - bought - won}, of ${info.quantity} with ${bought} bought and ${won} won`, String(left));
  if (info.status === 'closed' && info.left !== left)
    findings.add(key.item_info(item_id), `${left} left, as in the stock`, String(info.left));
  for (const { purchase_id, bought_at_ms, buyer_id } of purchases) {
    if (bought_at_ms >= info.closes_at_ms)
      findings.add(key.item_purchases(item_id), `purchases until ${info.closes_at_ms}`, `${purchase_id} at ${bought_at_ms}`);
    if (buyer_id === info.seller.id)
      findings.add(key.item_purchases(item_id), 'no purchase by the seller', `${purchase_id} by ${buyer_id}`);
  }
}

/** Each purchase that an auction lists, in its own record and on its buyer's list. */
async function records({ store, auctions }: AuctionsStorm, listed: readonly Listed[], findings: Findings): Promise<void> {
  const { on } = store;
  const found = await store.atOnce(
    listed.map(({ purchase_id, buyer_id }) => [
      on.dict(key.purchase(purchase_id)).get(...PURCHASE_FIELDS),
      on.scoredSet(key.bought(buyer_id)).score(purchase_id),
    ]),
  );
  listed.forEach(({ item_id, purchase_id, buyer_id, quantity, bought_at_ms }, i) => {
    const [fields, score] = found[i] as [Parameters<typeof parsePurchase>[0], number | null];
    const stored = parsePurchase(fields);
    const wanted = JSON.stringify({
      item_id,
      buyer_id,
      quantity,
      price_cents: auctions.get(item_id)!.info.buy_now_price_cents,
      bought_at_ms,
    });
    if (JSON.stringify(stored) !== wanted) findings.add(key.purchase(purchase_id), wanted, JSON.stringify(stored));
    if (score !== bought_at_ms)
      findings.add(key.bought(buyer_id), `${purchase_id} at ${bought_at_ms}`, score === null ? 'nothing' : `it at ${score}`);
  });
}

async function ofLedger(
  { writes, store, before, data, alone }: AuctionsStorm,
  listed: ReadonlyMap<string, readonly Listed[]>,
  findings: Findings,
): Promise<void> {
  const lines = groupBy(writes.buy, ({ facts }) => facts.purchase_id);
  const ids = [...lines.keys()];
  const stored = await store.all(ids.map((purchase_id) => store.on.dict(key.purchase(purchase_id)).get('item')));
  ids.forEach((purchase_id, i) => {
    const [line, ...more] = lines.get(purchase_id)!;
    const told = [line, ...more].find(({ certain }) => certain) ?? line;
    const one = listed.get(purchase_id)?.[0];
    const wanted = `${purchase_id}: ${told.facts.quantity} by ${told.person_id}`;
    const record = key.item_purchases(told.facts.item);
    if (one === undefined) {
      if (told.certain) findings.add(record, wanted, 'nothing');
      else if (stored[i]![0] !== null) findings.add(record, `${wanted}, which has a record`, 'nothing');
    } else if (one.item_id !== told.facts.item || one.quantity !== told.facts.quantity || one.buyer_id !== told.person_id) {
      findings.add(record, wanted, `${one.quantity} by ${one.buyer_id} of ${one.item_id}`);
    }
  });
  const people = new Set(data.auction_people.map(({ id }) => id));
  for (const [purchase_id, [one]] of listed as ReadonlyMap<string, readonly [Listed]>) {
    if (lines.has(purchase_id) || one.bought_at_ms < before.at_ms || !(alone || people.has(one.buyer_id))) continue;
    findings.add(key.item_purchases(one.item_id), 'purchases of the ledger', `${purchase_id} by ${one.buyer_id}, which is none`);
  }
}

/** What stands on people's lists since the storm began is on an auction's. */
async function onOwnLists(
  { people, store, before, auctions }: AuctionsStorm,
  listed: ReadonlyMap<string, readonly Listed[]>,
  findings: Findings,
): Promise<void> {
  const strange: { record: string; entry: Entry }[] = [];
  for await (const [record, entries] of store.lists(people.map(key.bought), { min: before.at_ms })) {
    for (const entry of entries) if (!listed.has(entry[0])) strange.push({ record, entry });
  }
  const items = await store.all(strange.map(({ entry }) => store.on.dict(key.purchase(entry[0])).get('item')));
  strange.forEach(({ record, entry: [purchase_id, at_ms] }, i) => {
    const item_id = items[i]![0];
    if (item_id === null || auctions.has(String(item_id)))
      findings.add(record, 'purchases that an auction lists', `${purchase_id} at ${at_ms}`);
  });
}
