// Lists of auctions: browse, search, popular categories; and the catalogue.
import { Scope, type Claret } from '@claret/client';
import { readDataset } from '@claret/site/data/dataset.ts';
import { DEMO_NAMES, DEMO_PASSWORD } from '@claret/site/data/demo.ts';
import type { App } from '@claret/site/http.ts';
import { areWarranted, valueOf } from '@claret/site/kept.ts';
import { DEADLINE_MS } from '@claret/site/overload/limits.ts';

import { browse, browseIndex, openCount, type Page, type ListPosition } from '../actions/browse.ts';
import { search } from '../actions/search.ts';
import { BrowseQuery, Catalogue, ItemPage, LIMITS, Popular, SearchPage, SearchQuery } from '../api.ts';
import { categoryHits } from '../category-hits.ts';
import { CATEGORIES, isCategory } from '../data/categories.ts';
import { REGIONS, isRegion } from '../data/regions.ts';
import { wordsOf } from '../actions/indexes.ts';
import { keptReads } from '../kept-reads.ts';
import { INCREMENTS, key } from '../model.ts';
import { RequestProblem } from '../problem.ts';
import type { Services } from '../services.ts';

// Without warranties, exact counts would cost each visitor a question to every shard.
const POPULAR_AGE_MS = 5_000;

export function listRoutes(app: App, { computations }: Services): void {
  app.get('/catalogue', { schema: { response: { 200: Catalogue } } }, async (request) => {
    const { state } = await readDataset(request.claret, key.dataset);
    return {
      categories: [...CATEGORIES],
      regions: [...REGIONS],
      increments: [...INCREMENTS],
      demo_accounts: state === 'loaded' ? DEMO_NAMES.map((nickname) => ({ nickname, password: DEMO_PASSWORD })) : [],
    };
  });

  app.get('/items', { schema: { querystring: BrowseQuery, response: { 200: ItemPage } } }, async (request) => {
    const { cursor } = request.query;
    const filter = filterOf(request.query);
    const reads = keptReads(request, computations);
    const [page, total] = await Promise.all([
      browse(request.claret, { ...filter, now_ms: request.claret.clock.nowMs(browseIndex(filter)), after: parseCursor(cursor) }, reads),
      reads.openCount(browseIndex(filter)),
    ]);
    return { ...itemPage(request.claret, page), total };
  });

  app.get('/search', { schema: { querystring: SearchQuery, response: { 200: SearchPage } } }, async (request) => {
    const { q, cursor } = request.query;
    const text = q.toWellFormed();
    const filter = filterOf(request.query);
    const input = { text, ...filter, now_ms: request.claret.clock.nowMs(browseIndex(filter)), after: parseCursor(cursor) };
    const { words, ...page } = await search(request.claret, input, keptReads(request, computations));
    const instead = words.filter((one) => !one.words.includes(one.asked)).map((one) => ({ asked: one.asked, words: one.words }));
    return { ...itemPage(request.claret, page), total: null, instead, categories: categoryHits(wordsOf(text, LIMITS.search_words_max)) };
  });

  let popular: { read_at_ms: number; counts: Promise<Popular['categories']> } | null = null;
  app.get('/popular', { schema: { response: { 200: Popular } } }, async (request) => {
    if (areWarranted(request.claret)) {
      const categories = await valueOf(request, 'OpenCount', computations.popular, []);
      return { categories, server_time_ms: request.claret.clock.nowMs() };
    }
    if (popular === null || popular.read_at_ms + POPULAR_AGE_MS < performance.now()) {
      // The read serves all requests that wait for it: it does not end with the first of them.
      const scope = new Scope(performance.now() + DEADLINE_MS.read);
      popular = { read_at_ms: performance.now(), counts: countOpen(request.claret.within(scope)) };
      popular.counts.catch(() => (popular = null));
    }
    return { categories: await popular.counts, server_time_ms: request.claret.clock.nowMs() };
  });

  async function countOpen(claret: Claret): Promise<Popular['categories']> {
    const counts = await Promise.all(
      CATEGORIES.map(async ({ id }) => ({ category_id: id, open_count: await openCount(claret, key.open_category(id)) })),
    );
    return counts.sort((a, b) => b.open_count - a.open_count);
  }
}

type Filter = { category_id: string | null; region_id: string | null };

function filterOf(query: { category?: string; region?: string }): Filter {
  const [category, region] = [query.category ?? null, query.region ?? null];
  if (category !== null && !isCategory(category)) throw new RequestProblem('unknown_category');
  if (region !== null && !isRegion(region)) throw new RequestProblem('unknown_region');
  return { category_id: category, region_id: region };
}

const itemPage = (claret: Claret, page: Page) => ({
  items: page.items,
  next_cursor: page.next === null ? null : `${page.next.closes_at_ms.toString(36)}~${page.next.item_id}`,
  server_time_ms: claret.clock.nowMs(),
});

const CURSOR_PATTERN = /^([0-9a-z]{1,10})~([0-9A-Za-z_.-]{1,64})$/;

function parseCursor(cursor: string | undefined): ListPosition | null {
  if (cursor === undefined) return null;
  const [, time, item_id] = CURSOR_PATTERN.exec(cursor) ?? [];
  if (time === undefined || item_id === undefined) throw new RequestProblem('invalid_cursor');
  return { closes_at_ms: parseInt(time, 36), item_id };
}
