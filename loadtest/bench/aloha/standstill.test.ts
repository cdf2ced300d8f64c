import { expect, test } from 'vitest';
import { kindAnswer, stragglingOf, type Observed } from './standstill.ts';
import { casesOf } from './straggler.ts';

/** A commit every 10 ms up to the stop at 1,000, then one by locks at 1,200, then one in an epoch every 10 ms from 1,300 on. */
const observed: Observed = {
  done: [
    ...Array.from({ length: 100 }, (_, i) => ({ begunMs: 10 * i - 5, endedMs: 10 * i, inEpoch: true })),
    { begunMs: 1_001, endedMs: 1_200, inEpoch: false },
    ...Array.from({ length: 70 }, (_, i) => ({ begunMs: 1_001, endedMs: 1_300 + 10 * i, inEpoch: true })),
  ],
  retries: 142,
  stopMs: 500,
  stoppedMs: 1_000,
  endMs: 2_000,
};

test('gaps and first commits are counted from the stop on', () => {
  const answer = kindAnswer(observed);
  expect(answer).toMatchObject({
    stopped_ms: 500,
    gap_ms: 200,
    calm_gap_ms: 10,
    until_commit_ms: 200,
    until_epoch_ms: 300,
    txn_per_s: 71,
    retries_per_commit: 2,
  });
  expect(answer.epoch_share).toBeCloseTo(70 / 71);
});

test('if none commits, the gap is the whole time', () => {
  const answer = kindAnswer({ ...observed, done: [] });
  expect(answer).toMatchObject({ gap_ms: 1_000, txn_per_s: 0, p50_ms: 1_000, until_commit_ms: null, until_epoch_ms: null });
});

test('what did not happen in a round has no median', () => {
  const never = kindAnswer({ ...observed, done: observed.done.slice(0, 101) });
  const rounds = [kindAnswer(observed), never, kindAnswer(observed)];
  expect(stragglingOf(rounds)).toMatchObject({ gap_ms: 200, greatest_gap_ms: 800, until_commit_ms: 200, until_epoch_ms: null });
});

test('only epochs have a manager that can stand still, and strangers never need the gateway', () => {
  const cases = casesOf([100, 500], ['epoch', 'locks', 'none']);
  expect(cases.map(({ way, name }) => `${way}: ${name}`).filter((name) => name.includes('manager stopped'))).toEqual([
    'epoch: manager stopped 100 ms',
    'epoch: manager stopped 500 ms',
  ]);
  for (const { still, kinds } of cases) {
    expect(kinds.strangers).not.toContain(still);
    if (kinds.needing !== undefined) expect(kinds.needing).toContain(still);
  }
});
