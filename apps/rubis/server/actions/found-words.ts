// The index words that match typed words: the word itself, if an open auction has it; otherwise the words that begin with it, for people
// who have not finished typing; otherwise the words with the most similar spelling.
import type { Claret } from '@claret/client';
import { distance } from 'fastest-levenshtein';

import { key } from '../model.ts';
import { stemOf } from './indexes.ts';

export type FoundWord = {
  asked: string;
  // words of titles; the typed word itself if a title has it; empty: no match
  words: string[];
  stems: string[];
  // how many open auctions the stems have; an auction with several of them is counted for each
  size: number;
};

const BEGINNING_LENGTH_MIN = 2;
const BEGUN_READ_MAX = 64;
const BEGUN_MAX = 8;
const ALIKE_MAX = 3;
// the number of title words that are searched for a misspelled one
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
      const slips = Math.min(distance(asked, word), distance(stem, stemOf(word))); // "wacthes" matches "watch" as well
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

// The number of letters that may be wrong, missing or added; two exchanged letters count as two.
function slipsIn(word: string): number {
  return word.length < 4 ? 0 : word.length < 5 ? 1 : 2;
}

// In alphabetical order. `last`: starts after it; null: from the beginning.
async function wordsAfter(claret: Claret, last: string | null, count: number): Promise<string[]> {
  const [found] = await claret.transact('Search', [claret.on.scoredSet(key.words).rangeByScore(0, 0, count, last)]);
  return found.map(([word]) => word);
}
