// The data plane: unary calls, one operation per message, and batched frames; and what the end of a transaction costs.
//
// One operation is the same in every mode: a one-shot transaction of one operation, executed, committed and answered, on one
// gateway process over loopback.
//   unary    one gRPC call `Transact` per operation
//   message  the Session stream, one transaction per frame
//   batch    the Claret client, which packs the operations of one turn of the event loop into frames
// The driver is a separate process, which keeps 1, 64 or 1,024 operations in flight (a closed loop). CPU time is counted by the
// operating system for each process. Modes take turns, round after round, so that other work on the machine affects all modes
// alike; each figure is the median of the rounds. At the end the counters are compared with the acknowledged adds, so that wrong
// answers cannot count.
//
// The second section measures prepare, vote and outcome on a cluster of two shards that do not poll; report.ts derives their cost.

import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { MODES, type Gateways, type Mode, type Question } from './dataplane/question.ts';
import { SHAPES, endCost, modesTable, rowOf, shapesTable, type Row, type ShapeName } from './dataplane/report.ts';
import { SHARDS } from './dataplane/transactions.ts';
import type { Span } from '../kit/closed-loop.ts';
import { readFlags } from '../kit/arguments.ts';
import { DriverProcess } from '../kit/driver-process.ts';
import { withCluster } from '../kit/with-cluster.ts';

const IN_FLIGHT = [1, 64, 1024];
/** Transactions in flight for each shard in the second section: frames are equally full, whatever the shape. */
const REQUESTS_PER_SHARD = 256;
/** The differences are small, so the second section runs this many times the rounds, after a warm-up round. */
const SHAPE_ROUNDS = 3;
const GOAL_RATIO = 50;
const GOAL_OPERATIONS = 0.15 * 4;

const options = readFlags(
  {
    json: { type: 'string' },
    seconds: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    // how long the client polls after a frame, in microseconds
    poll: { type: 'string', default: '0' },
    // a folder for CPU profiles of the driver and the gateways
    profile: { type: 'string' },
    mode: { type: 'string', multiple: true, default: [...MODES] },
    'in-flight': { type: 'string', multiple: true, default: IN_FLIGHT.map(String) },
  },
  { mode: MODES },
);
const seconds = Number(options.seconds);
const rounds = Number(options.rounds);
const seed = Number(options.seed);
const profiling = options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(options.profile)}`];

type Driver = DriverProcess<Question, Span | null>;

async function withDriver(
  shards: number,
  env: Record<string, string>,
  work: (driver: Driver, gateways: Gateways) => Promise<void>,
): Promise<void> {
  const nodeOptions: Record<string, string> = profiling.length > 0 ? { NODE_OPTIONS: profiling.join(' ') } : {};
  await withCluster(shards, { ...env, ...nodeOptions }, async (cluster) => {
    const driver: Driver = new DriverProcess(new URL('./dataplane/driver.ts', import.meta.url), [], profiling);
    try {
      await work(driver, { addresses: cluster.gateways.map(({ grpc }) => grpc), pids: cluster.gateways.map(({ pid }) => pid) });
    } finally {
      await driver.close();
    }
  });
}

async function measureModes(driver: Driver, gateways: Gateways): Promise<Row[]> {
  const modes = MODES.filter((mode) => options.mode.includes(mode));
  const cells = options['in-flight'].map(Number).flatMap((inFlight) => modes.map((mode) => ({ mode, inFlight, spans: [] as Span[] })));
  for (let round = 0; round < rounds; round++) {
    for (const { mode, inFlight, spans } of cells) {
      const what = { mode, pollMicroseconds: Number(options.poll) };
      spans.push((await driver.ask({ gateways, what, seed, inFlight, seconds }))!);
    }
  }
  await driver.ask({ gateways, what: null, seed, inFlight: 0, seconds: 0 });
  return cells.map(({ mode, inFlight, spans }) => rowOf(mode, inFlight, spans));
}

async function measureShapes(driver: Driver, gateways: Gateways) {
  const costs: Record<ShapeName, [number, number][]> = { nothing: [], four: [], sixteen: [], fourOnTwo: [], sixteenOnTwo: [] };
  for (let round = 0; round <= SHAPE_ROUNDS * rounds; round++) {
    for (const [name, shape] of Object.entries(SHAPES)) {
      const inFlight = (REQUESTS_PER_SHARD * gateways.pids.length) / shape.participants;
      const span = (await driver.ask({ gateways, what: { shape }, seed, inFlight, seconds }))!;
      // A transaction that sends nothing costs the gateways nothing; the CPU time counted then is their idle time.
      const gatewayUs = shape.operations === 0 ? 0 : span.server_cpu_us / span.count;
      if (round > 0) costs[name as ShapeName].push([span.client_cpu_us / span.count, gatewayUs]);
    }
  }
  return costs;
}

function saySpeed(rows: Row[]): void {
  console.log(
    `Operations per second, each a transaction of its own; medians of ${rounds} rounds of ${seconds} s, seed ${seed}, client polls ${options.poll} µs.\n`,
  );
  console.log(modesTable(rows));
  const most = Math.max(...rows.map(({ in_flight }) => in_flight));
  const at = (mode: Mode) => rows.find((row) => row.mode === mode && row.in_flight === most)?.ops_per_s;
  const [unary, batch] = [at('unary'), at('batch')];
  if (unary === undefined || batch === undefined) return;
  const ratio = batch / unary;
  console.log(
    `\nbatch to unary at ${most.toLocaleString('en')} in flight: ${ratio.toFixed(1)} x (goal: ${GOAL_RATIO} x, ${ratio >= GOAL_RATIO ? 'met' : 'missed'})`,
  );
}

function sayEnd(costs: Parameters<typeof endCost>[0]): void {
  const { operation_us, held_operation_us, end_us, end_operations } = endCost(costs);
  console.log(`\nWhat a transaction costs, with ${REQUESTS_PER_SHARD} requests under way for each of two shards:\n`);
  console.log(shapesTable(costs));
  console.log(`
one operation, executed and committed at once: (C(16, one shard) - C(4, one shard)) / 12 = ${operation_us.toFixed(2)} µs
one operation, held until the outcome: (C(16, two shards) - C(4, two shards)) / 12 = ${held_operation_us.toFixed(2)} µs
prepare, vote and outcome on two shards, F being C without its operations:
  F(two shards) - 2 F(one shard) + C(nothing) = ${end_us.toFixed(2)} µs
  that is ${end_operations.toFixed(2)} operations (goal: ${GOAL_OPERATIONS.toFixed(2)}, ${end_operations <= 0 ? 'no answer: the rounds were too short' : end_operations <= GOAL_OPERATIONS ? 'met' : 'missed'})`);
}

if (options.profile !== undefined) mkdirSync(options.profile, { recursive: true });
await withDriver(1, {}, async (driver, gateways) => {
  const rows = await measureModes(driver, gateways);
  saySpeed(rows);
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(rows, null, 2)}\n`);
});
if (options.profile === undefined) {
  await withDriver(SHARDS, { CLARET_POLL_MICROSECONDS: '0' }, async (driver, gateways) => sayEnd(await measureShapes(driver, gateways)));
}
