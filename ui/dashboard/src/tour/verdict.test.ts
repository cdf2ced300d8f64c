import { expect, test } from 'vitest';
import type { Measured } from '../laboratory/measured.ts';
import { STEPS } from './steps.ts';
import { verdictOf } from './verdict.ts';

const measured = (committed_per_s: number): Measured => ({
  span: { from_ms: 0, to_ms: 10_000 },
  committed_per_s,
  natives_per_s: 0,
  retries_per_commit: 1,
  p50_ms: 1,
  p99_ms: 2,
});

test('the verdict names what a step has changed, also if it is nothing or a slowdown', () => {
  const findings = [measured(477), measured(2_100), measured(12_300), measured(12_100), measured(900)];
  const verdicts = STEPS.map((_, index) => verdictOf(STEPS, findings, index));
  expect(verdicts[0]).toBeNull();
  expect(verdicts[1]).toBe('477 → 2,100 committed per second: 4.4 times as many as in step 1.');
  expect(verdicts[2]).toContain('5.9 times as many as in step 2.');
  expect(verdicts[3]).toMatch(/^On this machine, this step made no difference: 12,300 → 12,100 committed per second\. Forecasts pay off/);
  expect(verdicts[4], 'another load').toBeNull();
  expect(verdictOf(STEPS, [measured(2_000), measured(1_000)], 1)).toMatch(/^On this machine, this step was slower: 2,000 → 1,000/);
});

test('nothing is no base of a factor', () => {
  expect(verdictOf(STEPS, [measured(0), measured(5)], 1)).toBe('Nothing was committed in step 1, and 5.00 per second in this one.');
  expect(verdictOf(STEPS, [measured(0), measured(0)], 1)).toBeNull();
});

test('long lists are compared by locks and in epochs, with the usual reason if they are no faster so', () => {
  const last = STEPS.length - 1;
  const verdict = (locks: number, epochs: number) =>
    verdictOf(
      STEPS,
      STEPS.map((_, index) => (index < last - 1 ? null : measured(index < last ? locks : epochs))),
      last,
    );
  expect(STEPS.slice(-2).map(({ spike, conditions }) => [spike.spike, conditions.epochs])).toEqual([
    ['lists', 'off'],
    ['lists', 'on'],
  ]);
  expect(verdict(200, 700)).toBe('200 → 700 committed per second: 3.5 times as many as in step 10.');
  expect(verdict(600, 620)).toMatch(/^On this machine, this step made no difference: 600 → 620 committed per second\. Epochs pay off/);
});

test('there is no verdict if one side was not measured', () => {
  expect(verdictOf(STEPS, [null, measured(5)], 1)).toBeNull();
  expect(verdictOf(STEPS, [measured(5), null], 1)).toBeNull();
});
