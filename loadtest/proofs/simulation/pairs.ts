// Each plan with each workload, and a short run of such a pair, judged by the history check.
import type { HistoryAttempt } from '@claret/client';
import { WORKLOADS } from '../workloads/index.ts';
import { PLANS } from './plans/index.ts';
import { run } from './run.ts';

export const MINUTES = 0.03;

/** `i`, `j`: the numbers of the plan and of the workload. */
export const PAIRS = PLANS.flatMap((plan, i) =>
  WORKLOADS.map((workload, j) => ({ i, j, plan: plan.name, workload: workload.name, seed: 1_000 * (i + 1) + j })),
);

/** What is wrong with a run of the pair. */
export async function problemsOf({ plan, workload, seed }: (typeof PAIRS)[number]): Promise<unknown[]> {
  const history: HistoryAttempt[] = [];
  const { violations, committed } = await run({
    seed,
    minutes: MINUTES,
    plan,
    workload,
    onAttempt: (attempt) => void history.push(attempt),
  });
  return [
    ...violations,
    ...(committed > 0 ? [] : ['nothing has committed']),
    ...(history.some(({ label }) => label === 'FinalRead') ? [] : ['there was no final read']),
  ];
}
