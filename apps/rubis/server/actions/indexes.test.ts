// The words by which titles are found, and the categories that words may refer to.
import { expect, test } from 'vitest';

import { categoryHits } from '../category-hits.ts';
import { stemOf, titleStems, wordsOf } from './indexes.ts';

test('The words of a title are in lower case, without accents and stop words, each once', () => {
  expect(wordsOf('The Old Clocks of the Café, old GLASS')).toEqual(['old', 'clocks', 'cafe', 'glass']);
  expect(wordsOf("Ship’s bell, sailor's knot")).toEqual(['ship', 'bell', 'sailor', 'knot']);
});

test('The words of a title are limited in number and length', () => {
  expect(wordsOf(Array.from({ length: 50 }, (_, i) => `word${i}`).join(' '))).toHaveLength(10);
  expect(wordsOf('x'.repeat(100))[0]).toHaveLength(24);
});

test.each([
  ['watches', 'watch'],
  ['boxes', 'box'],
  ['glasses', 'glass'],
  ['batteries', 'battery'],
  ['coins', 'coin'],
  ['skis', 'ski'],
])('%s is found by %s and the other way round', (many, one) => {
  expect(stemOf(many)).toBe(stemOf(one));
  expect(titleStems(`Old ${many} and ${one}`)).toEqual(['old', stemOf(one)]);
});

test('A category is found by its name, a prefix of it, its group, and with a typo', () => {
  expect(categoryHits(['watches'])).toEqual(['watches']);
  expect(categoryHits(['watch'])[0]).toBe('watches');
  expect(categoryHits(['watc'])[0]).toBe('watches');
  expect(categoryHits(['wacthes'])[0]).toBe('watches');
  expect(categoryHits(['us', 'coins'])).toEqual(['us-coins']);
  expect(categoryHits(['computers'])).toEqual(['computers', 'computer-parts']);
  expect(categoryHits(['lamp'])).toEqual([]);
  expect(categoryHits([])).toEqual([]);
});
