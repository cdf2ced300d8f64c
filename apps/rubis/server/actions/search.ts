// Search: open auctions whose titles have all the words, ending soonest first.
//
// A word matches every word with its stem. A word that no open auction has matches the words that begin with it or, if there are none,
// those with the most similar spelling: first the `words` are matched (found-words.ts), then the auctions are read.
//
// So each word is a group of index records, as is a filter by category and region. The smallest group is walked in order, and each item
// looked up in the others. Each step is a transaction of its own: a search needs no common snapshot.
import type { Claret } from '@claret/client';

import { LIMITS } from '../api.ts';
import { key } from '../model.ts';
import { wordsOf } from './indexes.ts';
import { browseIndex, type Page } from './browse.ts';
import { foundWords, type FoundWord } from './found-words.ts';
import { openCount, positionOf, SCORE_MAX, type ListPosition } from './open-lists.ts';
import { readListed, storeReads, type Reads } from './reads.ts';

const CHUNK = 100;
// One request examines at most CHUNK * CHUNKS_MAX items; the next page continues from there.
const CHUNKS_MAX = 10;

export type SearchInput = {
  text: string;
  category_id?: string | null;
  region_id?: string | null;
  now_ms: number;
  after: ListPosition | null;
};

// `words`: the words that were searched for.
export type SearchResult = Page & { words: FoundWord[] };

type Entry = readonly [item_id: string, closes_at_ms: number | bigint];

// `reads`: of the cards
export async function search(claret: Claret, input: SearchInput, reads: Reads = storeReads(claret)): Promise<SearchResult> {
  const { category_id = null, region_id = null } = input;
  const words = await foundWords(claret, wordsOf(input.text, LIMITS.search_words_max));
  const nothing = { items: [], next: null, words };
  if (words.length === 0 || words.some(({ stems }) => stems.length === 0)) return nothing;
  const groups = words.map(({ stems, size }) => ({ indexes: stems.map(key.word), size }));
  if (category_id !== null || region_id !== null) {
    const index = browseIndex({ category_id, region_id });
    groups.push({ indexes: [index], size: await openCount(claret, index) });
  }
  const [smallest, ...others] = groups.sort((a, b) => a.size - b.size).map(({ indexes }) => indexes);
  if (smallest === undefined) return nothing;

  const found: Entry[] = [];
  let position = input.after;
  let more = true;
  for (let chunks = 0; more && chunks < CHUNKS_MAX && found.length <= LIMITS.page_size; chunks++) {
    const chunk = await nextOf(claret, smallest, position, input.now_ms);
    more = chunk.more;
    position = positionOf(chunk.entries.at(-1)) ?? position;
    found.push(...(await inAll(claret, chunk.entries, others)));
  }

  const shown = found.slice(0, LIMITS.page_size);
  const items = await readListed(
    reads,
    'Search',
    shown.map(([item_id]) => item_id),
  );
  const next = found.length > shown.length ? positionOf(shown.at(-1)) : more ? position : null;
  return { items, next, words };
}

// The items after `position` in the merged lists, in their order, each item once.
async function nextOf(
  claret: Claret,
  indexes: readonly string[],
  position: ListPosition | null,
  now_ms: number,
): Promise<{ entries: Entry[]; more: boolean }> {
  const from = position?.closes_at_ms ?? now_ms;
  const lists = await Promise.all(
    indexes.map(async (index): Promise<readonly Entry[]> => {
      const [list] = await claret.transact('Search', [
        claret.on.scoredSet(index).rangeByScore(from, SCORE_MAX, CHUNK, position?.item_id ?? null),
      ]);
      return list;
    }),
  );
  // Items beyond the last one read of an unfinished list cannot be ordered yet.
  const ends = lists.flatMap((list) => (list.length === CHUNK ? list.slice(-1) : [])).sort(byPosition);
  const end = ends[0];
  const entries = [...new Map(lists.flat().map((entry) => [entry[0], entry])).values()].sort(byPosition);
  return { entries: end === undefined ? entries : entries.filter((entry) => byPosition(entry, end) <= 0), more: end !== undefined };
}

// the order of a ScoredSet
function byPosition([one, one_at]: Entry, [other, other_at]: Entry): number {
  return Number(one_at) - Number(other_at) || (one < other ? -1 : one > other ? 1 : 0);
}

// The entries that each group has in one of its lists.
async function inAll(claret: Claret, entries: readonly Entry[], groups: readonly (readonly string[])[]): Promise<Entry[]> {
  if (groups.length === 0 || entries.length === 0) return [...entries];
  const listed = await Promise.all(
    groups.map(async (indexes) => {
      const scores = await Promise.all(
        indexes.map((index) =>
          claret.transact(
            'Search',
            entries.map(([item_id]) => claret.on.scoredSet(index).score(item_id)),
          ),
        ),
      );
      return (at: number) => scores.some((ofIndex) => ofIndex[at] !== null);
    }),
  );
  return entries.filter((_, at) => listed.every((has) => has(at)));
}
