import { describe, expect, it } from 'vitest';
import { SITE_PATHS, safeNext, withQuery } from './addresses.ts';

describe('addresses', () => {
  it('carry the parameters that have a value, and no others', () => {
    expect(withQuery('/browse', { category: 'c 1', region: null, page: undefined, q: '' })).toBe('/browse?category=c+1');
    expect(withQuery('/browse', {})).toBe('/browse');
    expect(SITE_PATHS.login('/items/7?a=b')).toBe('/login?next=%2Fitems%2F7%3Fa%3Db');
  });
  it('lead to pages of this site alone', () => {
    expect(safeNext('/items/7?a=b')).toBe('/items/7?a=b');
    expect(safeNext('/search?q=//elsewhere.example#a')).toBe('/search?q=//elsewhere.example#a');
    const elsewhere = [
      'https://elsewhere.example',
      '//elsewhere.example',
      '/\\elsewhere.example',
      '\\\\elsewhere.example',
      '/\t/elsewhere.example',
    ];
    const hidden = [
      '/\n\\elsewhere.example',
      '/.//elsewhere.example',
      '/a/..//elsewhere.example',
      '/%2e//elsewhere.example',
      '///elsewhere.example',
    ];
    for (const next of [null, '', 'items', 'javascript:x', 'data:text/html,x', ' //elsewhere.example', ...elsewhere, ...hidden])
      expect(safeNext(next), String(next)).toBe('/');
  });
});
