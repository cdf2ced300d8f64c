// What the words that somebody types stand for: themselves, where an open auction has them; else the words that begin so, as of
// somebody who has not finished; else the words spelled most like them.
import type { Claret } from '@claret/client';
import { distance } from 'fastest-levenshtein';

import { key } from '../model.ts';
import { stemOf } from './indexes.ts';

export type FoundWord = {
  asked: string;
  // of titles; the word itself where it is one; empty: there are none
  words: string[];
  stems: string[];
  // how many open auctions the stems have, one with several of them counted for each
  size: number;
};

const BEGINNING_LENGTH_MIN = 2;
const BEGUN_READ_MAX = 64;
const BEGUN_MAX = 8;
const ALIKE_MAX = 3;
// So many of the words of all titles are looked through for a misspelled one.
const LOOKED_THROUGH_MAX = 5_000;
const PAGE = 1_000;

export function foundWords(claret: Claret, asked: readonly string[]): Promise<FoundWord[]> {
  return Promise.all(asked.map((word) => foundWord(claret, word)));
}

async function foundWord(claret: Claret, asked: string): Promise<FoundWord> {
  const ways = [async () => [asked], () => beginningWith(claret, asked), () => mostAlike(claret, asked)];
  for (const way of ways) {
    const words = await way();
    const sizes = await Promise.all(words.map((word) => sizeOf(claret, stemOf(word))));
    const open = words.map((word, i) => ({ word, stem: stemOf(word), size: sizes[i] ?? 0 })).filter(({ size }) => size > 0);
    if (open.length === 0) continue;
    const most = open.sort((a, b) => b.size - a.size).slice(0, BEGUN_MAX);
    const stems = new Map(most.map(({ stem, size }) => [stem, size]));
    const size = [...stems.values()].reduce((sum, one) => sum + one, 0);
    return { asked, words: most.map(({ word }) => word), stems: [...stems.keys()], size };
  }
  return { asked, words: [], stems: [], size: 0 };
}

async function sizeOf(claret: Claret, stem: string): Promise<number> {
  const [size] = await claret.transact('Search', [claret.on.scoredSet(key.word(stem)).size()]);
  return Number(size);
}

async function beginningWith(claret: Claret, beginning: string): Promise<string[]> {
  if (beginning.length < BEGINNING_LENGTH_MIN) return [];
  const words = await wordsAfter(claret, beginning, BEGUN_READ_MAX);
  return words.filter((word) => word.startsWith(beginning));
}

async function mostAlike(claret: Claret, asked: string): Promise<string[]> {
  const stem = stemOf(asked);
  let best = slipsIn(stem);
  if (best === 0) return [];
  let alike: string[] = [];
  let last: string | null = null;
  for (let looked = 0; looked < LOOKED_THROUGH_MAX; looked += PAGE) {
    const words: string[] = await wordsAfter(claret, last, PAGE);
    for (const word of words) {
      const slips = Math.min(distance(asked, word), distance(stem, stemOf(word))); // "wacthes" means "watch" as well
      if (slips > best) continue;
      if (slips < best) alike = [];
      best = slips;
      alike.push(word);
    }
    if (words.length < PAGE) break;
    last = words.at(-1) ?? null;
  }
  const unlike = (word: string) => Math.abs(word.length - asked.length);
  return alike.sort((a, b) => unlike(a) - unlike(b)).slice(0, ALIKE_MAX);
}

// So many letters may be wrong, missing or too many; two that changed places are two.
function slipsIn(word: string): number {
  return word.length < 4 ? 0 : word.length < 5 ? 1 : 2;
}

// In the order of their letters. `last`: after it; null: from the beginning.
async function wordsAfter(claret: Claret, last: string | null, count: number): Promise<string[]> {
  const [found] = await claret.transact('Search', [claret.on.scoredSet(key.words).rangeByScore(0, 0, count, last)]);
  return found.map(([word]) => word);
}
