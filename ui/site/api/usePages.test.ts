import { describe, expect, it } from 'vitest';
import { pagesOf, uniqueByKey } from './usePages.ts';

const page = (name: string, next_cursor: string | null) => ({ name, next_cursor });
const names = (pages: readonly { name: string }[]) => pages.map(({ name }) => name);
const chain = { first: page('first', 'a'), more: [page('second', 'b')], audience: 0 };

describe('the pages of a list', () => {
  it('are the first page until more are read, and none before that', () => {
    expect(pagesOf(null, null, 0)).toEqual([]);
    expect(names(pagesOf(page('first', 'a'), null, 0))).toEqual(['first']);
  });
  it('accept a newer first page that ends where the old one did', () => {
    expect(names(pagesOf(page('newer', 'a'), chain, 0))).toEqual(['newer', 'second']);
  });
  it('stay as they are when the first page now ends elsewhere, so that no item is missing in between', () => {
    expect(names(pagesOf(page('newer', 'z'), chain, 0))).toEqual(['first', 'second']);
  });
  it('of one person are not shown to the next', () => {
    expect(names(pagesOf(page('theirs', 'a'), chain, 1))).toEqual(['theirs']);
  });
  it('show an item once, at its first position and in its latest version', () => {
    const items = [
      { id: '1', at: 'first' },
      { id: '2', at: 'first' },
      { id: '1', at: 'second' },
    ];
    expect(uniqueByKey(items, ({ id }) => id)).toEqual([
      { id: '1', at: 'second' },
      { id: '2', at: 'first' },
    ]);
  });
});
