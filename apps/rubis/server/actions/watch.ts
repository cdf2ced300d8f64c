// WatchItem, UnwatchItem: an auction on a person's watch list, and the person among its watchers.
//
// Concurrent watchers of one auction add different members to its Set, which commutes. The list is bounded, so its size is read: only
// transactions of the same person conflict there. Mostly it is known that there is room, and when the auction ends, so that everything leaves in one
// message. On a full list ended auctions make room, those that ended first before others.
import type { Claret } from '@claret/client';

import { LIMITS } from '../api.ts';
import { key } from '../model.ts';
import type { ItemInfo } from './item-info.ts';
import { refuse, type Outcome } from './outcome.ts';

export type WatchInput = {
  item_id: string;
  user_id: string;
  // the auction as the caller has last seen it: the change waits for no message that says the same
  seen?: Pick<ItemInfo, 'status' | 'closes_at_ms'>;
};

export function watchItem(
  claret: Claret,
  input: WatchInput & { now_ms: number },
): Promise<Outcome<{}, 'unknown_item' | 'watch_list_full'>> {
  const { item_id, user_id, now_ms, seen } = input;
  const { on } = claret;
  return claret.transaction('WatchItem', async (tx) => {
    const watching = on.scoredSet(key.watching(user_id));
    const [[closesAt], score, full] = await Promise.all([
      tx.perform(on.dict(key.item_info(item_id)).get('closes_at_ms'), { guess: seen && [seen.closes_at_ms] }),
      tx.perform(watching.score(item_id), { guess: null }),
      tx.perform(watching.range(LIMITS.watching_max - 1, LIMITS.watching_max - 1), { guess: [] }),
    ]);
    if (closesAt === null || closesAt === undefined) return refuse('unknown_item');
    if (score !== null) return { refused: null };
    const list = tx.scoredSet(key.watching(user_id));
    if (full.length > 0) {
      const excess = Number(await list.size()) + 1 - LIMITS.watching_max;
      const ended = await list.rangeByScore(0, now_ms, excess, null);
      if (ended.length < excess) return refuse('watch_list_full');
      for (const [ended_id] of ended) {
        list.remove(ended_id);
        tx.set(key.item_watchers(ended_id)).remove(user_id);
      }
    }
    list.add(item_id, Number(closesAt));
    tx.set(key.item_watchers(item_id)).add(user_id);
    return { refused: null };
  });
}

export function unwatchItem(claret: Claret, input: WatchInput): Promise<Outcome<{}, 'unknown_item'>> {
  const { item_id, user_id, seen } = input;
  return claret.transaction('UnwatchItem', async (tx) => {
    const [status] = await tx.perform(claret.on.dict(key.item_info(item_id)).get('status'), { guess: seen && [seen.status] });
    if (status === null || status === undefined) return refuse('unknown_item');
    tx.scoredSet(key.watching(user_id)).remove(item_id);
    tx.set(key.item_watchers(item_id)).remove(user_id);
    return { refused: null };
  });
}
