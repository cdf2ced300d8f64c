import { describe, expect, it } from 'vitest';
import { postTitle } from './postTitle.ts';

describe('the title of a post', () => {
  it('is the whole post if it is short, on one line', () => {
    expect(postTitle(' Two lines\n\nand  a third. ')).toBe('Two lines and a third.');
  });
  it('is the beginning of a long post, and splits no grapheme', () => {
    expect(postTitle('x'.repeat(60))).toBe('x'.repeat(60));
    expect(postTitle('x'.repeat(61))).toBe(`${'x'.repeat(60)}…`);
    expect(postTitle('👩‍👩‍👧'.repeat(61))).toBe(`${'👩‍👩‍👧'.repeat(60)}…`);
    expect(postTitle(`${'x'.repeat(59)} and on`)).toBe(`${'x'.repeat(59)}…`);
  });
});
