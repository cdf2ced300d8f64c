// The part `beside`: interactive transactions alone, and beside lists of other records that are a fifth of all operations, in epochs and by locks.

import type { Progress } from '../../kit/progress.ts';
import { withCluster } from '../../kit/with-cluster.ts';
import type { Cluster } from '../../../scripts/cluster.js';
import type { Answer, InteractiveQuestion, Way } from './question.ts';
import { POINT, rowOf, type Cell, type Point, type Row } from './row.ts';
import type { Settings } from './settings.ts';
import { listsOf, takeTurns, withDrivers, type Driver } from './turns.ts';

/** Interactive transactions, as rawmix has them: half of the operations add. */
export const INTERACTIVE = { size: 4, read_share: 0.5 };
const COUNTERS = 10_000;
const LIST_SIZE = 100;
/** The share of operations that lists have. */
const LISTS_SHARE = 0.2;

export function interactiveOf(point: Point, settings: Settings, { gateways }: Cluster, round: number): InteractiveQuestion {
  return {
    load: 'interactive',
    addresses: gateways.map(({ grpc }) => grpc),
    pids: gateways.map(({ pid }) => pid),
    inFlight: point.in_flight,
    arrivalsPerSecond: 0,
    size: point.size,
    readShare: point.read_share,
    keys: COUNTERS,
    seed: settings.seed + round,
    seconds: settings.seconds,
  };
}

const cellOf = (name: string, settings: Settings): Cell => ({
  ...POINT,
  ...INTERACTIVE,
  part: 'beside',
  name,
  way: 'locks',
  in_flight: settings.inFlight,
  answers: [],
});

/** Lists in a second that are their share of the operations beside so many interactive transactions. */
export const listsPerSecond = (transactions: number): number =>
  Math.max(1, Math.round((transactions * INTERACTIVE.size * LISTS_SHARE) / (1 - LISTS_SHARE) / LIST_SIZE));

class Beside {
  readonly #cluster: Cluster;
  readonly #settings: Settings;
  readonly #interactive: Driver;
  readonly #lists: Driver;

  constructor(cluster: Cluster, settings: Settings, [interactive, lists]: readonly Driver[]) {
    this.#cluster = cluster;
    this.#settings = settings;
    this.#interactive = interactive!;
    this.#lists = lists!;
  }

  alone(cell: Cell, round: number): Promise<Answer> {
    return this.#interactive.ask(interactiveOf(cell, this.#settings, this.#cluster, round));
  }

  async beside(cell: Cell, lists: Cell, round: number): Promise<Answer> {
    const [answer, besides] = await Promise.all([
      this.#interactive.ask({ ...interactiveOf(cell, this.#settings, this.#cluster, round), pids: [] }),
      this.#lists.ask({ ...listsOf(lists, this.#settings, this.#cluster, round), pids: [] }),
    ]);
    lists.answers.push(besides);
    return answer;
  }
}

export async function measureBeside(settings: Settings, progress: Progress): Promise<Row[]> {
  const alone = cellOf('alone', settings);
  const ways: readonly Way[] = ['epoch', 'locks'];
  const cells = ways.map((way) => cellOf(way === 'epoch' ? 'beside epochs' : 'beside lists by locks', settings));
  const lists = ways.map((way, i): Cell => ({ ...cellOf(`the lists of "${cells[i]!.name}"`, settings), way, size: LIST_SIZE }));
  await withCluster(POINT.shards, {}, (cluster) =>
    withDrivers(2, async (drivers) => {
      const beside = new Beside(cluster, settings, drivers);
      progress.show('beside: warm-up');
      // Compilers settle within the first. The second tells how many lists are a fifth.
      await beside.alone(alone, 0);
      const { txn_per_s } = await beside.alone(alone, 0);
      for (const cell of lists) cell.arrivals_per_s = listsPerSecond(txn_per_s);
      await takeTurns([alone, ...cells], {
        rounds: settings.rounds,
        progress,
        measure: (cell, round) => (cell === alone ? beside.alone(cell, round) : beside.beside(cell, lists[cells.indexOf(cell)]!, round)),
      });
    }),
  );
  return [rowOf(alone, undefined), ...cells.map((cell) => rowOf(cell, alone)), ...lists.map((cell) => rowOf(cell, undefined))];
}
