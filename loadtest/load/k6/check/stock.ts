// The ledger's purchases: the responses to the storm's visitors, for the invariant of stock and purchases (invariants/stock.ts).

import { key } from '../../../../apps/rubis/server/model.ts';
import { Findings } from '../../../invariants/findings.ts';
import { stockFindings } from '../../../invariants/stock.ts';
import type { AuctionsStorm } from './auctions.ts';
import { purchaseId } from './request-names.ts';
import type { Room } from './room.ts';

export const stock: Room<AuctionsStorm> = async ({ auctions, people, store, writes, before, data, alone }) => {
  const findings = new Findings('stock');
  for (const { person_id, facts } of writes.buy) {
    const id = purchaseId(person_id, facts);
    if ((facts.purchase_id ?? id) !== id)
      findings.add(key.item_purchases(facts.item), `purchase ${facts.purchase_id}, as acknowledged`, `purchase ${id}`);
  }
  const stormPeople = new Set(data.auction_people.map(({ id }) => id));
  findings.addAll(
    await stockFindings(store, auctions, {
      purchases: writes.buy.map(({ person_id, certain, facts }) => ({
        purchase_id: facts.purchase_id ?? purchaseId(person_id, facts),
        item_id: facts.item,
        quantity: facts.quantity,
        buyer_id: person_id,
        certain,
      })),
      since_ms: before.at_ms,
      isOwn: (buyer_id) => alone || stormPeople.has(buyer_id),
      buyers: people,
    }),
  );
  return findings;
};
