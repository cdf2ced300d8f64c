import { expect, test } from 'vitest';

import { hashtags, parseTag, TAG_LENGTH_MAX, TAGS_MAX } from './hashtags.ts';

test.each([
  ['Lunch with #Friends', ['friends']],
  ['#soup, #bread. (#tea) #soup!', ['soup', 'bread', 'tea']],
  ['#Größe #日本 #हिन्दी #caffè', ['größe', '日本', 'हिन्दी', 'caffè']],
  ['#2026goals #_x #a1', ['2026goals', '_x', 'a1']],
  ['We are #1, issue #42, C#, a#b, &#39; ##no http://a.b/#anchor', []],
  [`#${'x'.repeat(TAG_LENGTH_MAX + 1)}`, []],
  [Array.from({ length: TAGS_MAX + 3 }, (_, i) => `#t${i}`).join(' '), Array.from({ length: TAGS_MAX }, (_, i) => `t${i}`)],
])('%j has the hashtags %j', (text, tags) => {
  expect(hashtags(text)).toEqual(tags);
});

test('a tag is found in any case and composition, and an invalid tag is refused', () => {
  expect([parseTag('Caffe\u0300'), parseTag('SOUP')]).toEqual(['caffè', 'soup']);
  expect(['', '1', 'a b', 'a-b', '#a', 'x'.repeat(TAG_LENGTH_MAX + 1)].map(parseTag)).toEqual([null, null, null, null, null, null]);
});
