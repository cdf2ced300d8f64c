// The simulation on a fixed set of seeds: every plan and every workload, each run judged by the history check. Every plan with every workload, and
// the runs that once failed: simulation.long.test.ts.
import { expect, test } from 'vitest';
import type { HistoryAttempt } from '@claret/client';
import { MINUTES, PAIRS, problemsOf } from './pairs.ts';
import { PLANS } from './plans/index.ts';
import { run } from './run.ts';
import { WORKLOADS } from '../workloads/index.ts';

/** Short, so that even a short run has several lulls. */
const PART_MS = 500;

/** Each workload under one plan: all plans in turn. */
const SOME_PAIRS = PAIRS.filter(({ i, j }) => i === j % PLANS.length);

test.each(SOME_PAIRS)('$workload violates nothing under the plan $plan', async (pair) => {
  expect(await problemsOf(pair)).toEqual([]);
});

const SOME_PLANS = PLANS.map(({ name }, i) => ({ plan: name, workload: WORKLOADS[i + 1]!.name, seed: 910 + i })).filter(
  (_, i) => i % 6 === 0,
);

test.each(SOME_PLANS)(
  'settled attempts are judged and dropped during a run of $workload under the plan $plan',
  async ({ plan, workload, seed }) => {
    const ids: string[] = [];
    const { violations, keptMax } = await run({
      seed,
      minutes: 0.08,
      plan,
      workload,
      partMs: PART_MS,
      onAttempt: ({ id }) => void ids.push(id),
    });
    expect(violations).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(keptMax).toBeLessThan(0.75 * ids.length);
  },
);

test('reads of the past are judged, also those of a moment in the part before', async () => {
  const { violations, past } = await run({ seed: 920, minutes: 0.12, plan: 'calm', workload: 'as-of', partMs: 2_500 });
  expect(violations).toEqual([]);
  expect(past.judged).toBeGreaterThan(200);
  expect(past.beyond).toBeLessThan(0.1 * past.judged);
});

test.each([undefined, 'resp'])(
  'a seed reproduces the same run, every byte and every event, and another seed gives another (%s)',
  async (workload) => {
    const runOf = async (seed: number) => {
      const history: HistoryAttempt[] = [];
      const report = await run({
        seed,
        minutes: MINUTES,
        plan: 'everything',
        partMs: PART_MS,
        ...(workload !== undefined && { workload }),
        onAttempt: (attempt) => void history.push(attempt),
      });
      return { ...report, history };
    };
    const once = await runOf(7);
    expect(await runOf(7)).toEqual(once);
    expect((await runOf(8)).digest).not.toBe(once.digest);
  },
);
