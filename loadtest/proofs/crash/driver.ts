// A driver: a process that runs one workload on demand, and reports everything as it happens (ledger.ts). Orders are JSON lines on
// standard input: { go: Round } begins, { rest: number } finishes the transactions in flight. It ends when its standard input does.
// CLARET_TOKEN in the environment: the cluster's token, if it has one.
//
//   node driver.ts WORKLOAD --seed N --gateways A,B --rest URL,URL --doors A,B [--app-servers URL,URL] [--people JSON]

import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { ClaretError, type HistoryAttempt } from '@claret/client';
import { connectForTests, type TestConnectOptions } from '@claret/client/testing';
import { Chance } from '../../kit/random.ts';
import { machineClockNs, onClock } from '../history/file.ts';
import { Deliberate } from '../workloads/workload.ts';
import { tell } from './ledger.ts';
import { TRANSACTION_TIMEOUT_MS, type Begin, type Round, type Running, type Visitor } from './workload.ts';
import { crowds } from './workloads/crowds.ts';
import { lists } from './workloads/lists.ts';
import { natives } from './workloads/natives.ts';
import { ownTypes } from './workloads/own-types.ts';
import { past } from './workloads/past.ts';
import { redis } from './workloads/redis.ts';
import { rawmix } from './workloads/rawmix.ts';
import { rubis } from './workloads/rubis.ts';
import { siteBids } from './workloads/site-bids.ts';
import { warranted } from './workloads/warranted.ts';

const WORKLOADS: Record<string, Begin> = {
  crowds,
  lists,
  natives,
  'own-types': ownTypes,
  past,
  rawmix,
  redis,
  rubis,
  'site-bids': siteBids,
  warranted,
};
/** Number of concurrent transactions. */
const LOOPS = 6;
/** Mean pause of each loop between two transactions. */
const THINK_MS = 8;
/** The same after a transaction that would be refused again at once. */
const REFUSED_MS = 150;

type Order = { go: Round } | { rest: number };

class Driver {
  readonly #running: Running;
  readonly #chance: Chance;
  #round: Round | null = null;
  #left = 0;
  #loops: Promise<unknown> = Promise.resolve();

  constructor(running: Running, chance: Chance) {
    this.#running = running;
    this.#chance = chance;
  }

  obey(order: Order): void {
    if ('go' in order) {
      this.#round = order.go;
      this.#left = order.go.transactions;
      this.#loops = Promise.all(Array.from({ length: LOOPS }, () => this.#work(order.go)));
    } else {
      this.#round = null;
      void this.#loops.then(() => tell({ resting: order.rest }));
    }
  }

  async #work(round: Round): Promise<void> {
    while (this.#round === round && this.#left-- > 0) {
      let pauseMs = THINK_MS;
      try {
        await this.#running.run(round);
      } catch (error) {
        if (error instanceof ClaretError && error.code === 'clock_skew') pauseMs = REFUSED_MS;
        if (!(error instanceof ClaretError || error instanceof Deliberate))
          tell({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      }
      await new Promise((resolve) => setTimeout(resolve, this.#chance.waiting(pauseMs)));
    }
  }
}

async function main(): Promise<void> {
  const text = { type: 'string', default: '' } as const;
  const {
    values,
    positionals: [workload = ''],
  } = parseArgs({
    allowPositionals: true,
    options: { seed: text, gateways: text, rest: text, doors: text, 'app-servers': text, people: { type: 'string', default: '[]' } },
  });
  const chance = new Chance(Number(values.seed));
  const token = process.env['CLARET_TOKEN'] ?? '';
  const clockNs = machineClockNs();
  const line = (open: boolean) => (attempt: HistoryAttempt) => tell({ open, attempt: onClock(attempt, clockNs) });
  const client = (number: number, recorded: Partial<TestConnectOptions>) =>
    connectForTests({
      addresses: values.gateways.split(','),
      token,
      name: `${workload}-${process.pid}-${number}`,
      timeoutMs: TRANSACTION_TIMEOUT_MS,
      connectTimeoutMs: 60_000,
      ...recorded,
    });
  const recorded = { history: line(false), beforeCommit: line(true) };
  const [unrecorded, crowd, relying, ...clients] = await Promise.all([
    client(0, {}),
    client(3, { combining: 'always' }),
    client(4, { ...recorded, combining: 'off' }),
    client(1, { ...recorded, combining: 'always' }),
    client(2, recorded),
  ]);
  const endpoints = { clients, rest: values.rest.split(','), token };
  const begin = WORKLOADS[workload];
  if (begin === undefined) throw new Error(`there is no workload ${workload}`);
  const people = JSON.parse(values.people) as Visitor[];
  const [appServers, doors] = [values['app-servers'].split(','), values.doors.split(',')];
  const dependencies = { claret: clients[0]!, relying, unrecorded, crowd, endpoints, chance: chance.fork(), appServers, doors, people };
  const driver = new Driver(begin(dependencies), chance);
  const orders = createInterface({ input: process.stdin });
  orders.on('line', (order) => driver.obey(JSON.parse(order) as Order));
  orders.on('close', () => process.exit(0));
  tell({ ready: true });
}

await main();
