// The part `durability`: lists in epochs on gateways that keep nothing, that write their log and answer, and that answer once it is on the disk. All
// are up at once.

import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster } from '../../../scripts/cluster.js';
import type { Progress } from '../../kit/progress.ts';
import { withCluster } from '../../kit/with-cluster.ts';
import { measureDisk } from './disk.ts';
import { POINT, rowOf, type Cell, type Row } from './row.ts';
import type { Settings } from './settings.ts';
import { listsOf, takeTurns, withDrivers } from './turns.ts';

const MODES = ['none', 'async', 'sync'] as const;

const cellOf = (name: string, settings: Settings): Cell => ({
  ...POINT,
  part: 'durability',
  name,
  way: 'epoch',
  in_flight: settings.inFlight,
  answers: [],
});

/** A cluster for each mode. */
async function withModes(
  folder: string,
  work: (clusters: readonly Cluster[]) => Promise<void>,
  up: readonly Cluster[] = [],
): Promise<void> {
  const durability = MODES[up.length];
  if (durability === undefined) return work(up);
  const options = { durability, dataDir: join(folder, durability) };
  await withCluster(POINT.shards, {}, (cluster) => withModes(folder, work, [...up, cluster]), options);
}

export async function measureDurability(settings: Settings, progress: Progress): Promise<Row[]> {
  const cells = MODES.map((mode) => cellOf(mode, settings));
  const folder = mkdtempSync(join(settings.dir, 'claret-aloha-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const { sync_ms, in_memory } = measureDisk(folder);
  progress.say(
    in_memory
      ? `${settings.dir} is in memory, where sync costs nothing: --dir FOLDER names a disk`
      : `${settings.dir}: 4 KiB are written and synced in ${sync_ms.toFixed(2)} ms (median)`,
  );
  await withModes(folder, (clusters) =>
    withDrivers(clusters.length, (drivers) =>
      takeTurns(cells, {
        rounds: settings.rounds,
        progress,
        warms: true,
        measure: (cell, round) => {
          const at = cells.indexOf(cell);
          return drivers[at]!.ask(listsOf(cell, settings, clusters[at]!, round));
        },
      }),
    ),
  );
  return cells.map((cell) => rowOf(cell, cell === cells[0] ? undefined : cells[0]));
}
