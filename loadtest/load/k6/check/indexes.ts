// Indexes: each open auction is on every list that should contain it, under the time of its end, and on its seller's list; no list
// contains a closed auction or one that does not belong there.

import { openIndexes } from '../../../../apps/rubis/server/actions/indexes.ts';
import { key } from '../../../../apps/rubis/server/model.ts';
import { readAuctions } from './auction.ts';
import type { AuctionsStorm } from './auctions.ts';
import { Findings } from '../../../invariants/findings.ts';
import type { Room } from './room.ts';

export const indexes: Room<AuctionsStorm> = async (storm) => {
  const findings = new Findings('indexes');
  const { data, auctions, store } = storm;
  const lists = new Set([
    key.open_all,
    ...data.categories.map(key.open_category),
    ...data.regions.map(key.open_region),
    ...data.categories.flatMap((category_id) => data.regions.map((region_id) => key.open_category_region(category_id, region_id))),
  ]);
  for (const { item_id, info, listed, selling_at_ms } of auctions.values()) {
    for (const [index, at_ms] of listed) {
      lists.add(index);
      const wanted = info.status === 'open' ? info.closes_at_ms : null;
      if (at_ms !== wanted)
        findings.add(
          index,
          wanted === null ? `no ${item_id}, which is closed` : `${item_id} at ${wanted}`,
          at_ms === null ? 'nothing' : `it at ${at_ms}`,
        );
    }
    if (selling_at_ms !== info.closes_at_ms)
      findings.add(
        key.selling(info.seller.id),
        `${item_id} at ${info.closes_at_ms}`,
        selling_at_ms === null ? 'nothing' : `it at ${selling_at_ms}`,
      );
  }
  for await (const [index, entries] of store.lists([...lists])) {
    const strange = entries.map(([item_id]) => item_id).filter((item_id) => auctions.get(item_id)?.listed.has(index) !== true);
    // Perhaps opened since the auctions were read.
    const now = await readAuctions(store, strange);
    for (const item_id of strange) {
      const info = now.get(item_id)?.info;
      if (info === undefined) findings.add(index, 'auctions', `${item_id}, which is none`);
      else if (info.status === 'closed') findings.add(index, `no ${item_id}, which is closed`, 'it');
      else if (!openIndexes(info).includes(index))
        findings.add(index, 'auctions that belong there', `${item_id}: ${info.title} (${info.category_id}, ${info.region_id})`);
    }
  }
  return findings;
};
