import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { LATE_MS, unlessLate } from './unless-late.ts';

const never = new Promise<never>(() => undefined);
const missed = vi.fn();
const outcomeOf = (part: Promise<string>, whole: Promise<unknown>) => {
  const outcome = { told: undefined as string | null | undefined };
  void unlessLate(part, whole, missed).then((told) => (outcome.told = told));
  return outcome;
};

beforeEach(() => {
  vi.useFakeTimers();
  missed.mockClear();
});
afterEach(() => vi.useRealTimers());

test('A part that is there before the whole, or soon after it, is told', async () => {
  const early = outcomeOf(Promise.resolve('early'), never);
  const soon = Promise.withResolvers<string>();
  const later = outcomeOf(soon.promise, Promise.resolve());
  await vi.advanceTimersByTimeAsync(LATE_MS - 1);
  expect([early.told, later.told]).toEqual(['early', undefined]);
  soon.resolve('soon');
  await vi.advanceTimersByTimeAsync(0);
  expect(later.told).toBe('soon');
  expect(missed).not.toHaveBeenCalled();
});

test('A part that is late is left out, however long the whole took, and what becomes of it is nobody’s concern', async () => {
  const [part, whole] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
  const outcome = outcomeOf(part.promise, whole.promise);
  await vi.advanceTimersByTimeAsync(10 * LATE_MS);
  expect(outcome.told).toBeUndefined();
  whole.resolve();
  await vi.advanceTimersByTimeAsync(LATE_MS - 1);
  expect(outcome.told).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(outcome.told).toBeNull();
  part.reject(new Error('too late'));
  await vi.advanceTimersByTimeAsync(0);
  expect(missed).not.toHaveBeenCalled();
});

test('A part that fails is left out at once, and reported', async () => {
  const error = new Error('away');
  const outcome = outcomeOf(Promise.reject(error), never);
  await vi.advanceTimersByTimeAsync(0);
  expect(outcome.told).toBeNull();
  expect(missed.mock.calls).toEqual([[error]]);
});

test('No part is waited for once the whole has failed', async () => {
  const outcome = outcomeOf(never, Promise.reject(new Error('busy')));
  await vi.advanceTimersByTimeAsync(0);
  expect(outcome.told).toBeNull();
});
