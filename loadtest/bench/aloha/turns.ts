// Cells take turns: each round runs all of them, every other one backwards, so that no cell profits from its place.

import type { Cluster } from '../../../scripts/cluster.js';
import type { Progress } from '../../kit/progress.ts';
import { DriverProcess } from '../../kit/driver-process.ts';
import type { Answer, ListQuestion, Question } from './question.ts';
import type { Cell, Point } from './row.ts';
import type { Settings } from './settings.ts';

export type Driver = DriverProcess<Question, Answer>;

export const newDriver = (): Driver => new DriverProcess<Question, Answer>(new URL('./driver.ts', import.meta.url), []);

/** Drivers for as long as the work lasts. */
export async function withDrivers(count: number, work: (drivers: readonly Driver[]) => Promise<void>): Promise<void> {
  const drivers = Array.from({ length: count }, newDriver);
  try {
    await work(drivers);
  } finally {
    await Promise.all(drivers.map((driver) => driver.close()));
  }
}

interface Turns {
  rounds: number;
  progress: Progress;
  /** a round before the others is discarded: each cell has processes of its own, whose compilers settle */
  warms?: boolean;
  measure(cell: Cell, round: number): Promise<Answer>;
}

export async function takeTurns(cells: readonly Cell[], { rounds, progress, measure, warms }: Turns): Promise<void> {
  if (warms) for (const cell of cells) await measure(cell, rounds);
  for (let round = 0; round < rounds; round++) {
    for (const cell of round % 2 === 0 ? cells : cells.toReversed()) {
      progress.show(`${cell.part}: round ${round + 1} of ${rounds}, ${cell.name}, ${cell.way}`);
      cell.answers.push(await measure(cell, round));
    }
  }
}

/** The lists of a point. */
export function listsOf(point: Point, settings: Settings, { gateways }: Cluster, round: number): ListQuestion {
  return {
    load: 'lists',
    addresses: gateways.map(({ grpc }) => grpc),
    pids: gateways.map(({ pid }) => pid),
    way: point.way,
    size: point.size,
    readShare: point.read_share,
    inFlight: point.in_flight,
    arrivalsPerSecond: point.arrivals_per_s,
    keys: settings.keys,
    hotKeys: point.hot_keys,
    seed: settings.seed + round,
    seconds: settings.seconds,
  };
}
