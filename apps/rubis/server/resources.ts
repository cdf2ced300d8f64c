// Public resources of the auction site: what caches may keep (site/public.ts).
import type { AddResource } from '@claret/site/public.ts';
import { Type } from 'typebox';

import { ItemParams, type PublicItem, type PublicPopular } from './api.ts';
import type { Computations } from './computations.ts';
import { RequestProblem } from './problem.ts';

export function publicResources(add: AddResource, { publicItem, popular }: Computations): void {
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
}
