// Measures a plan: for each block a cluster and a driver, then its cells; at the end the latencies of single operations. Each row is
// kept as soon as it is measured. Throws `Mismatch` if the counters do not hold what was acknowledged.

import type { Cluster } from '../../../scripts/cluster.js';
import { conditionNamed } from '../../kit/conditions.ts';
import { DriverProcess } from '../../kit/driver-process.ts';
import { pollUsFor } from '../../kit/polling.ts';
import { duration, type Progress } from '../../kit/progress.ts';
import { setConditions, withCluster } from '../../kit/with-cluster.ts';
import { Mismatch } from '../paper/mismatch.ts';
import { WARM_SHARE, type Pace } from '../paper/pace.ts';
import { curveNamed, type Curve } from './curves.ts';
import { cellsIn, type Block, type Mix } from './plan.ts';
import type { Answer, CellAnswer, LatencyAnswer, Question, Sent } from './question.ts';
import type { Row } from './raw.ts';
import type { Settings } from './settings.ts';

/** The length of a driver's first cell. It is discarded, since the engine still compiles the hot code. */
const FIRST_SECONDS = 0.5;
/** The load of Table 1, and the span of each of its cells, if the run does not fix it. */
const LATENCY = { seconds: 0.6, clients: 16, alpha: 1, besideClients: 64 };
const LATENCY_CELLS = ([null, 4, 20] as const).flatMap((beside) =>
  (['native', 'transaction'] as const).map((sent): { sent: Sent; beside: number | null } => ({ sent, beside })),
);
const CLUSTER_SECONDS = 4;
const CHECK_SECONDS = 0.1;

/** How long Table 1 takes: its rounds, and a first one that is discarded. */
export function latencySeconds({ rounds, seconds: fixed }: Settings): number {
  const span = fixed ?? LATENCY.seconds;
  return CLUSTER_SECONDS + (rounds + 1) * LATENCY_CELLS.length * (span * (1 + WARM_SHARE) + CHECK_SECONDS);
}

export interface Dependencies {
  settings: Settings;
  pace: Pace;
  progress: Progress;
  /** stores a measurement */
  keep(row: Row): void;
}

type Driver = DriverProcess<Question, Answer>;
type Ask = (question: DistributiveOmit<Question, keyof At>) => Promise<Answer>;
type At = Pick<Question, 'addresses' | 'rests' | 'pids' | 'seed' | 'poll_us'>;
type DistributiveOmit<Union, Keys extends PropertyKey> = Union extends unknown ? Omit<Union, Keys> : never;

const seconds = () => performance.now() / 1000;

export async function measure(blocks: readonly Block[], dependencies: Dependencies): Promise<void> {
  for (const [index, block] of blocks.entries()) {
    const begun = seconds();
    let inCells = 0;
    await withDriver(block.shards, block.round, dependencies, async (cluster, ask) => {
      inCells = await measureBlock(block, blocks.slice(index + 1), cluster, ask, dependencies);
    });
    dependencies.pace.blockTook(seconds() - begun - inCells);
  }
}

async function withDriver(
  shards: number,
  round: number,
  { settings }: Dependencies,
  work: (cluster: Cluster, ask: Ask) => Promise<void>,
): Promise<void> {
  const poll_us = pollUsFor(shards, settings.poll);
  await withCluster(shards, { CLARET_POLL_MICROSECONDS: String(poll_us) }, async (cluster) => {
    const driver: Driver = new DriverProcess(new URL('./driver.ts', import.meta.url), []);
    const at: At = {
      addresses: cluster.gateways.map(({ grpc }) => grpc),
      rests: cluster.gateways.map(({ rest }) => rest),
      pids: cluster.gateways.map(({ pid }) => pid),
      seed: settings.seed + round,
      poll_us,
    };
    try {
      await work(cluster, (question) => driver.ask({ ...at, ...question } as Question));
    } finally {
      await driver.close();
    }
  });
}

/** Returns how many seconds its cells took. */
async function measureBlock(
  block: Block,
  later: readonly Block[],
  cluster: Cluster,
  ask: Ask,
  { settings, pace, progress, keep }: Dependencies,
): Promise<number> {
  let inCells = 0;
  let cells = cellsIn([block]);
  for (const curve of block.mixes[0]!.curves) await measureCell(block, block.mixes[0]!, curve, FIRST_SECONDS, cluster, ask, settings);
  for (const mix of block.mixes) {
    const left = () => ({ cells: cells + cellsIn(later), blocks: later.length });
    const span = pace.span(seconds(), left());
    for (const curve of mix.curves) {
      progress.show(`${duration(pace.left(seconds(), left()))} left, ${left().cells} cells: ${wordsFor(mix)}, ${curve}`);
      const begun = seconds();
      keep(await measureCell(block, mix, curve, span, cluster, ask, settings));
      pace.cellTook(seconds() - begun, span);
      inCells += seconds() - begun;
      cells--;
    }
  }
  return inCells;
}

async function measureCell(
  { round }: Block,
  { shards, size, alpha, reads, share }: Mix,
  curve: Curve,
  span: number,
  cluster: Cluster,
  ask: Ask,
  { clients }: Settings,
): Promise<Row> {
  await setConditions(cluster, conditionNamed(curveNamed(curve).under));
  const shares = { natives: share, reads, size, alpha };
  const answer = await ask({ ask: 'cell', curve, shares, clients, warm_seconds: span * WARM_SHARE, seconds: span });
  const { mismatches, ...measured } = answer as CellAnswer;
  throwIfAny(mismatches, `${wordsFor({ shards, size, alpha, reads, share })}, ${curve}, round ${round + 1}`);
  return { kind: 'cell', shards, size, alpha, reads, share, curve, round, ...measured };
}

export const wordsFor = ({ shards, size, alpha, reads, share }: Omit<Mix, 'curves'>): string =>
  `${shards} ${shards === 1 ? 'shard' : 'shards'}, U${size}, alpha ${alpha}, ${Math.round(100 * reads)} % reads, ${Math.round(100 * share)} % natives`;

function throwIfAny(mismatches: readonly string[], where: string): void {
  const [first] = mismatches;
  if (first === undefined) return;
  throw new Mismatch(`What is stored is not what was acknowledged: ${where}:\n  ${first}, in all ${mismatches.length}`);
}

/** Table 1, on one shard. */
export async function measureLatencies(dependencies: Dependencies): Promise<void> {
  const { settings, progress, keep } = dependencies;
  const { clients, alpha, besideClients } = LATENCY;
  const { rounds } = settings;
  const span = settings.seconds ?? LATENCY.seconds;
  await withDriver(1, 0, dependencies, async (cluster, ask) => {
    await setConditions(cluster, conditionNamed(curveNamed('mediator').under));
    for (let round = -1; round < rounds; round++) {
      for (const { sent, beside } of LATENCY_CELLS) {
        const besides = beside === null ? 'alone' : `beside U${beside}`;
        progress.show(`latencies, round ${round + 1} of ${rounds}: as ${sent}, ${besides}`);
        const answer = (await ask({
          ask: 'latency',
          sent,
          clients,
          alpha,
          beside: beside === null ? null : { size: beside, clients: besideClients },
          warm_seconds: span * WARM_SHARE,
          seconds: span,
        })) as LatencyAnswer;
        throwIfAny(answer.mismatches, `latencies as ${sent}, ${besides}`);
        // The first round only lets compilers settle.
        if (round < 0) continue;
        for (const operation of ['read', 'write'] as const) keep({ kind: 'latency', sent, beside, operation, round, ...answer[operation] });
      }
    }
  });
}
