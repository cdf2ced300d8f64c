// Lists of auctions.
import { Type, type Static } from 'typebox';

import { LIMITS } from './limits.ts';
import { closed, Id, ItemCard, nullable, TimeMs } from './common.ts';

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

// GET /api/popular the number of open auctions in each category, highest first; up to some seconds old
export const Popular = Type.Object({
  categories: Type.Array(Type.Object({ category_id: Id, open_count: Type.Integer() })),
  server_time_ms: TimeMs,
});
export type Popular = Static<typeof Popular>;

// GET /public/popular   the same for everybody, so that caches may keep it while nothing changes it
export const PublicPopular = Type.Object({ categories: Popular.properties.categories });
export type PublicPopular = Static<typeof PublicPopular>;

// GET /public/categories/:category_id   the open auctions that end soonest, and how many there are: the same for everybody, so that caches may
// keep it while none is opened or closed. Each is told by its own resource; one that has ended less than 10 s ago may still be listed.
export const CategoryParams = Type.Object({ category_id: Id });
export const PublicCategory = Type.Object({
  category_id: Id,
  items: Type.Array(Type.Object({ id: Id, closes_at_ms: TimeMs })),
  open_count: Type.Integer(),
});
export type PublicCategory = Static<typeof PublicCategory>;

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
  // the `cursor` of the next page; null on the last page
  next_cursor: nullable(Type.String()),
  // open auctions in this category and region; null for a search
  total: nullable(Type.Integer()),
  server_time_ms: TimeMs,
});
export type ItemPage = Static<typeof ItemPage>;

// The results of a search.
export const SearchPage = Type.Object({
  ...ItemPage.properties,
  // Words that no open auction has, with the words searched for instead: those that begin with it, or have a similar spelling.
  instead: Type.Array(Type.Object({ asked: Type.String(), words: Type.Array(Type.String()) })),
  // categories that the words may refer to, best first
  categories: Type.Array(Id),
});
export type SearchPage = Static<typeof SearchPage>;
