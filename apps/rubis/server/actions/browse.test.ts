// Browse and Search.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { DAY_MS, startWorld, type World } from '../testing/world.ts';
import { browse, openCount, browseIndex, type Page, type Place } from './browse.ts';
import { search } from './search.ts';

let world: World;
const now_ms = Date.now();
const pages = { toys: [] as string[] };

beforeAll(async () => {
  world = await startWorld();
  const seller = await world.person('seller');
  // 45 toys, some of which end at the same moment; every third in Boston, every fifth red
  pages.toys = await Promise.all(
    Array.from({ length: 45 }, (_, i) =>
      world.auction(seller, {
        title: `${i % 5 === 0 ? 'Red' : 'Blue'} Kite number${i}`,
        category_id: 'toys',
        region_id: i % 3 === 0 ? 'ma-boston' : 'ny-albany',
        closes_at_ms: now_ms + DAY_MS + Math.floor(i / 4) * 1_000,
      }),
    ),
  );
  await world.auction(seller, { title: 'Red Écharpes', category_id: 'accessories' });
});
afterAll(() => world.stop());

async function all(next: (after: Place | null) => Promise<Page>): Promise<{ ids: string[]; sizes: number[] }> {
  const ids: string[] = [];
  const sizes: number[] = [];
  let after: Place | null = null;
  do {
    const page: Page = await next(after);
    ids.push(...page.items.map((item) => item.id));
    sizes.push(page.items.length);
    after = page.next;
  } while (after !== null);
  return { ids, sizes };
}

describe('Browse', () => {
  test('shows a category in pages of twenty, each auction once, ending soonest first', async () => {
    const { ids, sizes } = await all((after) => browse(world.claret, { category_id: 'toys', region_id: null, now_ms, after }));
    expect(sizes).toEqual([20, 20, 5]);
    expect(ids.toSorted()).toEqual(pages.toys.toSorted());
    const place = new Map(pages.toys.map((id, i) => [id, Math.floor(i / 4)]));
    expect(ids.map((id) => place.get(id))).toEqual(ids.map((id) => place.get(id)).toSorted((a = 0, b = 0) => a - b));
  });

  test('shows a region, a category in a region, or all', async () => {
    const read = (category_id: string | null, region_id: string | null) =>
      all((after) => browse(world.claret, { category_id, region_id, now_ms, after }));
    expect((await read(null, 'ma-boston')).ids).toHaveLength(15);
    expect((await read('toys', 'ma-boston')).ids).toHaveLength(15);
    expect((await read('accessories', 'ma-boston')).ids).toEqual([]);
    expect((await read(null, null)).ids).toHaveLength(46);
    expect(await openCount(world.claret, browseIndex({ category_id: 'toys', region_id: null }))).toBe(45);
  });

  test('leaves out what is over, closed or not', async () => {
    const page = await browse(world.claret, { category_id: 'toys', region_id: null, now_ms: now_ms + 2 * DAY_MS, after: null });
    expect(page).toEqual({ items: [], next: null });
  });
});

describe('Search', () => {
  const find = async (text: string) => (await all((after) => search(world.claret, { text, now_ms, after }))).ids;

  test('finds titles that have all the words, in any order and case', async () => {
    expect(await find('kite')).toHaveLength(45);
    expect(await find('RED kites')).toHaveLength(9);
    expect(await find('kite red the')).toHaveLength(9);
    expect(await find('number7')).toEqual([pages.toys[7]]);
    expect(await find('red number7')).toEqual([]);
  });

  test('finds words with accents typed without, and nothing for nothing', async () => {
    expect(await find('echarpe')).toHaveLength(1);
    expect(await find('')).toEqual([]);
    expect(await find('!? the')).toEqual([]);
    expect(await find('unheardof')).toEqual([]);
  });
});
