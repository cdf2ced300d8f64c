// Lists of auctions.
import { Type, type Static } from 'typebox';

import { LIMITS } from './limits.ts';
import { closed, Id, ItemCard, nullable, TimeMs } from './parts.ts';

// GET /api/items?category=&region=&cursor=   open auctions, ending soonest first; all parameters optional
export const BrowseQuery = Type.Object(
  {
    category: Type.Optional(Id),
    region: Type.Optional(Id),
    cursor: Type.Optional(Type.String({ maxLength: 200 })),
  },
  closed,
);
export type BrowseQuery = Static<typeof BrowseQuery>;

// GET /api/popular   how many auctions are open in each category, most first; the counts may be some seconds old
export const Popular = Type.Object({
  categories: Type.Array(Type.Object({ category_id: Id, open_count: Type.Integer() })),
  server_time_ms: TimeMs,
});
export type Popular = Static<typeof Popular>;

// GET /api/search?q=&category=&region=&cursor=   open auctions whose titles have all the words, ending soonest first
export const SearchQuery = Type.Object(
  {
    q: Type.String({ maxLength: LIMITS.search_length_max }),
    category: Type.Optional(Id),
    region: Type.Optional(Id),
    cursor: Type.Optional(Type.String({ maxLength: 200 })),
  },
  closed,
);
export type SearchQuery = Static<typeof SearchQuery>;

export const ItemPage = Type.Object({
  items: Type.Array(ItemCard),
  // pass it on as `cursor`; null on the last page
  next_cursor: nullable(Type.String()),
  // auctions open in this category and region; null for a search
  total: nullable(Type.Integer()),
  server_time_ms: TimeMs,
});
export type ItemPage = Static<typeof ItemPage>;

// What a search finds beside auctions.
export const SearchPage = Type.Object({
  ...ItemPage.properties,
  // The words that no open auction has, and those searched for instead: words that begin so, or are spelled nearly so. None: empty.
  instead: Type.Array(Type.Object({ asked: Type.String(), words: Type.Array(Type.String()) })),
  // categories that the words may mean, best first
  categories: Type.Array(Id),
});
export type SearchPage = Static<typeof SearchPage>;
