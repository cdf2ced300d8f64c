import { describe, expect, it } from 'vitest';
import { knownOf, newsOf, type Place } from './news.ts';

const place = (id: string, at_ms: number): Place => ({ id, at_ms });
const ids = (places: readonly Place[]) => places.map(({ id }) => id);
const READ = [place('c', 30), place('b', 20), place('a', 10)];

describe('what is new on a list', () => {
  it('is nothing while the stream tells what the page shows', () => {
    expect(newsOf(READ, knownOf(READ, READ), READ)).toEqual([]);
  });
  it('is what came since, also before the stream was first heard', () => {
    const heard = [place('d', 40), ...READ];
    const known = knownOf(heard, READ);
    expect(ids(newsOf([place('e', 50), ...heard], known, READ))).toEqual(['e', 'd']);
  });
  it('is also a post that comes late, to a place further down', () => {
    const heard = [place('c', 30), place('late', 25), place('b', 20), place('a', 10)];
    expect(ids(newsOf(heard, knownOf(READ, READ), READ))).toEqual(['late']);
  });
  it("stays so when one's own post is put on top of the page", () => {
    const known = knownOf(READ, READ);
    const heard = [place('mine', 50), place('d', 40), ...READ];
    expect(ids(newsOf(heard, known, [place('mine', 50), ...READ]))).toEqual(['d']);
  });
  it('is not what moves up into the window when something is taken away', () => {
    const known = knownOf(READ, READ);
    expect(newsOf([place('c', 30), place('a', 10), place('older', 5)], known, [place('c', 30), place('a', 10)])).toEqual([]);
  });
  it('is not what the page hides because the same post came again later', () => {
    const heard = [place('p~r', 30), place('p', 10)];
    const shown = [place('p~r', 30)];
    expect(newsOf(heard, knownOf(heard, shown), shown)).toEqual([]);
  });
  it('is everything where there was nothing', () => {
    const known = knownOf([], []);
    expect(ids(newsOf([place('b', 2), place('a', 1)], known, []))).toEqual(['b', 'a']);
  });
});
