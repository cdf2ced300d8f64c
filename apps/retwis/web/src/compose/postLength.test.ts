import { describe, expect, it } from 'vitest';
import { canPost, measurePost, textToSend } from './postLength.ts';

describe('the length of a post', () => {
  it('counts as people count', () => {
    for (const one of ['a', 'é', 'e\u0301', '👍🏽', '👨‍👩‍👧‍👦', '🇩🇪', 'नि', '각', '\n']) expect(measurePost(one).graphemes, one).toBe(1);
    expect(measurePost('שלום').graphemes).toBe(4);
  });
  it('allows 280 families, and one more is one too many', () => {
    const family = '👨‍👩‍👧‍👦';
    const full = measurePost('ab'.repeat(140));
    expect([full.left, canPost(full)]).toEqual([0, true]);
    const over = measurePost(`${'x'.repeat(280)}${family}!`);
    expect([over.left, canPost(over), over.fits_until]).toEqual([-2, false, 280]);
  });
  it('knows where the text stops to fit when characters are long', () => {
    const family = '👨‍👩‍👧‍👦';
    const { left, fits_until } = measurePost(family.repeat(281));
    expect([left, fits_until]).toEqual([-1, family.length * 280]);
  });
  it('says when few characters are too much to store', () => {
    const tower = `a${'\u0301'.repeat(3_000)}`;
    expect(measurePost(tower)).toMatchObject({ graphemes: 1, hasTooManyBytes: true });
    expect(canPost(measurePost(tower))).toBe(false);
  });
  it('lets nobody post nothing', () => {
    for (const nothing of ['', '   ', '\n\n', '\u00a0\t']) expect(canPost(measurePost(nothing))).toBe(false);
  });
});

describe('the text that is sent', () => {
  it('has no blank edges and no characters that cannot be seen', () => {
    expect(textToSend('\n \n  one\r\ntwo\r\rthree \n\n')).toBe('  one\ntwo\n\nthree');
    expect(textToSend('a\u0000b\u0007c\td\u0085')).toBe('abc d');
  });
  it('keeps what makes letters and emoji whole', () => {
    for (const text of ['👨‍👩‍👧‍👦', 'می‌خواهم', '\u200fשלום', 'e\u0301']) expect(textToSend(text)).toBe(text);
  });
});
