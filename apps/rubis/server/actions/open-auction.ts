// OpenAuction: an item goes on sale and into every index that lists it.
//
// All of it is void but the id: auctions opened at once add different items to the same indexes, which commutes.
import type { Claret } from '@claret/client';

import { key, openIndexes } from '../model.ts';
import { openingFields, type OpeningFields } from './item-info.ts';

export function openAuction(claret: Claret, item: OpeningFields): Promise<{ refused: null; item_id: string }> {
  return claret.transaction('OpenAuction', async (tx) => {
    const item_id = await tx.uidGenerator(key.item_ids).next();
    tx.dict(key.item_info(item_id)).set(openingFields(item));
    tx.scoredSet(key.selling(item.seller.id)).add(item_id, item.closes_at_ms);
    for (const index of openIndexes(item)) tx.scoredSet(index).add(item_id, item.closes_at_ms);
    return { refused: null, item_id };
  });
}
