// Measures a plan's blocks: for each a cluster, its drivers, its data, then its cells. Each cell's row is written as soon as it is
// measured. Throws `Mismatch` if a check after a cell finds an inadmissible mismatch.

import type { Cluster } from '../../../scripts/cluster.js';
import { setConditions, withCluster } from '../../kit/with-cluster.ts';
import { conditionNamed } from '../../kit/conditions.ts';
import { Drivers } from './drivers.ts';
import { judged } from './mismatch.ts';
import { WARM_SHARE, type Pace, type Work } from './pace.ts';
import { cellsIn, type Block, type Group } from './plan.ts';
import { duration, type Progress } from '../../kit/progress.ts';
import type { CellName, CellRow, Row } from './raw.ts';
import type { Settings } from './settings.ts';

const WARM_UP_SECONDS = 1;
/** Conflicts are recorded for the cells of the paper's figure 9. */
const CONFLICTS = { workload: 'rubis', point: 'bid-heavy', clients: 256 };

export interface Dependencies {
  settings: Settings;
  pace: Pace;
  progress: Progress;
  /** stores a measurement */
  keep(row: Row): void;
}

/** Drivers and gateways use the same polling time. */
export const gatewayEnv = (settings: Settings): Record<string, string> => ({
  CLARET_POLL_MICROSECONDS: String(settings.poll),
  ...(settings.profile !== null && { NODE_OPTIONS: profiling(settings).join(' ') }),
});

/** Options for Node. */
const profiling = ({ profile }: Settings): string[] => (profile === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]);

export async function measure(blocks: readonly Block[], dependencies: Dependencies): Promise<void> {
  for (const [index, block] of blocks.entries()) {
    const later = blocks.slice(index + 1);
    const begun = seconds();
    let inCells = 0;
    await withCluster(dependencies.settings.shards, gatewayEnv(dependencies.settings), async (cluster) => {
      inCells = await measureBlock(block, later, cluster, dependencies);
    });
    dependencies.pace.blockTook(seconds() - begun - inCells);
  }
}

/** Returns how many seconds its cells took. */
async function measureBlock(block: Block, later: readonly Block[], cluster: Cluster, dependencies: Dependencies): Promise<number> {
  const { settings, pace } = dependencies;
  let inCells = 0;
  const drivers = new Drivers(settings.drivers, profiling(settings));
  try {
    await load(block, cluster, drivers, dependencies);
    await warmUp(block, cluster, drivers, dependencies);
    let cells = cellsIn([block]);
    for (const group of block.groups) {
      const left = () => ({ cells: cells + cellsIn(later), blocks: later.length });
      const span = pace.span(seconds(), left());
      for (const condition of group.conditions) {
        show(block, group, condition, left(), dependencies);
        const cellBegun = seconds();
        const row = await measureCell(cellName(block, group, condition), span, cluster, drivers, dependencies);
        dependencies.keep(row);
        const took = seconds() - cellBegun;
        pace.cellTook(took, span);
        inCells += took;
        cells--;
      }
    }
    if (block.round === settings.rounds - 1) await keepDistributions(block, drivers, dependencies);
    return inCells;
  } finally {
    await drivers.close();
  }
}

const seconds = () => performance.now() / 1000;

const cellName = ({ point, round }: Block, { sending, clients }: Group, condition: string): CellName => ({
  workload: point.workload,
  point: point.name,
  sending,
  clients,
  condition,
  round,
});

async function load({ point, round }: Block, cluster: Cluster, drivers: Drivers, { settings, progress }: Dependencies): Promise<void> {
  await drivers.load(
    {
      addresses: cluster.gateways.map(({ grpc }) => grpc),
      point,
      seed: settings.seed + round,
      retwis_scale: settings.retwisScale,
      rubis_items: settings.rubisItems,
    },
    ({ done, total }) =>
      progress.show(`${point.workload} ${point.name}: loaded ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`),
  );
}

function show(
  { point, round }: Block,
  { sending, clients }: Group,
  condition: string,
  left: Work,
  { settings, pace, progress }: Dependencies,
): void {
  const where = `${point.workload} ${point.name}, ${sending}, ${clients} clients, ${condition}, round ${round + 1} of ${settings.rounds}`;
  progress.show(`${duration(pace.left(seconds(), left))} left, ${left.cells.toLocaleString('en')} cells: ${where}`);
}

/**
 * A driver and a gateway are slow until what they run is compiled: their first cells are discarded, one for each way in which conditions run
 * transactions. The crowd is as large as it gets, since a small one does not make sessions forecast.
 */
async function warmUp(block: Block, cluster: Cluster, drivers: Drivers, dependencies: Dependencies): Promise<void> {
  const span = Math.min(WARM_UP_SECONDS, dependencies.settings.seconds ?? WARM_UP_SECONDS);
  const clients = Math.max(...block.groups.map((group) => group.clients));
  const conditions = [...new Set(block.groups.flatMap((group) => group.conditions))];
  for (const sending of new Set(block.groups.map((group) => group.sending))) {
    for (const condition of new Map(conditions.map((name) => [wayOf(name), name])).values()) {
      await measureCell(cellName(block, { sending, clients, conditions }, condition), span, cluster, drivers, dependencies);
    }
  }
}

function wayOf(condition: string): string {
  const { asNatives, combining, warranties = 'off' } = conditionNamed(condition);
  return asNatives ? 'none' : warranties !== 'off' ? 'warranties' : combining === 'off' ? 'locks' : 'chains';
}

async function measureCell(name: CellName, span: number, cluster: Cluster, drivers: Drivers, { settings }: Dependencies): Promise<CellRow> {
  const { condition, sending, clients } = name;
  await setConditions(cluster, conditionNamed(condition));
  const { mismatches, ...measured } = await drivers.cell({
    rests: cluster.gateways.map(({ rest }) => rest),
    gateway_pids: cluster.gateways.map(({ pid }) => pid),
    condition,
    sending,
    deferral: settings.deferral,
    clients,
    warm_seconds: span * WARM_SHARE,
    seconds: span,
    poll_us: settings.poll,
    conflicts: name.workload === CONFLICTS.workload && name.point === CONFLICTS.point && clients === CONFLICTS.clients,
  });
  const { shards, drivers: count, seed } = settings;
  return judged({ kind: 'cell', ...name, shards, ...(count > 1 && { drivers: count }), seed, ...measured }, mismatches);
}

async function keepDistributions({ point }: Block, drivers: Drivers, { keep }: Dependencies): Promise<void> {
  if (point.workload !== 'retwis' || point.name !== 'post-heavy') return;
  const told = await drivers.distributions();
  for (const name of ['followers', 'reposts'] as const) keep({ kind: 'distribution', name, counts: told[name] ?? [] });
}
