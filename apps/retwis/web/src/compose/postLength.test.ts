import { describe, expect, it } from 'vitest';
import { canPost, measurePost, textToKeep, textToSend } from './postLength.ts';

describe('the length of a post', () => {
  it('counts as people count', () => {
    for (const one of ['a', 'é', 'e\u0301', '👍🏽', '👨‍👩‍👧‍👦', '🇩🇪', 'नि', '각']) expect(measurePost(one).graphemes, one).toBe(1);
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
  it('does not count the space around the text, and knows where that text begins', () => {
    const padded = ` \n ${'x'.repeat(280)}  \n`;
    expect(measurePost(padded)).toMatchObject({ left: 0, fits_until: padded.length });
    expect(measurePost(`\n\n${'x'.repeat(281)}`)).toMatchObject({ left: -1, fits_until: 282 });
  });
  it('lets nobody post nothing', () => {
    for (const nothing of ['', '   ', '\n\n', '\u00a0\t', '\u200b\u2060']) expect(canPost(measurePost(nothing))).toBe(false);
  });
});

describe('the text of a post', () => {
  it('has no characters that cannot be seen, and no halves', () => {
    expect(textToKeep('one\r\ntwo\r\rthree')).toBe('one\ntwo\n\nthree');
    expect(textToKeep('a\u0000b\u0007c\td\u0085')).toBe('abc d');
    expect(textToKeep('half \ud83d')).toBe('half \ufffd');
  });
  it('keeps what makes letters and emoji whole', () => {
    for (const text of ['👨‍👩‍👧‍👦', 'می‌خواهم', '\u200fשלום', 'e\u0301']) expect(textToSend(textToKeep(text))).toBe(text);
  });
  it('is sent without the space around it', () => {
    expect(textToSend('\n \n  one\n two \n\n')).toBe('one\n two');
  });
});
