import { expect, it } from 'vitest';
import { hasHeld, Ladder } from './ladder.ts';
import { NO_OUTCOMES } from './outcome.ts';

/** All rates that a search tries at a site which holds rates up to that limit. */
function search(limit: number, first: number, stride = 2): { tried: number[]; highest: number | null } {
  const ladder = new Ladder(first, stride);
  const tried: number[] = [];
  for (let rate = ladder.next; rate !== null; rate = ladder.next) {
    tried.push(rate);
    ladder.tell(rate <= limit);
  }
  return { tried, highest: ladder.highest };
}

it('the search ends at the highest step of the ladder that is held, from wherever it begins', () => {
  for (const limit of [3, 50, 99, 100, 101, 500, 20_000]) {
    for (const stride of [1, 2]) {
      const { tried, highest } = search(limit, 100, stride);
      expect(highest).toBeLessThanOrEqual(limit);
      expect(highest! * Math.sqrt(1.25)).toBeGreaterThan(limit);
      expect(new Set(tried).size).toBe(tried.length);
      expect(tried).toContain(highest);
    }
  }
});

it('from the highest step, with a stride of one, two tries are enough', () => {
  const { highest } = search(500, 100);
  expect(search(500, highest!, 1)).toMatchObject({ tried: { length: 2 }, highest });
});

it('a site that holds nothing has no highest rate, and the search ends', () => {
  expect(search(0, 100).highest).toBeNull();
});

it('a rate is held if the p99 is in time, and nothing failed or was left out', () => {
  const all = { count: 100, p50_ms: 1, p99_ms: 249 };
  const fine = { all, outcomes: { ...NO_OUTCOMES, accepted: 90, outbid: 10 }, abandoned: 0 };
  expect(hasHeld(fine)).toBe(true);
  expect(hasHeld({ ...fine, all: { ...all, p99_ms: 250 } })).toBe(false);
  expect(hasHeld({ ...fine, abandoned: 1 })).toBe(false);
  for (const wrong of ['shed', 'unknown', 'failed'] as const) {
    expect(hasHeld({ ...fine, outcomes: { ...fine.outcomes, [wrong]: 1 } }), wrong).toBe(false);
  }
});
