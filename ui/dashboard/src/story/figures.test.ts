import { expect, it } from 'vitest';
import { cutMiddle } from '../components/cutMiddle.ts';
import { factorWords, lostWords } from './comparison.ts';
import { differ, spreadOf } from './spread.ts';
import { leader } from './steady.ts';

it('a spread is the middle half of the values', () => {
  expect(spreadOf([])).toBeNull();
  expect(spreadOf([7])).toEqual({ low: 7, high: 7 });
  expect(spreadOf([50, 10, 40, 20, 30])).toEqual({ low: 20, high: 40 });
  expect(spreadOf([10, 20])).toEqual({ low: 12.5, high: 17.5 });
});

it('spreads that meet do not differ', () => {
  expect(differ({ low: 1, high: 2 }, { low: 3, high: 4 })).toBe(true);
  expect(differ({ low: 3, high: 4 }, { low: 1, high: 2 })).toBe(true);
  expect(differ({ low: 1, high: 3 }, { low: 3, high: 4 })).toBe(false);
  expect(differ({ low: 1, high: 9 }, { low: 3, high: 4 })).toBe(false);
});

it('who led goes on leading until another has a quarter more; nobody leads with nothing', () => {
  const ranked = (a: number, b: number) => [
    { id: 'a', count: a },
    { id: 'b', count: b },
  ];
  expect(leader([], 'a')).toBeNull();
  expect(leader(ranked(0, 0), null)).toBeNull();
  expect(leader(ranked(10, 11), null)?.id).toBe('b');
  expect(leader(ranked(10, 12), 'a')?.id).toBe('a');
  expect(leader(ranked(10, 12.5), 'a')?.id).toBe('b');
  expect(leader(ranked(0, 1), 'a')?.id).toBe('b');
});

it('tries that are lost are never rounded to none', () => {
  expect([0, 0.001, 0.02, 2.714, 31.94].map(lostWords)).toEqual(['0', '<0.01', '0.02', '2.71', '31.9']);
  expect([32.4, 9.96, 1.16, 1.04, 0.393].map(factorWords)).toEqual(['32', '10', '1.2', '1.04', '0.39']);
});

it('a key that is cut keeps its end', () => {
  expect(cutMiddle('{item:1}:bids', 20)).toBe('{item:1}:bids');
  const cut = cutMiddle('{item:tp9qnf-1}:a-long-name:bids', 20);
  expect([cut.length, cut.endsWith(':bids'), cut.startsWith('{item:')]).toEqual([20, true, true]);
});
