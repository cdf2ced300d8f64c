// Natives: single operations outside any transaction, beside the same operations as transactions, and in Redis.
//
// Half of the operations add 1 to one of 10,000 counters, half read one. The driver is a separate process, which keeps 1, 64 or 1,024 of them in
// flight (a closed loop). CPU time is counted by the operating system for each process. Modes take turns, round after round, so that other work on
// the machine affects all modes alike; each figure is the median of the rounds. At the end the counters are compared with the acknowledged
// adds, so that wrong answers cannot count.

import { writeFileSync } from 'node:fs';
import { readFlags } from '../kit/arguments.ts';
import type { Span } from '../kit/closed-loop.ts';
import { DriverProcess } from '../kit/driver-process.ts';
import { table } from '../kit/table.ts';
import { withCluster } from '../kit/with-cluster.ts';
import { MODES, type Mode, type Question } from './natives/question.ts';
import { rowOf, type Row } from './natives/row.ts';
import { HOW_TO_INSTALL, redisVersion, withRedis, type RedisServer } from '../kit/redis-server.ts';

const IN_FLIGHT = [1, 64, 1024];
/** The least expected ratio of natives to others, by the number in flight. */
const GOALS: Readonly<Record<'transaction' | 'redis', Readonly<Record<number, number>>>> = {
  transaction: { 1: 1, 64: 2, 1024: 4 },
  redis: { 64: 2, 1024: 3 },
};

const options = readFlags(
  {
    json: { type: 'string' },
    seconds: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    'in-flight': { type: 'string', multiple: true, default: IN_FLIGHT.map(String) },
  },
  {},
);
const seconds = Number(options.seconds);
const rounds = Number(options.rounds);
const seed = Number(options.seed);

interface Cell {
  mode: Mode;
  inFlight: number;
  spans: Span[];
}

async function measure(redis: RedisServer | null): Promise<Row[]> {
  const modes = MODES.filter((mode) => mode !== 'redis' || redis !== null);
  const cells: Cell[] = options['in-flight'].map(Number).flatMap((inFlight) => modes.map((mode) => ({ mode, inFlight, spans: [] })));
  await withCluster(1, {}, async (cluster) => {
    const driver = new DriverProcess<Question, Span | null>(new URL('./natives/driver.ts', import.meta.url), []);
    const [{ grpc, pid }] = cluster.gateways as [(typeof cluster.gateways)[number]];
    const serverOf = (mode: Mode) => (mode === 'redis' ? { address: `127.0.0.1:${redis!.port}`, pid: redis!.pid } : { address: grpc, pid });
    try {
      for (let round = 0; round < rounds; round++) {
        for (const { mode, inFlight, spans } of cells) {
          spans.push((await driver.ask({ ...serverOf(mode), mode, seed, inFlight, seconds }))!);
        }
      }
      for (const mode of modes.filter((one) => one === 'native' || one === 'redis')) {
        await driver.ask({ ...serverOf(mode), mode, checks: true, seed, inFlight: 0, seconds: 0 });
      }
    } finally {
      await driver.close();
    }
  });
  return cells.map(({ mode, inFlight, spans }) => rowOf(mode, inFlight, spans));
}

function say(rows: readonly Row[]): void {
  console.log(`Operations per second; medians of ${rounds} rounds of ${seconds} s, seed ${seed}.\n`);
  const head = ['mode', 'in flight', 'operations/s', 'to transaction', 'gateway CPU µs/op', 'client CPU µs/op'];
  const lines = rows.map((row) => {
    const { ops_per_s } = rows.find(({ mode, in_flight }) => mode === 'transaction' && in_flight === row.in_flight)!;
    return [
      row.mode,
      String(row.in_flight),
      row.ops_per_s.toLocaleString('en'),
      `${(row.ops_per_s / ops_per_s).toFixed(2)} x`,
      row.gateway_us_per_op.toFixed(2),
      row.client_us_per_op.toFixed(2),
    ];
  });
  console.log(table(head, lines));
  console.log();
  for (const other of ['transaction', 'redis'] as const) {
    for (const inFlight of options['in-flight'].map(Number)) {
      const speedOf = (wanted: Mode) => rows.find(({ mode, in_flight }) => mode === wanted && in_flight === inFlight)?.ops_per_s;
      const [own, theirs] = [speedOf('native')!, speedOf(other)];
      if (theirs === undefined) continue;
      const goal = GOALS[other][inFlight];
      const verdict = goal === undefined ? '' : ` (goal: ${goal} x, ${own / theirs >= goal ? 'met' : 'missed'})`;
      console.log(`native to ${other} at ${inFlight.toLocaleString('en')} in flight: ${(own / theirs).toFixed(2)} x${verdict}`);
    }
  }
}

let rows: Row[] = [];
if (redisVersion() === null) {
  console.log(`Without Redis: ${HOW_TO_INSTALL}\n`);
  rows = await measure(null);
} else {
  await withRedis(async (redis) => void (rows = await measure(redis)));
}
say(rows);
if (options.json !== undefined) {
  writeFileSync(options.json, `${JSON.stringify(rows, null, 2)}\n`);
}
