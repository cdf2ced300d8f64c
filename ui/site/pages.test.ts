import { describe, expect, it } from 'vitest';
import { findPage, type Page } from './pages.ts';

const load = async () => ({ default: () => null });
const PAGES: readonly Page[] = [
  { path: '/', load },
  { path: '/browse', load, reads: (_, query) => [`/api/items?category=${query.get('category')}`] },
  { path: '/items/:id', load, reads: ({ id = '' }) => [`/api/items/${id}`, '/api/catalogue'] },
];

describe('the page table', () => {
  it('finds the page at a path and the data it will read', () => {
    expect(findPage(PAGES, '/items/7?from=home#bids')).toEqual({
      page: PAGES[2],
      parameters: { id: '7' },
      reads: ['/api/items/7', '/api/catalogue'],
    });
    expect(findPage(PAGES, '/browse?category=3')?.reads).toEqual(['/api/items?category=3']);
    expect(findPage(PAGES, '/')).toEqual({ page: PAGES[0], parameters: {}, reads: [] });
  });
  it('finds nothing at other paths', () => {
    expect(findPage(PAGES, '/items')).toBeNull();
    expect(findPage(PAGES, '/items/7/bids')).toBeNull();
  });
});
