// The auctions and people that the check of the auctions reads: all that it can find out about.

import { key } from '../../../../apps/rubis/server/model.ts';
import { readAuctions, untilClosed, type Auction } from './auction.ts';
import type { Storm } from './room.ts';
import type { Entry } from '../../../kit/store.ts';

export interface AuctionsStorm extends Storm {
  auctions: ReadonlyMap<string, Auction>;
  /** due to be closed, and still open */
  overdue: readonly string[];
  /** the storm's people, and everyone named in the ledger */
  people: readonly string[];
  /** the items that each of them won, by time */
  won: ReadonlyMap<string, readonly Entry[]>;
}

/** Waits up to `wait_ms` until due auctions are closed, then reads. */
export async function readSite(storm: Storm, wait_ms: number): Promise<AuctionsStorm> {
  const { data, writes, store } = storm;
  const lines = [writes.bid, writes.buy, writes.comment, writes.open].flat();
  const people = [
    ...new Set([
      ...data.auction_people.map(({ id }) => id),
      ...lines.map(({ person_id }) => person_id),
      ...writes.comment.map(({ facts }) => facts.about),
    ]),
  ];
  const won = new Map<string, Entry[]>();
  for await (const [record, entries] of store.lists(people.map(key.won))) won.set(record, entries);
  const named = lines.flatMap(({ facts }) => facts.item ?? []);
  const open = await store.list(key.open_all);
  const item_ids = [
    ...new Set([
      ...(data.hot_item === null ? [] : [data.hot_item.id]),
      ...data.items,
      ...named,
      ...open.map(([item_id]) => item_id),
      ...[...won.values()].flat().map(([item_id]) => item_id),
    ]),
  ];
  const overdue = await untilClosed(store, item_ids, data.hot_item?.closes_at_ms ?? null, wait_ms);
  // Winners of auctions closed in the meantime are found through these auctions.
  return {
    ...storm,
    auctions: await readAuctions(store, item_ids),
    overdue,
    people,
    won: new Map(people.map((id) => [id, won.get(key.won(id))!])),
  };
}
