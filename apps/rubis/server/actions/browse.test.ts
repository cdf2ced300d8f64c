// Browse and Search.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { LIMITS } from '../api.ts';
import { DAY_MS, startWorld, type World } from '../testing/world.ts';
import { browse, openCount, browseIndex, type Page, type ListPosition } from './browse.ts';
import { closeAuction } from './close-auction.ts';
import { search } from './search.ts';

let world: World;
const now_ms = Date.now();
const pages = { toys: [] as string[] };

beforeAll(async () => {
  world = await startWorld();
  const seller = await world.person('seller');
  // 45 toys, some of which end at the same time; every third in Boston, every fifth red
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

async function all(next: (after: ListPosition | null) => Promise<Page>): Promise<{ ids: string[]; sizes: number[] }> {
  const ids: string[] = [];
  const sizes: number[] = [];
  let after: ListPosition | null = null;
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
    const rank = new Map(pages.toys.map((id, i) => [id, Math.floor(i / 4)]));
    expect(ids.map((id) => rank.get(id))).toEqual(ids.map((id) => rank.get(id)).toSorted((a = 0, b = 0) => a - b));
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

  test('leaves out auctions past their end, closed or not', async () => {
    const page = await browse(world.claret, { category_id: 'toys', region_id: null, now_ms: now_ms + 2 * DAY_MS, after: null });
    expect(page).toEqual({ items: [], next: null });
  });
});

test('A first page is full, however many auctions have ended a moment ago, and shows none of these', async () => {
  const begin_ms = (Math.floor(now_ms / 10_000) + 9) * 10_000;
  const seller = await world.person('ending');
  const closes = Array.from({ length: 60 }, (_, i) => begin_ms + 100 * i);
  const ids = await Promise.all(closes.map((closes_at_ms) => world.auction(seller, { category_id: 'bears', closes_at_ms })));
  const first = (at_ms: number) => browse(world.claret, { category_id: 'bears', region_id: null, now_ms: at_ms, after: null });
  for (const ended of [0, 1, 20, 25, 39, 40, 59, 60]) {
    const page = await first(begin_ms + 100 * ended - 50);
    expect(page.items.map(({ id }) => id)).toEqual(ids.slice(ended, ended + LIMITS.page_size));
    expect(page.next === null).toBe(ids.length - ended <= LIMITS.page_size);
  }
  const transactions = world.claret.counters.commits;
  await first(begin_ms + 50);
  expect(world.claret.counters.commits - transactions).toBe(1 + LIMITS.page_size);
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

  test('finds accented words typed without accents, and nothing for an empty text', async () => {
    expect(await find('echarpe')).toHaveLength(1);
    expect(await find('')).toEqual([]);
    expect(await find('!? the')).toEqual([]);
    expect(await find('unheardof')).toEqual([]);
  });

  test('finds a word by its plural and vice versa, by a prefix, and with a typo', async () => {
    expect(await find('kites')).toHaveLength(45);
    expect(await find('echarpes')).toEqual(await find('Écharpe'));
    expect(await find('kit')).toHaveLength(45);
    expect(await find('re kite')).toHaveLength(9);
    expect(await find('kyte red')).toHaveLength(9);
    expect(await find('echrape')).toEqual(await find('echarpes'));
    expect(await find('xyz red')).toEqual([]);
  });

  test('reports the words it searched for instead', async () => {
    const { words } = await search(world.claret, { text: 'kit red', now_ms, after: null });
    expect(words.map(({ asked, words: found }) => [asked, found])).toEqual([
      ['kit', ['kite']],
      ['red', ['red']],
    ]);
  });

  test('prefers the exact word to longer ones, and drops words that no open auction has', async () => {
    const seller = await world.person('forgetful');
    const closes_at_ms = now_ms + 1_000;
    const [car, carpet] = [
      await world.auction(seller, { title: 'Car', closes_at_ms }),
      await world.auction(seller, { title: 'Carpet', closes_at_ms }),
    ];
    expect(await find('cars')).toEqual([car]);
    expect((await find('ca')).toSorted()).toEqual([car, carpet].toSorted());
    await closeAuction(world.claret, { item_id: car, now_ms: closes_at_ms });
    expect(await find('car')).toEqual([carpet]);
  });

  test('merges several words in the order of auctions’ ends, page by page, each auction once', async () => {
    const seller = await world.person('merger');
    const titles = ['Zebrafinch', 'Zebrawood Zebrafish', 'Zebrawood'];
    const made = await Promise.all(
      Array.from({ length: 250 }, (_, i) =>
        world.auction(seller, { title: titles[i % 3] ?? '', closes_at_ms: now_ms + DAY_MS + (i % 125) }),
      ),
    );
    const { ids, sizes } = await all((after) => search(world.claret, { text: 'zebra', now_ms, after }));
    expect(ids.toSorted()).toEqual(made.toSorted());
    expect(sizes.slice(0, 12)).toEqual(Array.from({ length: 12 }, () => 20));
    const end = new Map(made.map((id, i) => [id, i % 125]));
    const ends = ids.map((id) => end.get(id) ?? -1);
    expect(ends).toEqual(ends.toSorted((a, b) => a - b));
  });

  test('can be limited to a category, a region or both', async () => {
    const within = async (category_id: string | null, region_id: string | null) =>
      (await all((after) => search(world.claret, { text: 'kite', category_id, region_id, now_ms, after }))).ids.length;
    expect(await within('toys', null)).toBe(45);
    expect(await within('accessories', null)).toBe(0);
    expect(await within(null, 'ma-boston')).toBe(15);
    expect(await within('toys', 'ma-boston')).toBe(15);
  });
});
