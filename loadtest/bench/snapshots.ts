// Snapshots: what a reader that scans many records costs those who write them, and what it waits itself, by its isolation.
//
// Two gateway processes, a process that writes and one that scans, over loopback. Each transaction of the writers adds to one record and takes from
// another; each scan reads all records in one transaction, and its sum has to be 0. A scan takes CPU time from the writers, whatever it reads. So
// the writers beside a scan are compared with the same writers beside a scan of as many other records, which takes the same time. Cells take turns, round after round; a figure is the median of the rounds.
// After them the sum of all records has to be 0, or the run ends with code 1.

import { writeFileSync } from 'node:fs';
import { readFlags } from '../kit/arguments.ts';
import { DriverProcess } from '../kit/driver-process.ts';
import { median } from '../kit/statistics.ts';
import { table } from '../kit/table.ts';
import { withCluster } from '../kit/with-cluster.ts';
import type { Answer, Question, Reading } from './snapshots/question.ts';

const SHARDS = 2;
const WRITTEN = 'written:';
const OTHERS = 'others:';
/** Goals: of the writers' rate beside a scan of other records, and of a scan's own waiting, in ms. */
const RATE_LEAST = 0.95;
const WAITED_MS_MOST = 1;

const options = readFlags({
  json: { type: 'string' },
  rounds: { type: 'string', default: '5' },
  seconds: { type: 'string', default: '2' },
  seed: { type: 'string', default: '1' },
  records: { type: 'string', default: '10000' },
  'in-flight': { type: 'string', default: '16' },
  // from the begin of a scan to the begin of the next
  'every-ms': { type: 'string', default: '500' },
});
const [rounds, seconds, seed, records, inFlight, everyMs] = [
  options.rounds,
  options.seconds,
  options.seed,
  options.records,
  options['in-flight'],
  options['every-ms'],
].map(Number) as [number, number, number, number, number, number];

interface Cell {
  reading: Reading;
  /** the records that are scanned */
  prefix: string;
  answers: Answer[];
}

const cells: Cell[] = [
  { reading: 'nobody', prefix: WRITTEN, answers: [] },
  { reading: 'snapshot', prefix: OTHERS, answers: [] },
  { reading: 'snapshot', prefix: WRITTEN, answers: [] },
  { reading: 'serializable', prefix: OTHERS, answers: [] },
  { reading: 'serializable', prefix: WRITTEN, answers: [] },
];

type Driver = DriverProcess<Question, Answer>;

async function measure(addresses: string[], writer: Driver, reader: Driver): Promise<number> {
  const about = { addresses, seconds, records };
  // In the first round, which is discarded, compilers settle.
  for (let round = -1; round < rounds; round++) {
    for (const { reading, prefix, answers } of cells) {
      const writes = writer.ask({ ...about, role: 'write', prefix: WRITTEN, inFlight, seed: seed + round });
      const scans = reading === 'nobody' ? {} : reader.ask({ ...about, role: 'read', prefix, isolation: reading, everyMs });
      const [writing, scanning] = await Promise.all([writes, scans]);
      if (round >= 0) answers.push({ ...writing, ...scanning });
    }
  }
  const { sum } = await reader.ask({ ...about, role: 'sum', prefix: WRITTEN });
  return sum!;
}

function rowOf({ reading, prefix, answers }: Cell) {
  const middle = (figure: (answer: Answer) => number | undefined): number => median(answers.map((answer) => figure(answer) ?? 0));
  return {
    reader: reading,
    reads: reading === 'nobody' ? '' : prefix === WRITTEN ? 'what is written' : 'other records',
    writes_per_s: Math.round(middle(({ writing }) => writing!.txn_per_s)),
    write_waited_ms: middle(({ writing }) => writing!.waited_ms),
    scans: middle(({ scanning }) => scanning?.scans),
    scan_ms: middle(({ scanning }) => scanning?.scan_ms),
    scan_waited_ms: middle(({ scanning }) => scanning?.waited_ms),
    retries: middle(({ scanning }) => scanning?.retries),
    moved: middle(({ scanning }) => scanning?.moved),
  };
}

let sum = 0;
await withCluster(SHARDS, {}, async (cluster) => {
  const drivers = [0, 1].map(() => new DriverProcess<Question, Answer>(new URL('./snapshots/driver.ts', import.meta.url), []));
  try {
    sum = await measure(
      cluster.gateways.map(({ grpc }) => grpc),
      drivers[0]!,
      drivers[1]!,
    );
  } finally {
    await Promise.all(drivers.map((driver) => driver.close()));
  }
});

const rows = cells.map(rowOf);
const digits = (value: number, most: number) => value.toFixed(most);
console.log(
  `A scan of ${records.toLocaleString('en')} records every ${everyMs} ms beside ${inFlight} writers; medians of ${rounds} rounds of ${seconds} s, seed ${seed}.\n`,
);
console.log(
  table(
    ['reader', 'reads', 'writes/s', 'a write waited ms', 'scans', 'scan ms', 'a scan waited ms', 'ran again', 'moved'],
    rows.map((row) => [
      row.reader,
      row.reads,
      row.writes_per_s.toLocaleString('en'),
      digits(row.write_waited_ms, 3),
      String(row.scans),
      digits(row.scan_ms, 1),
      digits(row.scan_waited_ms, 2),
      String(row.retries),
      String(row.moved),
    ]),
  ),
);
const [, others, snapshot] = rows as [(typeof rows)[0], (typeof rows)[0], (typeof rows)[0]];
const rate = snapshot.writes_per_s / others.writes_per_s;
const met = (is: boolean) => (is ? 'met' : 'missed');
console.log(
  `\nwriters beside a snapshot of what they write, to those beside one of other records: ${digits(rate, 2)} (goal: ${RATE_LEAST}, ${met(rate >= RATE_LEAST)})`,
);
console.log(
  `a snapshot's own waiting: ${digits(snapshot.scan_waited_ms, 2)} ms a scan (goal: ${WAITED_MS_MOST}, ${met(snapshot.scan_waited_ms <= WAITED_MS_MOST)})`,
);
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(rows, null, 2)}\n`);
if (sum !== 0) {
  console.error(`the sum of all records is ${sum}`);
  process.exitCode = 1;
}
