// A driver process of the warranties benchmark: one app server, with one client for all conditions.

import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Claret } from '@claret/client';
import { cpuUsOf, ownCpuUs } from '../../kit/cpu.ts';
import { answerParent } from '../../kit/driver-process.ts';
import type { Answer, CellQuestion, Measured, Question, Warranties } from './question.ts';
import { together, type Workload } from './workload.ts';
import { workloadFor } from './workloads.ts';

/** Before the measured span, as a share of it. */
const WARM_SHARE = 0.5;
const TOLD_WITHIN_MS = 10_000;
/** Generous, since a frozen app server may hold up a change for a term. */
const TIMEOUT_MS = 30_000;

let claret: Claret | undefined;
let workload: Workload | undefined;

interface Counted {
  reads: number;
  writes: number;
  read_ms: number[];
  write_ms: number[];
}

async function isTold(wanted: Warranties): Promise<void> {
  const latestMs = performance.now() + TOLD_WITHIN_MS;
  while (claret!.conditions?.warranties !== wanted) {
    if (performance.now() > latestMs) throw new Error(`the client was not told that warranties are ${wanted}`);
    await sleep(5);
  }
}

function sample(counted: Counted, pids: readonly number[]) {
  const { frames, retries, commits, warrantedCommits } = claret!.counters;
  return {
    atMs: performance.now(),
    frames,
    retries,
    commits,
    warrantedCommits,
    runs: claret!.computations.stats.runs,
    hits: claret!.computations.stats.hits,
    client_us: ownCpuUs(),
    gateway_us: pids.map(cpuUsOf),
    reads: counted.reads,
    writes: counted.writes,
  };
}

async function cell({ way, warranties, inFlight, seconds, gateway_pids }: CellQuestion): Promise<Measured> {
  await isTold(warranties);
  const counted: Counted = { reads: 0, writes: 0, read_ms: [], write_ms: [] };
  let stopping = false;
  const pauseMs = workload!.pauseMs?.(way) ?? 0;
  const client = async () => {
    while (!stopping) {
      if (pauseMs > 0) await sleep(pauseMs);
      const beganMs = performance.now();
      const writes = await workload!.run(way);
      const ms = performance.now() - beganMs;
      counted[writes ? 'writes' : 'reads']++;
      counted[writes ? 'write_ms' : 'read_ms'].push(ms);
    }
  };
  const clients = Promise.all(Array.from({ length: inFlight }, client));
  await sleep(1_000 * WARM_SHARE * seconds);
  counted.read_ms = [];
  counted.write_ms = [];
  const first = sample(counted, gateway_pids);
  await sleep(1_000 * seconds);
  const last = sample(counted, gateway_pids);
  const { read_ms, write_ms } = counted;
  stopping = true;
  await clients;
  const [reads, writes] = [last.reads - first.reads, last.writes - first.writes];
  return {
    seconds: (last.atMs - first.atMs) / 1_000,
    reads,
    writes,
    transactions: workload!.isPages === true ? last.commits - first.commits : reads + writes,
    read_ms: read_ms.slice(0, reads),
    write_ms: write_ms.slice(0, writes),
    messages: last.frames - first.frames,
    answers: last.warrantedCommits + last.hits - first.warrantedCommits - first.hits,
    retries: last.retries - first.retries,
    body_runs: last.runs - first.runs,
    client_us: last.client_us - first.client_us,
    gateway_us: last.gateway_us.map((us, i) => us - first.gateway_us[i]!),
  };
}

answerParent<Question, Answer>(async (question) => {
  switch (question.ask) {
    case 'load':
      claret = await connect({
        addresses: question.addresses,
        name: `driver ${question.driver}`,
        pollMicroseconds: 0,
        timeoutMs: TIMEOUT_MS,
      });
      workload = workloadFor(claret, question);
      await workload.load();
      return {};
    case 'cell':
      return { measured: await cell(question) };
    case 'totals':
      return { totals: workload!.totals };
    case 'check':
      return { mismatches: await workload!.mismatches(together([workload!.totals, ...question.others])) };
  }
});
