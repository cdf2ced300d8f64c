// The state before the storm, as far as it cannot be derived from the store afterwards: the numbers of bids (a TopK drops low
// ones), and the reposts and follows of the storm's people.

import type { Claret } from '@claret/client';
import { key as auctions } from '../../../../apps/rubis/server/model.ts';
import { key as timelines } from '../../../../apps/retwis/server/model.ts';
import type { StormData } from '../storm.ts';
import { Store } from '../../../kit/store.ts';

export interface Before {
  /** by this machine's clock: entries with a later time came with the storm */
  at_ms: number;
  /** by auction: open ones, and those of StormData */
  bid_counts: ReadonlyMap<string, number>;
  /** the reposts of the storm's people, as entries (repostEntry) */
  reposted: ReadonlySet<string>;
  /** by follower: the storm's people */
  following: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Reads the state. REQUIRES: there are no concurrent writes. */
export async function lookBefore(claret: Claret, data: StormData): Promise<Before> {
  const store = new Store(claret);
  // Entries of the current millisecond count as older.
  const at_ms = Date.now() + 1;
  const open = await store.list(auctions.open_all);
  const items = [...new Set([...open.map(([item_id]) => item_id), ...data.items, ...(data.hot_item === null ? [] : [data.hot_item.id])])];
  const counts = await store.all(items.map((item_id) => store.on.counter(auctions.item_bid_count(item_id)).value()));
  const ids = data.timeline_people.map(({ id }) => id);
  const reposted = new Set<string>();
  for await (const [, entries] of store.lists(ids.map(timelines.posts))) {
    for (const [entry_id] of entries) reposted.add(entry_id);
  }
  const following = new Map<string, ReadonlySet<string>>();
  let next = 0;
  for await (const [, followed] of store.sets(ids.map(timelines.following))) following.set(ids[next++]!, new Set(followed));
  return { at_ms, bid_counts: new Map(items.map((item_id, i) => [item_id, Number(counts[i])])), reposted, following };
}
