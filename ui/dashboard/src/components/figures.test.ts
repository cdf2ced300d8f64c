import { expect, test } from 'vitest';
import { NOTHING, bytesWords, figureWords, msWords, roundCeiling, scaleWords, shareWords, shortFigureWords, slotWords } from './figures.ts';

test('figures have only significant digits', () => {
  expect([12_345.6, 100, 45.67, 9.876, 0.314, 0, null, Number.NaN].map(figureWords)).toEqual([
    '12,346',
    '100',
    '45.7',
    '9.88',
    '0.31',
    '0',
    '–',
    '–',
  ]);
  expect([0.42, 0.01, 9.94, 14.4, 999, 2_130, 61_000, null].map(msWords)).toEqual([
    '0.4 ms',
    '<0.1 ms',
    '9.9 ms',
    '14 ms',
    '999 ms',
    '2.1 s',
    '61 s',
    '–',
  ]);
});

test('sizes and slots are named with their units', () => {
  const sizes = [0, 812, 98_304, 4_300_000, 300 * 1_048_576];
  expect(sizes.map(bytesWords)).toEqual(['0 B', '812 B', '96 KiB', '4.1 MiB', '300 MiB']);
  expect([0, 1, 2_731].map(slotWords)).toEqual(['0 slots', '1 slot', '2,731 slots']);
});

test('scales end on round figures that are no less than the greatest value', () => {
  expect([0, 0.3, 1, 1.2, 4, 5, 6, 99, 101, 25_000].map(roundCeiling)).toEqual([1, 0.3, 1, 2, 4, 5, 6, 100, 200, 30_000]);
});

test('the ends of scales are written without false digits', () => {
  expect([5_000, 10, 1, 0.5, 0.001].map(scaleWords)).toEqual(['5,000', '10', '1', '0.5', '0.001']);
});

test('a share is written as 100% only if it is complete', () => {
  expect([0, 0.853, 0.994, 0.996, 1].map(shareWords)).toEqual(['0%', '85%', '99%', 'over 99%', '100%']);
});

test('rates where there is little room', () => {
  expect([9_876.6, 61_068, 120_857, 999_999, 1_940_000, 12.34, 0, null].map(shortFigureWords)).toEqual([
    '9,877',
    '61K',
    '121K',
    '1M',
    '1.9M',
    '12.3',
    '0',
    NOTHING,
  ]);
});
