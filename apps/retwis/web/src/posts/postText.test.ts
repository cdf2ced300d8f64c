import { describe, expect, it } from 'vitest';
import { hashtags } from '../../../server/hashtags.ts';
import { tokenize } from './postText.ts';

const links = (text: string) => tokenize(text).flatMap((token) => (token.kind === 'link' ? [token.href] : []));
const mentions = (text: string) => tokenize(text).flatMap((token) => (token.kind === 'mention' ? [token.username] : []));
const together = (text: string) =>
  tokenize(text)
    .map((token) => token.text)
    .join('');

describe('the parts of a text', () => {
  it('joined again are the text, whatever it contains', () => {
    for (const text of [
      '',
      'plain words\nand a second line',
      'see https://example.org/a_(b), @ada_l and @bob! 👩‍👩‍👧 שלום',
      '<script>alert("https://x.example")</script>',
      'https://user:secret@example.org @@ @a http://',
      '#one #Two, (#drei) #१ #हिन्दी # ## #1 #four #five #six #one',
    ])
      expect(together(text)).toBe(text);
  });
  it('include URLs, without the sentence around them', () => {
    expect(links('Look: https://example.org.')).toEqual(['https://example.org/']);
    expect(links('(https://example.org/a_(b))')).toEqual(['https://example.org/a_(b)']);
    expect(links('“http://example.org/?q=1&r=2”, and HTTPS://EXAMPLE.ORG/Up…')).toEqual([
      'http://example.org/?q=1&r=2',
      'https://example.org/Up',
    ]);
    expect(links('שלום https://example.org/א!')).toEqual(['https://example.org/%D7%90']);
  });
  it('make no link of an address that does not lead to the web, or hides its target', () => {
    for (const text of [
      'javascript:alert(1)',
      'data:text/html,hi',
      'https://',
      'http://:80',
      'https://bank.example@evil.example/',
      'https://bank.example:pin@evil.example/',
      'shttps://example.org',
      'ftp://example.org',
    ])
      expect(links(text), text).toEqual([]);
  });
  it('include usernames that are separate words', () => {
    expect(mentions('@ada, (@Bob_2) and\n@cyd.')).toEqual(['ada', 'Bob_2', 'cyd']);
    expect(mentions('مرحبا @ada')).toEqual(['ada']);
  });
  it('include the hashtags that the server files a post under, wherever they occur', () => {
    const text = '#One at https://example.org/#two by @ada: #3 #日本 #e\u0301 #one';
    const tags = tokenize(text).flatMap((token) => (token.kind === 'tag' ? [token.tag] : []));
    expect(tags).toEqual(['one', '日本', 'é', 'one']);
    expect([...new Set(tags)]).toEqual(hashtags(text));
    expect(
      tokenize('#a #b #c #d #e #f #a')
        .filter(({ kind }) => kind === 'tag')
        .map(({ text: shown }) => shown)
        .join(' '),
    ).toBe('#a #b #c #d #e #a');
  });
  it('do not mistake email addresses, paths and invalid names for usernames', () => {
    for (const text of [
      'ada@example.org',
      'https://example.org/@ada',
      '@ab',
      '@1ada',
      '@@ada',
      `@${'a'.repeat(21)}`,
      'a/@ada',
      '@ada@host',
    ])
      expect(mentions(text), text).toEqual([]);
  });
});
