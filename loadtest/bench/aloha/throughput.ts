// The parts `size`, `share` and `contention`: lists in epochs, by locks and as natives, which is the baseline, on two gateways that
// keep nothing.

import type { Progress } from '../../kit/progress.ts';
import { withCluster } from '../../kit/with-cluster.ts';
import { POINT, rowOf, type Cell, type Part, type Point, type Row } from './row.ts';
import type { Settings } from './settings.ts';
import { listsOf, takeTurns, withDrivers } from './turns.ts';

/** Operations of a list that has a hot record. */
const HOT_SIZE = 10;

export type ThroughputPart = 'size' | 'share' | 'contention';

export const isThroughput = (part: Part): part is ThroughputPart => ['size', 'share', 'contention'].includes(part);

function pointsOf(part: ThroughputPart, settings: Settings): Omit<Point, 'way'>[] {
  const common = { ...POINT, part, in_flight: settings.inFlight };
  return {
    size: () => settings.sizes.map((size) => ({ ...common, name: String(size), size })),
    share: () => settings.readShares.map((share) => ({ ...common, name: String(share), read_share: share })),
    contention: () => settings.hotKeys.map((hot) => ({ ...common, name: String(hot), size: HOT_SIZE, hot_keys: hot })),
  }[part]();
}

export const cellsOf = (part: ThroughputPart, settings: Settings): Cell[] =>
  pointsOf(part, settings).flatMap((point) => settings.ways.map((way): Cell => ({ ...point, way, answers: [] })));

export function baselineOf(cell: Cell, cells: readonly Cell[]): Cell | undefined {
  return cell.way === 'none' ? undefined : cells.find(({ name, way }) => name === cell.name && way === 'none');
}

export async function measureThroughput(part: ThroughputPart, settings: Settings, progress: Progress): Promise<Row[]> {
  const cells = cellsOf(part, settings);
  await withCluster(POINT.shards, {}, (cluster) =>
    withDrivers(1, ([driver]) =>
      takeTurns(cells, {
        rounds: settings.rounds,
        progress,
        measure: (cell, round) => driver!.ask(listsOf(cell, settings, cluster, round)),
      }),
    ),
  );
  return cells.map((cell) => rowOf(cell, baselineOf(cell, cells)));
}
