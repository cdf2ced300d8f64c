// WatchItem, UnwatchItem: an auction on a person's watch list, and the person among its watchers.
//
// Concurrent watchers of one auction add different members to its Set, which commutes. The list is bounded, so its size is read: only
// transactions of the same person conflict there. On a full list ended auctions make room, those that ended first before others.
import type { Claret } from '@claret/client';

import { LIMITS } from '../api.ts';
import { key } from '../model.ts';
import { refuse, type Outcome } from './outcome.ts';

export type WatchInput = { item_id: string; user_id: string };

export function watchItem(
  claret: Claret,
  input: WatchInput & { now_ms: number },
): Promise<Outcome<{}, 'unknown_item' | 'watch_list_full'>> {
  const { item_id, user_id, now_ms } = input;
  return claret.transaction('WatchItem', async (tx) => {
    const list = tx.scoredSet(key.watching(user_id));
    const [[closesAt], score, size] = await Promise.all([
      tx.dict(key.item_info(item_id)).get('closes_at_ms'),
      list.score(item_id),
      list.size(),
    ]);
    if (closesAt === null || closesAt === undefined) return refuse('unknown_item');
    if (score !== null) return { refused: null };
    const excess = Number(size) + 1 - LIMITS.watching_max;
    if (excess > 0) {
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
  const { item_id, user_id } = input;
  return claret.transaction('UnwatchItem', async (tx) => {
    const [status] = await tx.dict(key.item_info(item_id)).get('status');
    if (status === null || status === undefined) return refuse('unknown_item');
    tx.scoredSet(key.watching(user_id)).remove(item_id);
    tx.set(key.item_watchers(item_id)).remove(user_id);
    return { refused: null };
  });
}
