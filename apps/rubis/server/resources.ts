// Public resources of the auction site: what caches may keep (site/public.ts).
import type { Clock } from '@claret/client';
import type { AddResource } from '@claret/site/public.ts';
import { Type } from 'typebox';

import { firstStart } from './actions/open-lists.ts';
import { CategoryParams, ItemParams, type PublicCategory, type PublicItem, type PublicPopular } from './api.ts';
import type { Computations } from './computations.ts';
import { isCategory } from './data/categories.ts';
import { key } from './model.ts';
import { RequestProblem } from './problem.ts';

export function publicResources(add: AddResource, { publicItem, popular, entries, openCount }: Computations, clock: Clock): void {
  add('/items/:item_id', {
    label: 'PublicItem',
    params: ItemParams,
    async read(tx, { item_id }): Promise<PublicItem> {
      const found = await tx.call(publicItem, item_id);
      if (found === null) throw new RequestProblem('unknown_item');
      return found;
    },
  });
  add('/popular', {
    label: 'PublicPopular',
    params: Type.Object({}),
    read: async (tx): Promise<PublicPopular> => ({ categories: await tx.call(popular) }),
  });
  // Without the cards: one hot auction would keep caches from keeping the list, and each bid on a quiet one would wait for them.
  add('/categories/:category_id', {
    label: 'PublicCategory',
    params: CategoryParams,
    async read(tx, { category_id }): Promise<PublicCategory> {
      if (!isCategory(category_id)) throw new RequestProblem('unknown_category');
      const list = key.open_category(category_id);
      const [found, open_count] = await Promise.all([tx.call(entries, list, firstStart(clock.nowMs(list))), tx.call(openCount, list)]);
      return { category_id, items: found.map(([id, closes_at_ms]) => ({ id, closes_at_ms: Number(closes_at_ms) })), open_count };
    },
  });
}
