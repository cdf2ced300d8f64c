// The categories that a search may refer to: each word is a word of the category's or its group's name, a prefix of one, or a typo of one.
import { distance } from 'fastest-levenshtein';

import { CATEGORIES } from './data/categories.ts';
import { stemOf, wordsOf } from './actions/indexes.ts';

const HITS_MAX = 3;
const BEGINNING_LENGTH_MIN = 3;
const ALIKE_LENGTH_MIN = 5;

type Named = { id: string; own: string[]; all: string[] };

const NAMED: readonly Named[] = CATEGORIES.map(({ id, name, group }) => {
  const own = wordsOf(name);
  return { id, own, all: [...own, ...wordsOf(group)] };
});

// The categories whose own names match; if there are none, those whose group's name matches.
export function categoryHits(words: readonly string[]): string[] {
  if (words.length === 0) return [];
  for (const fits of [isSame, isAlike]) {
    const every = (names: readonly string[]) => words.every((word) => names.some((name) => fits(word, name)));
    const own = NAMED.filter((one) => every(one.own));
    const hits = own.length > 0 ? own : NAMED.filter((one) => every(one.all));
    if (hits.length > 0) return hits.slice(0, HITS_MAX).map(({ id }) => id);
  }
  return [];
}

function isSame(word: string, name: string): boolean {
  return stemOf(word) === stemOf(name) || (word.length >= BEGINNING_LENGTH_MIN && name.startsWith(word));
}

function isAlike(word: string, name: string): boolean {
  return word.length >= ALIKE_LENGTH_MIN && distance(word, name) <= 2;
}
