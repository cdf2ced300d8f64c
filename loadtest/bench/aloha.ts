// Lists of blind writes and of reads, as ALOHA-KV runs them (its figures 3 to 7): in epochs, by locks, and without any transactions.
//
// Registers of 8 bytes, uniformly drawn from --keys, on two gateway processes that keep nothing, and a driver process over loopback, which keeps
// --in-flight lists in flight. The ways take turns, round after round; each figure is the median of the rounds. `none` is the baseline: the same
// lists under the condition `locks: none`. At the end of each cell each record holds the write with the greatest commit timestamp.
//
//   size        lists of --size operations, half of them reads
//   share       from no reads to nothing but reads, lists of 1,000
//   contention  each list of 10 has one of 100,000 to one hot record
//   length      epochs of fixed lengths, lists of 1,000

import { writeFileSync } from 'node:fs';
import { readFlags } from '../kit/arguments.ts';
import { DriverProcess } from '../kit/driver-process.ts';
import { median } from '../kit/statistics.ts';
import { table } from '../kit/table.ts';
import { setConditions, withCluster } from '../kit/with-cluster.ts';
import type { Answer, Question, Way } from './aloha/question.ts';

const PARTS = ['size', 'share', 'contention', 'length'] as const;
const WAYS: Way[] = ['epoch', 'locks', 'none'];

const options = readFlags(
  {
    json: { type: 'string' },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    keys: { type: 'string', default: '100000' },
    'in-flight': { type: 'string', default: '64' },
    part: { type: 'string', multiple: true, default: [...PARTS] },
    way: { type: 'string', multiple: true, default: [...WAYS] },
    size: { type: 'string', multiple: true, default: ['10', '100', '1000', '4000'] },
    'read-share': { type: 'string', multiple: true, default: ['0', '0.25', '0.5', '0.75', '1'] },
    'hot-keys': { type: 'string', multiple: true, default: ['100000', '1000', '100', '10', '1'] },
    'epoch-ms': { type: 'string', multiple: true, default: ['1', '5', '10', '20', '50', '100', '0'] },
  },
  { part: PARTS, way: WAYS },
);

interface Cell {
  part: (typeof PARTS)[number];
  /** what differs within the part */
  name: string;
  way: Way;
  size: number;
  read_share: number;
  in_flight: number;
  hot_keys: number;
  epoch_ms: number;
  answers: Answer[];
}

function cellsOf(part: Cell['part']): Cell[] {
  const common = { part, in_flight: Number(options['in-flight']), hot_keys: 0, epoch_ms: 0, read_share: 0.5, size: 1_000 };
  const points: Omit<Cell, 'way' | 'answers'>[] = {
    size: () => options.size.map((size) => ({ ...common, name: size, size: Number(size) })),
    share: () => options['read-share'].map((share) => ({ ...common, name: share, read_share: Number(share) })),
    contention: () => options['hot-keys'].map((hot) => ({ ...common, name: hot, size: 10, hot_keys: Number(hot) })),
    length: () => options['epoch-ms'].map((ms) => ({ ...common, name: ms === '0' ? 'auto' : ms, epoch_ms: Number(ms) })),
  }[part]();
  const ways = part === 'length' ? (['epoch', 'none'] as const) : (options.way as Way[]);
  return points.flatMap((point) => ways.map((way): Cell => ({ ...point, way, answers: [] })));
}

const of = (cell: Cell, figure: (answer: Answer) => number) => median(cell.answers.map(figure));

async function measure(cells: readonly Cell[]): Promise<void> {
  await withCluster(2, {}, async (cluster) => {
    const driver = new DriverProcess<Question, Answer>(new URL('./aloha/driver.ts', import.meta.url), []);
    try {
      for (let round = 0; round < Number(options.rounds); round++) {
        for (const { way, size, read_share, in_flight, hot_keys, epoch_ms, answers } of cells) {
          const locks = way === 'none' ? 'none' : 'abstract';
          await setConditions(cluster, { locks, phasing: true, combining: 'auto', epochs: 'auto', epoch_ms });
          answers.push(
            await driver.ask({
              addresses: cluster.gateways.map(({ grpc }) => grpc),
              way,
              size,
              readShare: read_share,
              inFlight: in_flight,
              keys: Number(options.keys),
              hotKeys: hot_keys,
              seed: Number(options.seed) + round,
              seconds: Number(options.seconds),
            }),
          );
        }
      }
    } finally {
      await driver.close();
    }
  });
}

function say(part: Cell['part'], cells: readonly Cell[]): void {
  const baseline = (cell: Cell) => cells.find(({ name, way }) => name === cell.name && way === 'none');
  console.log(`\n${part}\n`);
  console.log(
    table(
      [part, 'way', 'lists/s', 'of the baseline', 'p50 ms', 'p99 ms', 'retries', 'in epochs'],
      cells.map((cell) => {
        const none = baseline(cell);
        const rate = of(cell, ({ txn_per_s }) => txn_per_s);
        return [
          cell.name,
          cell.way,
          Math.round(rate).toLocaleString('en'),
          none === undefined ? '' : (rate / of(none, ({ txn_per_s }) => txn_per_s)).toFixed(3),
          of(cell, ({ p50_ms }) => p50_ms).toFixed(1),
          of(cell, ({ p99_ms }) => p99_ms).toFixed(1),
          of(cell, ({ retries_per_commit }) => retries_per_commit).toFixed(2),
          of(cell, ({ epoch_share }) => epoch_share).toFixed(2),
        ];
      }),
    ),
  );
}

const rows = [];
for (const part of options.part as Cell['part'][]) {
  const cells = cellsOf(part);
  await measure(cells);
  say(part, cells);
  for (const cell of cells) {
    const { answers: _, name: __, ...row } = cell;
    rows.push({
      ...row,
      txn_per_s: of(cell, ({ txn_per_s }) => txn_per_s),
      p50_ms: of(cell, ({ p50_ms }) => p50_ms),
      p99_ms: of(cell, ({ p99_ms }) => p99_ms),
    });
  }
}
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(rows, null, 2)}\n`);
