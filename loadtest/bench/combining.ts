// Combining: its gain on a hot record, and its cost without anything to combine.
//
// One gateway process, and one client in this process that runs interactive transactions in a closed loop over loopback.
//
//   hot     every transaction reads the size of one set
//   mixed   the same, and one in ten adds a member
//   cold    every transaction reads two of 10,000 sets
//
// `off`, `auto` and `on` take turns, round after round; a figure is the median of the rounds.

import { connect, type Claret, type Tx } from '@claret/client';
import { randomFrom } from '../kit/random.ts';
import { readFlags } from '../kit/arguments.ts';
import { cpuUsOf, ownCpuUs } from '../kit/cpu.ts';
import { median } from '../kit/statistics.ts';
import { table } from '../kit/table.ts';
import { withCluster } from '../kit/with-cluster.ts';

const options = readFlags({
  rounds: { type: 'string', default: '5' },
  seconds: { type: 'string', default: '1' },
  clients: { type: 'string', default: '64' },
});

const WARM_SHARE = 0.4;
const COLD_KEYS = 10_000;
const MODES = ['off', 'auto', 'on'] as const;
const chance = randomFrom(1);
const below = (bound: number): number => Math.floor(chance() * bound);

const bodies = {
  hot: (tx: Tx) => tx.set('combining:hot').size(),
  mixed(tx: Tx) {
    const size = tx.set('combining:hot').size();
    if (below(10) === 0) tx.set('combining:hot').add(`m${below(1000)}`);
    return size;
  },
  async cold(tx: Tx) {
    const key = () => `combining:${below(COLD_KEYS)}`;
    return ((await tx.set(key()).size()) as number) + Number(await tx.set(key()).contains('m'));
  },
};
type Workload = keyof typeof bodies;

interface Answer {
  txn_per_s: number;
  sent_per_txn: number;
  bytes_per_txn: number;
  client_us: number;
  gateway_us: number;
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function run(claret: Claret, gatewayPid: number, workload: Workload): Promise<Answer> {
  let running = true;
  let done = 0;
  const body = bodies[workload];
  const loop = async () => {
    while (running) {
      await claret.transaction('Bench', async (tx) => await body(tx));
      done++;
    }
  };
  const loops = Array.from({ length: Number(options.clients) }, loop);
  const wall_ms = Number(options.seconds) * 1000;
  await pause(wall_ms * WARM_SHARE);
  const sample = () => ({ ...claret.counters, done, atMs: performance.now(), ownUs: ownCpuUs(), gatewayUs: cpuUsOf(gatewayPid) });
  const before = sample();
  await pause(wall_ms);
  const after = sample();
  running = false;
  await Promise.all(loops);
  const count = after.done - before.done;
  const per = (figure: (at: typeof before) => number) => (figure(after) - figure(before)) / count;
  return {
    txn_per_s: (count / (after.atMs - before.atMs)) * 1000,
    sent_per_txn: per(({ operations, neverSent }) => operations - neverSent),
    bytes_per_txn: per(({ bytes, bytesIn }) => bytes + bytesIn),
    client_us: per(({ ownUs }) => ownUs),
    gateway_us: per(({ gatewayUs }) => gatewayUs),
  };
}

await withCluster(1, {}, async ({ gateways: [gateway] }) => {
  const clients = await Promise.all(MODES.map((combining) => connect({ addresses: [gateway!.grpc], name: 'bench', combining })));
  const rows: string[][] = [];
  for (const workload of Object.keys(bodies) as Workload[]) {
    const answers = MODES.map((): Answer[] => []);
    for (let round = 0; round < Number(options.rounds); round++) {
      for (const [i, claret] of clients.entries()) answers[i]!.push(await run(claret, gateway!.pid, workload));
    }
    MODES.forEach((mode, i) => {
      const middle = (figure: keyof Answer) => median(answers[i]!.map((answer) => answer[figure]));
      rows.push([
        `${workload}, ${mode}`,
        Math.round(middle('txn_per_s')).toLocaleString('en'),
        middle('sent_per_txn').toFixed(3),
        middle('bytes_per_txn').toFixed(1),
        middle('client_us').toFixed(2),
        middle('gateway_us').toFixed(2),
      ]);
    });
  }
  console.log(table(['workload, combining', 'txn/s', 'operations sent/txn', 'bytes/txn', 'client CPU µs/txn', 'gateway CPU µs/txn'], rows));
  await Promise.all(clients.map((claret) => claret.close()));
});
