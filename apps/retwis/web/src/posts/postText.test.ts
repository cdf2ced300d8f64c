import { describe, expect, it } from 'vitest';
import { hashtags } from '../../../server/hashtags.ts';
import { textParts } from './postText.ts';

const links = (text: string) => textParts(text).flatMap((part) => (part.kind === 'link' ? [part.href] : []));
const mentions = (text: string) => textParts(text).flatMap((part) => (part.kind === 'mention' ? [part.username] : []));
const together = (text: string) =>
  textParts(text)
    .map((part) => part.text)
    .join('');

describe('the parts of a text', () => {
  it('put together are the text, whatever stands in it', () => {
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
  it('finds addresses, without the sentence around them', () => {
    expect(links('Look: https://example.org.')).toEqual(['https://example.org/']);
    expect(links('(https://example.org/a_(b))')).toEqual(['https://example.org/a_(b)']);
    expect(links('“http://example.org/?q=1&r=2”, and HTTPS://EXAMPLE.ORG/Up…')).toEqual([
      'http://example.org/?q=1&r=2',
      'https://example.org/Up',
    ]);
    expect(links('שלום https://example.org/א!')).toEqual(['https://example.org/%D7%90']);
  });
  it('makes no link of what does not lead to the web, or hides where it leads', () => {
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
  it('finds usernames that stand as words of their own', () => {
    expect(mentions('@ada, (@Bob_2) and\n@cyd.')).toEqual(['ada', 'Bob_2', 'cyd']);
    expect(mentions('مرحبا @ada')).toEqual(['ada']);
  });
  it('finds the hashtags that the server files a post under, wherever they stand', () => {
    const text = '#One at https://example.org/#two by @ada: #3 #日本 #e\u0301 #one';
    const tags = textParts(text).flatMap((part) => (part.kind === 'tag' ? [part.tag] : []));
    expect(tags).toEqual(['one', '日本', 'é', 'one']);
    expect([...new Set(tags)]).toEqual(hashtags(text));
    expect(
      textParts('#a #b #c #d #e #f #a')
        .filter(({ kind }) => kind === 'tag')
        .map(({ text: shown }) => shown)
        .join(' '),
    ).toBe('#a #b #c #d #e #a');
  });
  it('takes no address of a letter box, no path and no impossible name for a username', () => {
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
