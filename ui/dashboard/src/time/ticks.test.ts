import { expect, test } from 'vitest';
import { axisTicks, durationWords } from './ticks.ts';

test('lines stand on round instants and are no nearer than a label is wide', () => {
  const ticks = axisTicks(1_234, 61_234, 7_000);
  expect(ticks.map(({ at_ms }) => at_ms)).toEqual([10_000, 20_000, 30_000, 40_000, 50_000, 60_000]);
  expect(axisTicks(0, 600_000, 90_000).map(({ at_ms }) => at_ms)).toEqual([0, 120_000, 240_000, 360_000, 480_000, 600_000]);
  expect(axisTicks(0, 1_000, 180).map(({ label }) => label.slice(-4))).toEqual(['00.0', '00.2', '00.4', '00.6', '00.8', '01.0']);
});

test('durations are short', () => {
  expect([450, 2_000, 2_500, 12_340, 60_000, 90_000, 120_000, 150_000].map(durationWords)).toEqual([
    '450 ms',
    '2 s',
    '2.5 s',
    '12 s',
    '60 s',
    '90 s',
    '2 min',
    '2 min 30 s',
  ]);
});
