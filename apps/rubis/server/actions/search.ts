// Search: open auctions whose titles have all the words, ending soonest first.
//
// The list of the rarest word is walked in order and each item looked up in the lists of the others. Each step is a
// transaction of its own: a search need not show one moment.
import type { Claret } from '@claret/client';

import { LIMITS } from '../api.ts';
import { key, titleWords } from '../model.ts';
import { SCORE_MAX, placeOf, type Page, type Place } from './browse.ts';
import { readListed } from './cards.ts';

const CHUNK = 100;
// One request looks at no more than CHUNK * CHUNKS_MAX items; the next page goes on from there.
const CHUNKS_MAX = 10;

export type SearchInput = { text: string; now_ms: number; after: Place | null };

type Entry = [item_id: string, closes_at_ms: number | bigint];

export async function search(claret: Claret, input: SearchInput): Promise<Page> {
  const words = titleWords(input.text, LIMITS.search_words_max);
  if (words.length === 0) return { items: [], next: null };
  const [rarest, ...others] = await byRarity(claret, words);
  if (rarest === undefined) return { items: [], next: null };

  const found: Entry[] = [];
  let place = input.after;
  let more = true;
  for (let chunks = 0; more && chunks < CHUNKS_MAX && found.length <= LIMITS.page_size; chunks++) {
    const [chunk] = await claret.transact('Search', [
      claret.on
        .scoredSet(key.word(rarest))
        .rangeByScore(place?.closes_at_ms ?? input.now_ms, SCORE_MAX, CHUNK, place?.item_id ?? null),
    ]);
    more = chunk.length === CHUNK;
    place = placeOf(chunk.at(-1)) ?? place;
    found.push(...(await inAll(claret, chunk, others)));
  }

  const shown = found.slice(0, LIMITS.page_size);
  const items = await readListed(claret, 'Search', shown.map(([item_id]) => item_id));
  const next = found.length > shown.length ? placeOf(shown.at(-1)) : more ? place : null;
  return { items, next };
}

// The words by how many items have them; empty when one has none.
async function byRarity(claret: Claret, words: readonly string[]): Promise<string[]> {
  if (words.length === 1) return [...words];
  const sizes = await Promise.all(words.map((word) => sizeOf(claret, word)));
  if (sizes.includes(0)) return [];
  return words.map((word, i) => ({ word, size: sizes[i] ?? 0 })).sort((a, b) => a.size - b.size).map(({ word }) => word);
}

async function sizeOf(claret: Claret, word: string): Promise<number> {
  const [size] = await claret.transact('Search', [claret.on.scoredSet(key.word(word)).size()]);
  return Number(size);
}

async function inAll(claret: Claret, chunk: readonly Entry[], words: readonly string[]): Promise<Entry[]> {
  if (words.length === 0 || chunk.length === 0) return [...chunk];
  const scores = await Promise.all(
    words.map((word) =>
      claret.transact('Search', chunk.map(([item_id]) => claret.on.scoredSet(key.word(word)).score(item_id))),
    ),
  );
  return chunk.filter((_, i) => scores.every((ofWord) => ofWord[i] !== null));
}
