// The ledger's purchases: the responses to the storm's visitors, for the invariant of stock and purchases (invariants/stock.ts).

import { Findings } from '../../../invariants/findings.ts';
import { stockFindings } from '../../../invariants/stock.ts';
import type { AuctionsStorm } from './auctions.ts';
import type { Room } from './room.ts';

export const stock: Room<AuctionsStorm> = async ({ auctions, people, store, writes, before, data, alone }) => {
  const findings = new Findings('stock');
  const stormPeople = new Set(data.auction_people.map(({ id }) => id));
  findings.addAll(
    await stockFindings(store, auctions, {
      purchases: writes.buy.map(({ person_id, certain, facts: { item, quantity, purchase_id } }) => ({
        purchase_id,
        item_id: item,
        quantity,
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
