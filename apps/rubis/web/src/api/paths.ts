// Where things are: the server's routes on one side, the site's own addresses on the other.
// One place, so that a link and the prefetch behind it agree.
import { DOOR, withQuery } from '@claret/ui/site';

export const API = {
  catalogue: '/api/catalogue',
  popular: '/api/popular',
  me: '/api/me',
  items: '/api/items',
  item: (id: string) => `/api/items/${encodeURIComponent(id)}`,
  bids: (id: string) => `/api/items/${encodeURIComponent(id)}/bids`,
  comments: (id: string) => `/api/items/${encodeURIComponent(id)}/comments`,
  user: (id: string) => `/api/users/${encodeURIComponent(id)}`,
  browse: (filter: { category?: string | null; region?: string | null }) => withQuery('/api/items', filter),
  search: (q: string) => withQuery('/api/search', { q }),
  /** `items`: ids with commas between them */
  live: (items: string) => withQuery('/api/live', { items }),
};

export const PAGE = {
  ...DOOR,
  sell: '/sell',
  me: '/me',
  item: (id: string) => `/items/${encodeURIComponent(id)}`,
  user: (id: string) => `/users/${encodeURIComponent(id)}`,
  browse: (filter: { category?: string | null; region?: string | null } = {}) => withQuery('/browse', filter),
  search: (q: string) => withQuery('/search', { q }),
};
