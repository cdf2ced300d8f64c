// The driver process of the paper's figures: runs one cell at a time, in a closed loop of logical clients.

import { ClaretError, connect, type Claret } from '@claret/client';
import { cpuUsOf, ownCpuUs } from '../bench/kit/cpu.ts';
import { answerParent } from '../bench/kit/driver-process.ts';
import { kronecker, type Graph } from '../workloads/kronecker.ts';
import { randomFrom } from '../workloads/random.ts';
import { Rawmix } from '../workloads/rawmix.ts';
import { Retwis, type RetwisMix } from '../workloads/retwis.ts';
import { Rubis, type RubisMix } from '../workloads/rubis.ts';
import { conditionNamed } from './conditions.ts';
import type { Answer, Question } from './question.ts';

const WARM_SHARE = 0.4;
const RUBIS_HORIZON_SECONDS = 600;

interface Runner {
  run(claret: Claret): Promise<void>;
  check(claret: Claret): Promise<void>;
}

let graph: Graph | null = null;
const loaded = new Map<string, Runner>();

async function runnerFor({ point, sending, seed, run, retwis_scale, rubis_items }: Question, claret: Claret): Promise<Runner> {
  if (point.workload === 'rawmix') {
    const rawmix = new Rawmix({ alpha: point.alpha, update: point.update, name: run }, randomFrom(seed));
    return { run: () => rawmix.run(claret, rawmix.draw(claret), sending), check: () => rawmix.check(claret) };
  }
  const name = `${point.workload} ${point.name}`;
  let runner = loaded.get(name);
  if (runner !== undefined) return runner;
  if (point.workload === 'rubis') {
    const rubis = new Rubis({ mix: point.name as RubisMix, items: rubis_items, horizon_seconds: RUBIS_HORIZON_SECONDS }, randomFrom(seed));
    await rubis.load(claret);
    runner = rubis;
  } else {
    if (graph === null) {
      graph = kronecker(retwis_scale, randomFrom(seed));
      await Retwis.load(claret, graph);
    }
    runner = new Retwis(graph, point.name as RetwisMix, randomFrom(seed));
  }
  loaded.set(name, runner);
  return runner;
}

answerParent<Question, Answer>(async (question) => {
  const { addresses, gateway_pids, clients, seconds, condition, poll_us } = question;
  const retryPolicy = conditionNamed(condition).retryPolicy ?? {};
  const claret = await connect({ addresses, name: 'bench', retryPolicy, pollMicroseconds: poll_us, attemptsMax: 100_000 });
  const runner = await runnerFor(question, claret);
  const latencies: number[] = [];
  let commits = 0;
  let failures = 0;
  let stopping = false;
  const client = async () => {
    while (!stopping) {
      const begunMs = performance.now();
      try {
        await runner.run(claret);
        commits++;
        latencies.push(performance.now() - begunMs);
      } catch (error) {
        if (!(error instanceof ClaretError) || error.commitState !== 'none') throw error;
        failures++;
      }
    }
  };
  const sample = () => ({ atMs: performance.now(), commits, retries: claret.counters.retries, own_us: ownCpuUs(), gateway_us: gateway_pids.map(cpuUsOf) });
  const running = Promise.all(Array.from({ length: clients }, client));
  await sleep(seconds * WARM_SHARE);
  latencies.length = 0;
  const first = sample();
  await sleep(seconds);
  const last = sample();
  const sorted = Float64Array.from(latencies).sort();
  stopping = true;
  await running;
  await runner.check(claret);
  await claret.close();
  const spanMs = last.atMs - first.atMs;
  const measured = last.commits - first.commits;
  return {
    txn_per_s: (1000 * measured) / spanMs,
    p50_ms: sorted[Math.floor(sorted.length * 0.5)] ?? spanMs,
    p99_ms: sorted[Math.floor(sorted.length * 0.99)] ?? spanMs,
    retries_per_commit: (last.retries - first.retries) / Math.max(1, measured),
    failures,
    driver_cpu: (last.own_us - first.own_us) / 1000 / spanMs,
    gateway_cpu: last.gateway_us.map((us, i) => (us - first.gateway_us[i]!) / 1000 / spanMs),
  };
});

function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
