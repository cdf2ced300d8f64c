// Each plan with each workload, and a short run of such a pair, judged by the history check.
import type { HistoryAttempt } from '@claret/client';
import { WORKLOADS } from '../workloads/index.ts';
import { PLANS } from './plans/index.ts';
import { run } from './run.ts';

export const MINUTES = 0.03;
/** Of a run in whose first minutes nothing has committed. */
const LONGER = 10;

/** `i`, `j`: the numbers of the plan and of the workload. */
export const PAIRS = PLANS.flatMap((plan, i) =>
  WORKLOADS.map((workload, j) => ({ i, j, plan: plan.name, workload: workload.name, seed: 1_000 * (i + 1) + j })),
);

/** What is wrong with a run of the pair. */
export async function problemsOf(pair: (typeof PAIRS)[number], minutes = MINUTES): Promise<unknown[]> {
  const { plan, workload, seed } = pair;
  const history: HistoryAttempt[] = [];
  const { violations, committed } = await run({
    seed,
    minutes,
    plan,
    workload,
    onAttempt: (attempt) => void history.push(attempt),
  });
  // Some lose all their time to faults before their data is there.
  if (committed === 0 && violations.length === 0 && minutes === MINUTES) return problemsOf(pair, LONGER * MINUTES);
  return [
    ...violations,
    ...(committed > 0 ? [] : ['nothing has committed']),
    ...(history.some(({ label }) => label === 'FinalRead') ? [] : ['there was no final read']),
  ];
}
