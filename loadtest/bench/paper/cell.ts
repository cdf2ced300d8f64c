// One cell in the driver: a closed loop of logical clients, each of which begins its next transaction when the last has ended. All
// counts are differences between two moments of the steady state. Latencies are those of all transactions that ended between them.

import { performance } from 'node:perf_hooks';
import { ClaretError, connect, type Claret, type ConnectOptions } from '@claret/client';
import { cpuUsOf, machineBusyUs, ownCpuUs } from '../../kit/cpu.ts';
import { conditionNamed } from '../../kit/conditions.ts';
import { senderUnder } from '../../kit/sent-as-natives.ts';
import { ConflictTable, readFigures, type GatewayFigures } from './gateway-figures.ts';
import type { Work } from './load.ts';
import type { CellQuestion } from './question.ts';
import type { Measured } from './raw.ts';

/** Warm-up and span are stretched, up to this factor, until each has as many commits as there are clients. */
const STRETCH_MAX = 4;
const LOOK_SECONDS = 0.02;
/** Transactions are limited by time, not by the number of attempts. */
const ATTEMPTS_MAX = 100_000;

interface Tally {
  commits: number;
  failures: number;
  latencies: number[];
}

interface Sample {
  atMs: number;
  commits: number;
  retries: number;
  operations: number;
  polledMs: number;
  /** of the event loop: active, including polling */
  awakeMs: number;
  own_us: number;
  gateways_us: number[];
  machine_us: number;
}

/** Resolves when all begun transactions have ended. */
export async function runCell(question: CellQuestion, addresses: string[], work: Work): Promise<Measured> {
  const claret = await connect(optionsOf(question, addresses, work));
  try {
    const conflictsBefore = question.conflicts ? await ConflictTable.read(question.rests) : null;
    const before = await lookAtGateways(question.rests);
    const span = await runLoop(claret, question, work);
    const after = await lookAtGateways(question.rests);
    const conflicts = conflictsBefore && (await ConflictTable.read(question.rests)).since(conflictsBefore);
    return {
      ...span,
      gateway_polling: after.gateways.map(
        ({ polled_seconds }, i) => (1000 * (polled_seconds - before.gateways[i]!.polled_seconds)) / (after.atMs - before.atMs),
      ),
      core_us_per_op: coreUsPerOperation(before.gateways, after.gateways),
      ...(conflicts && { conflicts }),
    };
  } finally {
    await claret.close();
  }
}

function optionsOf({ condition, deferral, poll_us }: CellQuestion, addresses: string[], { oneAtATime }: Work): ConnectOptions {
  return {
    addresses,
    name: 'bench',
    retryPolicy: conditionNamed(condition).retryPolicy ?? {},
    pollMicroseconds: poll_us,
    attemptsMax: ATTEMPTS_MAX,
    oneAtATime,
    ...(!deferral && { deferral }),
  };
}

async function lookAtGateways(rests: readonly string[]): Promise<{ atMs: number; gateways: GatewayFigures[] }> {
  return { gateways: await Promise.all(rests.map(readFigures)), atMs: performance.now() };
}

function coreUsPerOperation(before: readonly GatewayFigures[], after: readonly GatewayFigures[]): number {
  const grown = (figure: (of: GatewayFigures) => number) => after.reduce((sum, of, i) => sum + figure(of) - figure(before[i]!), 0);
  return (
    (1e6 * grown(({ core_seconds }) => core_seconds)) /
    Math.max(
      1,
      grown(({ operations }) => operations),
    )
  );
}

async function runLoop(claret: Claret, question: CellQuestion, work: Work): Promise<Omit<Measured, 'gateway_polling' | 'core_us_per_op'>> {
  const tally: Tally = { commits: 0, failures: 0, latencies: [] };
  let stopping = false;
  const sender = senderUnder(question.condition, claret, work);
  const client = async () => {
    while (!stopping) await runOne(sender, work, tally);
  };
  const running = Promise.all(Array.from({ length: question.clients }, client));
  await someTime(question.warm_seconds, tally, question.clients);
  const first = sampleOf(claret, tally, question.gateway_pids);
  tally.latencies = [];
  await someTime(question.seconds, tally, question.clients);
  const last = sampleOf(claret, tally, question.gateway_pids);
  const { latencies } = tally;
  tally.latencies = [];
  stopping = true;
  await running;
  return { ...figuresOf(first, last), ...latenciesOf(latencies, last.atMs - first.atMs), failures: tally.failures };
}

async function runOne(claret: Claret, work: Work, tally: Tally): Promise<void> {
  const begunMs = performance.now();
  try {
    await work.run(claret);
    tally.commits++;
    tally.latencies.push(performance.now() - begunMs);
  } catch (error) {
    // The error must say that nothing was applied: otherwise the check could not tell it from a lost update.
    if (!(error instanceof ClaretError) || error.commitState !== 'none') throw error;
    tally.failures++;
  }
}

function sampleOf(claret: Claret, { commits }: Tally, gatewayPids: readonly number[]): Sample {
  const { retries, operations, natives, polledMs } = claret.counters;
  return {
    atMs: performance.now(),
    commits,
    retries,
    operations: operations + natives,
    polledMs,
    awakeMs: performance.eventLoopUtilization().active,
    own_us: ownCpuUs(),
    gateways_us: gatewayPids.map(cpuUsOf),
    machine_us: machineBusyUs(),
  };
}

function figuresOf(first: Sample, last: Sample) {
  const spanMs = last.atMs - first.atMs;
  const grown = (figure: (of: Sample) => number) => figure(last) - figure(first);
  const commits = grown((of) => of.commits);
  const operations = grown((of) => of.operations);
  const own_us = grown((of) => of.own_us);
  // Polling is counted in elapsed time. While the loop was active it had a CPU only part of the time if other processes needed one.
  const polled_us =
    own_us *
    Math.min(
      1,
      grown((of) => of.polledMs) /
        Math.max(
          1e-9,
          grown((of) => of.awakeMs),
        ),
    );
  const gateways_us = last.gateways_us.map((us, i) => us - first.gateways_us[i]!);
  const others_us = grown((of) => of.machine_us) - own_us - gateways_us.reduce((sum, us) => sum + us, 0);
  return {
    seconds: spanMs / 1000,
    txn_per_s: (1000 * commits) / spanMs,
    retries_per_commit: grown((of) => of.retries) / Math.max(1, commits),
    operations_per_commit: operations / Math.max(1, commits),
    driver_cpu: own_us / 1000 / spanMs,
    driver_polling: polled_us / 1000 / spanMs,
    gateway_cpu: gateways_us.map((us) => us / 1000 / spanMs),
    others_cpu: Math.max(0, others_us / 1000 / spanMs),
    client_us_per_op: (own_us - polled_us) / Math.max(1, operations),
  };
}

/** If nothing ended in the span, its length is a lower bound of the latencies. */
function latenciesOf(latencies: readonly number[], spanMs: number) {
  const sorted = Float64Array.from(latencies).sort();
  const quantile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? spanMs;
  const mean_ms = sorted.length === 0 ? spanMs : sorted.reduce((sum, ms) => sum + ms, 0) / sorted.length;
  return { p50_ms: quantile(0.5), p99_ms: quantile(0.99), mean_ms };
}

async function someTime(seconds: number, tally: Tally, enough: number): Promise<void> {
  const goal = tally.commits + enough;
  const latestMs = performance.now() + 1000 * seconds * STRETCH_MAX;
  await sleep(seconds);
  while (tally.commits < goal && performance.now() < latestMs) await sleep(LOOK_SECONDS);
}

function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
