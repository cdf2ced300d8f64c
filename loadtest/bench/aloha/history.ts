// The part `history`: what it costs to keep the past (`pastMs`): lists of writes in epochs, and interactive transactions, on gateways that keep it and on
// others that do not. Both are up at once.

import type { Progress } from '../../kit/progress.ts';
import { withCluster } from '../../kit/with-cluster.ts';
import { INTERACTIVE, interactiveOf } from './beside.ts';
import { POINT, rowOf, type Cell, type Row } from './row.ts';
import type { Settings } from './settings.ts';
import { listsOf, takeTurns, withDrivers } from './turns.ts';

const PAST_MS = 10_000;
const KEEPING = ['no past', `a past of ${PAST_MS / 1_000} s`] as const;

function cellsOf(settings: Settings): Cell[] {
  const lists: Omit<Cell, 'name' | 'answers'> = { ...POINT, part: 'history', way: 'epoch', in_flight: settings.inFlight, read_share: 0 };
  const interactive: typeof lists = { ...lists, ...INTERACTIVE, way: 'locks' };
  return [lists, interactive].flatMap((point) => KEEPING.map((name): Cell => ({ ...point, name, answers: [] })));
}

export async function measureHistory(settings: Settings, progress: Progress): Promise<Row[]> {
  const cells = cellsOf(settings);
  await withCluster(POINT.shards, {}, (without) =>
    withCluster(POINT.shards, { CLARET_PAST_MS: String(PAST_MS) }, (keeping) =>
      withDrivers(KEEPING.length, (drivers) =>
        takeTurns(cells, {
          rounds: settings.rounds,
          progress,
          warms: true,
          measure: (cell, round) => {
            const at = KEEPING.indexOf(cell.name as (typeof KEEPING)[number]);
            const ask = cell.way === 'epoch' ? listsOf : interactiveOf;
            return drivers[at]!.ask(ask(cell, settings, [without, keeping][at]!, round));
          },
        }),
      ),
    ),
  );
  const baselineOf = ({ name, way }: Cell) =>
    name === KEEPING[0] ? undefined : cells.find((other) => other.name === KEEPING[0] && other.way === way);
  return cells.map((cell) => rowOf(cell, baselineOf(cell)));
}
