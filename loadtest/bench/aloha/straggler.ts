// The part `straggler`: what lists wait while a gateway stands still, or is dead, by whether they need it. Three gateways, each one shard; the manager of
// epochs is at the first.

import type { Cluster } from '../../../scripts/cluster.js';
import { DriverProcess } from '../../kit/driver-process.ts';
import type { Progress } from '../../kit/progress.ts';
import { withCluster } from '../../kit/with-cluster.ts';
import type { Way } from './question.ts';
import { POINT, rowOf, type Point, type Row } from './row.ts';
import type { Settings } from './settings.ts';
import { stragglingOf, type Kind, type KindAnswer, type StandstillAnswer, type StandstillQuestion } from './standstill.ts';

const SHARDS = 3;
const SIZE = 10;
const IN_FLIGHT = 8;
const AFTER_MS = 500;
const AFTER_KILL_MS = 2_000;

interface Case {
  name: string;
  way: Way;
  /** the shard whose gateway stands still */
  still: number;
  /** for so long; null: it is killed, and the cluster with it */
  stopMs: number | null;
  kinds: StandstillQuestion['kinds'];
  rounds: Partial<Record<Kind, KindAnswer[]>>;
}

export function casesOf(stopMs: readonly number[], ways: readonly Way[]): Case[] {
  const stopped = (way: Way, ms: number): Omit<Case, 'way' | 'rounds'>[] => [
    { name: `one stopped ${ms} ms`, still: 2, stopMs: ms, kinds: { strangers: [0, 1], needing: [1, 2] } },
    { name: `one stopped ${ms} ms that nobody needs`, still: 2, stopMs: ms, kinds: { strangers: [0, 1] } },
    // By locks nobody needs a manager.
    ...(way === 'epoch'
      ? [
          { name: `manager stopped ${ms} ms`, still: 0, stopMs: ms, kinds: { strangers: [1, 2], needing: [0, 1] } } satisfies Omit<
            Case,
            'way' | 'rounds'
          >,
        ]
      : []),
  ];
  return ways
    .filter((way) => way !== 'none')
    .flatMap((way) => [
      ...stopMs.flatMap((ms) => stopped(way, ms).map((one): Case => ({ ...one, way, rounds: {} }))),
      { name: 'manager killed', way, still: 0, stopMs: null, kinds: { strangers: [1, 2] }, rounds: {} },
    ]);
}

type Driver = DriverProcess<StandstillQuestion, StandstillAnswer>;

async function measureCase(cluster: Cluster, driver: Driver, one: Case, seed: number): Promise<void> {
  const { way, still, stopMs, kinds, rounds } = one;
  const { pid } = cluster.gateways[still]!;
  const afterMs = stopMs === null ? AFTER_KILL_MS : AFTER_MS;
  const question: StandstillQuestion = {
    addresses: cluster.gateways.map(({ grpc }) => grpc),
    way,
    size: SIZE,
    inFlight: IN_FLIGHT,
    readShare: 0.5,
    shards: SHARDS,
    kinds,
    pid,
    stopMs,
    calmMs: (stopMs ?? 0) + afterMs,
    afterMs,
    seed,
  };
  try {
    const answer = await driver.ask(question);
    for (const [kind, figures] of Object.entries(answer) as [Kind, KindAnswer][]) (rounds[kind] ??= []).push(figures);
  } finally {
    // Whatever has become of the driver.
    if (stopMs !== null) process.kill(pid, 'SIGCONT');
  }
}

function rowsOf({ name, way, rounds }: Case): Row[] {
  return (Object.entries(rounds) as [Kind, KindAnswer[]][]).map(([kind, answers]) => {
    const point: Point = { ...POINT, part: 'straggler', name: `${name}: ${kind}`, way, size: SIZE, in_flight: IN_FLIGHT, shards: SHARDS };
    return { ...rowOf({ ...point, answers }, undefined), straggler: stragglingOf(answers) };
  });
}

/** Those that leave the cluster whole share one. */
export async function measureStraggler({ rounds, seed, stopMs, ways }: Settings, progress: Progress): Promise<Row[]> {
  const cases = casesOf(stopMs, ways);
  const driver: Driver = new DriverProcess(new URL('./standstill-driver.ts', import.meta.url), []);
  const measure = async (cluster: Cluster, one: Case, round: number) => {
    progress.show(`straggler: round ${round + 1} of ${rounds}, ${one.name}, ${one.way}`);
    await measureCase(cluster, driver, one, seed + round);
  };
  try {
    for (let round = 0; round < rounds; round++) {
      await withCluster(SHARDS, {}, async (cluster) => {
        for (const one of cases.filter(({ stopMs: ms }) => ms !== null)) await measure(cluster, one, round);
      });
      for (const one of cases.filter(({ stopMs: ms }) => ms === null)) {
        await withCluster(SHARDS, {}, (cluster) => measure(cluster, one, round));
      }
    }
  } finally {
    await driver.close();
  }
  return cases.flatMap(rowsOf);
}
