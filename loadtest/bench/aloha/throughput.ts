// The parts `length`, `size`, `share` and `contention`: lists in epochs, by locks and as natives, which is the baseline, on two gateways that
// keep nothing.

import type { Progress } from '../../kit/progress.ts';
import { setConditions, withCluster } from '../../kit/with-cluster.ts';
import type { Cluster } from '../../../scripts/cluster.js';
import type { Answer, Way } from './question.ts';
import { POINT, rowOf, type Cell, type Part, type Point, type Row } from './row.ts';
import type { Settings } from './settings.ts';
import { listsOf, takeTurns, withDrivers, type Driver } from './turns.ts';

/** Operations of a list that has a hot record. */
const HOT_SIZE = 10;
/** Lists that arrive by themselves: so long, and in a second so many that they are this share of the operations that a closed loop has. */
const ARRIVING_SIZE = 100;
const ARRIVING_SHARE = 0.25;
/** As many as arrive within the longest epochs, and more. */
const ARRIVING_MAX = 256;

export type ThroughputPart = 'length' | 'size' | 'share' | 'contention';

export const isThroughput = (part: Part): part is ThroughputPart => ['length', 'size', 'share', 'contention'].includes(part);

export const epochName = (ms: number): string => (ms === 0 ? 'auto' : String(ms));

function pointsOf(part: ThroughputPart, settings: Settings): Omit<Point, 'way'>[] {
  const common = { ...POINT, part, in_flight: settings.inFlight };
  return {
    size: () => settings.sizes.map((size) => ({ ...common, name: String(size), size })),
    share: () => settings.readShares.map((share) => ({ ...common, name: String(share), read_share: share })),
    contention: () => settings.hotKeys.map((hot) => ({ ...common, name: String(hot), size: HOT_SIZE, hot_keys: hot })),
    length: () => settings.epochMs.map((ms) => ({ ...common, name: epochName(ms), epoch_ms: ms })),
  }[part]();
}

/** Locks have no length: that part leaves them out. */
export function cellsOf(part: ThroughputPart, settings: Settings): Cell[] {
  const ways: readonly Way[] = part === 'length' ? ['epoch', 'none'] : settings.ways;
  return pointsOf(part, settings).flatMap((point) => ways.map((way): Cell => ({ ...point, way, answers: [] })));
}

/** Lists that arrive by themselves, for each length of epochs: in a closed loop all wait together, for the same moment. */
const arriving = (settings: Settings, operationsPerSecond: number): Cell[] =>
  settings.epochMs.map((ms) => ({
    ...POINT,
    part: 'length',
    name: `${epochName(ms)}, arriving`,
    way: 'epoch',
    size: ARRIVING_SIZE,
    in_flight: ARRIVING_MAX,
    epoch_ms: ms,
    arrivals_per_s: Math.round((ARRIVING_SHARE * operationsPerSecond) / ARRIVING_SIZE),
    answers: [],
  }));

export function baselineOf(cell: Cell, cells: readonly Cell[]): Cell | undefined {
  return cell.way === 'none' ? undefined : cells.find(({ name, way }) => name === cell.name && way === 'none');
}

async function measureCell(cluster: Cluster, driver: Driver, cell: Cell, settings: Settings, round: number): Promise<Answer> {
  await setConditions(cluster, { locks: 'abstract', phasing: true, combining: 'auto', epochs: 'auto', epoch_ms: cell.epoch_ms });
  return driver.ask(listsOf(cell, settings, cluster, round));
}

export async function measureThroughput(part: ThroughputPart, settings: Settings, progress: Progress): Promise<Row[]> {
  const cells = cellsOf(part, settings);
  await withCluster(POINT.shards, {}, (cluster) =>
    withDrivers(1, async ([driver]) => {
      const { rounds } = settings;
      const measure = (cell: Cell, round: number) => measureCell(cluster, driver!, cell, settings, round);
      await takeTurns(cells, { rounds, progress, measure });
      if (part !== 'length') return;
      const fastest = Math.max(...cells.filter(({ way }) => way === 'epoch').map((cell) => rowOf(cell, undefined).txn_per_s));
      const more = arriving(settings, fastest * POINT.size);
      await takeTurns(more, { rounds, progress, measure });
      cells.push(...more);
    }),
  );
  return cells.map((cell) => rowOf(cell, baselineOf(cell, cells)));
}
