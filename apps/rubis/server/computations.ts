// What this server keeps in memory and the store proves at each use (client/API.md, "Computations").
import type { Claret, Computation } from '@claret/client';

import type { Popular } from './api.ts';
import { CATEGORIES } from './data/categories.ts';
import { key } from './model.ts';

// Only tests pay for the checks of purity.
const OPTIONS = { version: 1, strict: process.env['NODE_ENV'] === 'test' };

export type Computations = { popular: Computation<[], Popular['categories']> };

export function computationsOf(claret: Claret): Computations {
  const openCount = claret.computation('OpenCount', OPTIONS, async (read, category_id: string) =>
    Number(await read.scoredSet(key.open_category(category_id)).size()),
  );
  return {
    popular: claret.computation('Popular', OPTIONS, async (read) => {
      const counts = await Promise.all(CATEGORIES.map(async ({ id }) => ({ category_id: id, open_count: await read.call(openCount, id) })));
      return counts.sort((a, b) => b.open_count - a.open_count);
    }),
  };
}
