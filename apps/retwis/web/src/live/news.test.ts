import { describe, expect, it } from 'vitest';
import { knownOf, newsOf, type EntryKey } from './news.ts';

const entry = (id: string, at_ms: number): EntryKey => ({ id, at_ms });
const ids = (entries: readonly EntryKey[]) => entries.map(({ id }) => id);
const READ = [entry('c', 30), entry('b', 20), entry('a', 10)];

describe('the news of a list', () => {
  it('is empty while the stream carries what the page shows', () => {
    expect(newsOf(READ, knownOf(READ, READ), READ)).toEqual([]);
  });
  it('is what came since, also before the first event of the stream', () => {
    const heard = [entry('d', 40), ...READ];
    const known = knownOf(heard, READ);
    expect(ids(newsOf([entry('e', 50), ...heard], known, READ))).toEqual(['e', 'd']);
  });
  it('includes a post that arrives late, further down in the list', () => {
    const heard = [entry('c', 30), entry('late', 25), entry('b', 20), entry('a', 10)];
    expect(ids(newsOf(heard, knownOf(READ, READ), READ))).toEqual(['late']);
  });
  it("stays the same when one's own post is put on top of the page", () => {
    const known = knownOf(READ, READ);
    const heard = [entry('mine', 50), entry('d', 40), ...READ];
    expect(ids(newsOf(heard, known, [entry('mine', 50), ...READ]))).toEqual(['d']);
  });
  it('excludes entries that move up into the stream’s window after a removal', () => {
    const known = knownOf(READ, READ);
    expect(newsOf([entry('c', 30), entry('a', 10), entry('older', 5)], known, [entry('c', 30), entry('a', 10)])).toEqual([]);
  });
  it('excludes entries that the page hides because a later entry has the same post', () => {
    const heard = [entry('p~r', 30), entry('p', 10)];
    const shown = [entry('p~r', 30)];
    expect(newsOf(heard, knownOf(heard, shown), shown)).toEqual([]);
  });
  it('is everything if the list was empty', () => {
    const known = knownOf([], []);
    expect(ids(newsOf([entry('b', 2), entry('a', 1)], known, []))).toEqual(['b', 'a']);
  });
});
