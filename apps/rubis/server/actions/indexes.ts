// The index records that list an open auction, and the words by which its title is found.
import { stemmer } from 'stemmer';

import { key } from '../model.ts';

export function openIndexes(item: { title: string; category_id: string; region_id: string }): string[] {
  return [
    key.open_all,
    key.open_category(item.category_id),
    key.open_region(item.region_id),
    key.open_category_region(item.category_id, item.region_id),
    ...titleStems(item.title).map(key.word),
  ];
}

export const TITLE_WORDS_MAX = 10;
const WORD_LENGTH_MAX = 24;
const STOP_WORDS = new Set(['a', 'an', 'and', 'at', 'by', 'for', 'from', 'in', 'of', 'on', 'or', 'the', 'to', 'with']);

// The relevant words of a text: in lower case, without accents. At most `max`, each once.
export function wordsOf(text: string, max = TITLE_WORDS_MAX): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/(?<=\p{L})[’']s?\b/gu, '')
    .toLowerCase();
  const found = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  const words = found.filter((word) => !STOP_WORDS.has(word)).map((word) => word.slice(0, WORD_LENGTH_MAX));
  return [...new Set(words)].slice(0, max);
}

// The common form of "watch" and "watches": Porter's stem of an English word.
export const stemOf = (word: string): string => stemmer(word);

export const titleStems = (title: string): string[] => [...new Set(wordsOf(title).map(stemOf))];
