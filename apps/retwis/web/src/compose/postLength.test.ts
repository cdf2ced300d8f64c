import { describe, expect, it } from 'vitest';
import { canPost, measurePost, textToKeep, textToSend } from './postLength.ts';

describe('the length of a post', () => {
  it('counts graphemes', () => {
    for (const one of ['a', 'é', 'e\u0301', '👍🏽', '👨‍👩‍👧‍👦', '🇩🇪', 'नि', '각']) expect(measurePost(one).graphemes, one).toBe(1);
    expect(measurePost('שלום').graphemes).toBe(4);
  });
  it('allows 280 family emoji, and rejects one more', () => {
    const family = '👨‍👩‍👧‍👦';
    const full = measurePost('ab'.repeat(140));
    expect([full.left, canPost(full)]).toEqual([0, true]);
    const over = measurePost(`${'x'.repeat(280)}${family}!`);
    expect([over.left, canPost(over), over.fits_until]).toEqual([-2, false, 280]);
  });
  it('finds where the excess begins when graphemes are long', () => {
    const family = '👨‍👩‍👧‍👦';
    const { left, fits_until } = measurePost(family.repeat(281));
    expect([left, fits_until]).toEqual([-1, family.length * 280]);
  });
  it('reports when few graphemes take too many bytes', () => {
    const tower = `a${'\u0301'.repeat(3_000)}`;
    expect(measurePost(tower)).toMatchObject({ graphemes: 1, hasTooManyBytes: true });
    expect(canPost(measurePost(tower))).toBe(false);
  });
  it('ignores the space around the text, and finds the excess in the untrimmed text', () => {
    const padded = ` \n ${'x'.repeat(280)}  \n`;
    expect(measurePost(padded)).toMatchObject({ left: 0, fits_until: padded.length });
    expect(measurePost(`\n\n${'x'.repeat(281)}`)).toMatchObject({ left: -1, fits_until: 282 });
  });
  it('rejects an empty post', () => {
    for (const nothing of ['', '   ', '\n\n', '\u00a0\t', '\u200b\u2060']) expect(canPost(measurePost(nothing))).toBe(false);
  });
});

describe('the text of a post', () => {
  it('has no control characters and no unpaired surrogates', () => {
    expect(textToKeep('one\r\ntwo\r\rthree')).toBe('one\ntwo\n\nthree');
    expect(textToKeep('a\u0000b\u0007c\td\u0085')).toBe('abc d');
    expect(textToKeep('half \ud83d')).toBe('half \ufffd');
  });
  it('keeps joiners and variation selectors', () => {
    for (const text of ['👨‍👩‍👧‍👦', 'می‌خواهم', '\u200fשלום', 'e\u0301']) expect(textToSend(textToKeep(text))).toBe(text);
  });
  it('is sent without the space around it', () => {
    expect(textToSend('\n \n  one\n two \n\n')).toBe('one\n two');
  });
});
