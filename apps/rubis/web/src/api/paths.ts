// The server's API paths and the site's own page paths, in one file, so that a link and the prefetch behind it agree.
import { SITE_PATHS, withQuery } from '@claret/ui/site';

/** the action for which a visitor opens an auction's page */
export type Todo = 'bid' | 'buy' | 'comment';

export const API = {
  catalogue: '/api/catalogue',
  popular: '/api/popular',
  me: '/api/me',
  inbox: '/api/me/inbox',
  inboxUnread: '/api/me/inbox?unread=1',
  inboxSeen: '/api/me/inbox/seen',
  items: '/api/items',
  item: (id: string) => `/api/items/${encodeURIComponent(id)}`,
  /** reads an auction's page, which counts nothing */
  page: (id: string) => `/api/items/${encodeURIComponent(id)}/page`,
  /** the same when it is opened, which counts as a view; `visit`: as the first page of a visit */
  opened: (id: string, visit = false) => withQuery(`/api/items/${encodeURIComponent(id)}/page`, { opened: '1', visit: visit ? '1' : '' }),
  bids: (id: string) => `/api/items/${encodeURIComponent(id)}/bids`,
  past: (id: string, at_ms: number) => withQuery(`/api/items/${encodeURIComponent(id)}/past`, { at_ms: String(at_ms) }),
  buy: (id: string) => `/api/items/${encodeURIComponent(id)}/buy`,
  watch: (id: string) => `/api/items/${encodeURIComponent(id)}/watch`,
  views: (id: string) => `/api/items/${encodeURIComponent(id)}/views`,
  comments: (id: string) => `/api/items/${encodeURIComponent(id)}/comments`,
  user: (id: string) => `/api/users/${encodeURIComponent(id)}`,
  browse: (filter: { category?: string | null; region?: string | null }) => withQuery('/api/items', filter),
  search: (q: string, filter: { category?: string | null; region?: string | null } = {}) => withQuery('/api/search', { q, ...filter }),
  /** `items`: ids separated by commas */
  live: (items: string) => withQuery('/api/live', { items }),
};

export const PAGE = {
  ...SITE_PATHS,
  sell: '/sell',
  me: '/me',
  /** `tab`: one of its lists */
  mine: (tab: string) => withQuery('/me', { tab }),
  inbox: '/inbox',
  item: (id: string) => `/items/${encodeURIComponent(id)}`,
  bids: (id: string) => `/items/${encodeURIComponent(id)}/bids`,
  /** The auction's page, where the action starts at once; also the target after logging in for it. */
  todo: (id: string, what: Todo) => withQuery(`/items/${encodeURIComponent(id)}`, { do: what }),
  user: (id: string) => `/users/${encodeURIComponent(id)}`,
  browse: (filter: { category?: string | null; region?: string | null } = {}) => withQuery('/browse', filter),
  categories: '/browse/categories',
  regions: '/browse/regions',
  region: (id: string) => `/browse/regions/${encodeURIComponent(id)}`,
  search: (q: string, filter: { category?: string | null; region?: string | null } = {}) => withQuery('/search', { q, ...filter }),
};
