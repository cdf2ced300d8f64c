// One cell: a closed loop of logical clients, each of which begins its next transaction when the last has ended. All peers run in
// the same loop. All counts are differences between two moments of the steady state.

import { setTimeout as pause } from 'node:timers/promises';
import { cpuUsOf, machineBusyUs, ownCpuUs } from '../../kit/cpu.ts';
import type { CellAnswer, CellQuestion } from './question.ts';

/** The interface of a peer in one cell. */
export interface Runner {
  /** Runs the next transaction. False: given up, and none of it was applied. */
  run(): Promise<boolean>;
  /** number of repeated attempts so far */
  aborts(): number;
  /** Differences between stored and acknowledged data. Call after all begun transactions have ended. */
  mismatches(): Promise<string[]>;
  close(): Promise<void>;
}

export async function runCell(
  runner: Runner,
  question: Pick<CellQuestion, 'clients' | 'warm_seconds' | 'seconds' | 'server_pids'>,
): Promise<CellAnswer> {
  const { clients, warm_seconds, seconds, server_pids } = question;
  let commits = 0;
  let failures = 0;
  let latencies: number[] = [];
  let stopping = false;
  const client = async () => {
    while (!stopping) {
      const begunMs = performance.now();
      if (await runner.run()) {
        commits++;
        latencies.push(performance.now() - begunMs);
      } else failures++;
    }
  };
  const sample = () => ({
    atMs: performance.now(),
    commits,
    aborts: runner.aborts(),
    own_us: ownCpuUs(),
    server_us: server_pids.reduce((sum, pid) => sum + cpuUsOf(pid), 0),
    machine_us: machineBusyUs(),
  });
  const running = Promise.all(Array.from({ length: clients }, client));
  await pause(1000 * warm_seconds);
  latencies = [];
  const first = sample();
  await pause(1000 * seconds);
  const last = sample();
  const sorted = Float64Array.from(latencies).sort();
  stopping = true;
  await running;
  const grown = (figure: keyof typeof first) => last[figure] - first[figure];
  const spanMs = grown('atMs');
  const measured = Math.max(1, grown('commits'));
  // If nothing ended in the span, its length is a lower bound of the latencies.
  const quantile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? spanMs;
  return {
    txn_per_s: (1000 * grown('commits')) / spanMs,
    p50_ms: quantile(0.5),
    p99_ms: quantile(0.99),
    aborts_per_commit: grown('aborts') / measured,
    failures,
    driver_us_per_txn: grown('own_us') / measured,
    server_us_per_txn: grown('server_us') / measured,
    others_cpu: Math.max(0, (grown('machine_us') - grown('own_us') - grown('server_us')) / 1000 / spanMs),
    mismatches: await runner.mismatches(),
  };
}
