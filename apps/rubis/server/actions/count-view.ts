// CountView: counts one more view of an auction's page, and reads how many there have been.
//
// Native operations instead of a transaction: a count needs nothing else to happen with it. A view may be counted although its answer is
// lost, so the number is no exact tally of visits.
import type { Claret } from '@claret/client';

import { key } from '../model.ts';
import { refuse, type Outcome } from './outcome.ts';

export async function countView(claret: Claret, input: { item_id: string }): Promise<Outcome<{ views: number }, 'unknown_item'>> {
  const { item_id } = input;
  // Anyone may send this, so records are made only for auctions that exist.
  const [status] = await claret.native.dict(key.item_info(item_id)).get('status');
  if (status === null || status === undefined) return refuse('unknown_item');
  return { refused: null, views: await addView(claret, item_id) };
}

// REQUIRES: there is such an item.
export async function addView(claret: Claret, item_id: string): Promise<number> {
  const counter = claret.native.counter(key.item_views(item_id));
  const [, views] = await Promise.all([counter.add(1), counter.value()]);
  return Number(views);
}
