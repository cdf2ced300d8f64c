// Conditions are switched through all combinations under load, and one gateway is restarted.
//
// Transfers move amounts between counters on two shards, and readers add up all counters. Every reader must find the same sum, even while the
// shards differ or switch. The restarted shard has no log, so the sum is determined again once everything begun before has ended.
import { connect } from '@claret/client';
import type { Claret, Tx } from '@claret/client';
import { completed, USUAL } from '@claret/client/telemetry';
import type { Conditions } from '@claret/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';

const ACCOUNTS = 8;
const WORKERS = 8;
const STAGE_MS = 120;
const READ_EVERY_MS = 5;
/** For the sums without which the test cannot go on. */
const PATIENT = { timeoutMs: 60_000 };

let cluster: TestCluster;
const clients: Claret[] = [];
beforeAll(async () => {
  cluster = await startCluster(2, { woundDelayMs: 5, woundGraceMs: 10 });
  for (let i = 0; i < 2; i++) {
    clients.push(await connect({ addresses: cluster.gateways.map((gateway) => gateway.member.grpc), name: `load-${i}`, timeoutMs: 5_000 }));
  }
});
let stopLoad: () => Promise<unknown> = () => Promise.resolve();
afterAll(async () => {
  await stopLoad();
  for (const client of clients) await client.close(0);
  await cluster.close();
});

const ALL: Conditions[] = (['rw', 'abstract'] as const).flatMap((locks) =>
  [true, false].flatMap((phasing) =>
    (['auto', 'off'] as const).flatMap((combining) =>
      (['auto', 'off'] as const).map((warranties) => ({ locks, phasing, combining, warranties })),
    ),
  ),
);

/** The random generator of Numerical Recipes, for the order of the switches and the transfers. */
function dice(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

class Load {
  readonly accounts: string[];
  readonly wrong: string[] = [];
  transfers = 0;
  checks = 0;
  /** the sum that readers must find; null while nothing is guaranteed */
  expected: bigint | null = null;
  private readonly roll: (below: number) => number;
  private readonly running = new Set<Promise<unknown>>();
  private stopped = false;
  private workers: Promise<void>[] = [];

  constructor(accounts: string[], roll: (below: number) => number) {
    this.accounts = accounts;
    this.roll = roll;
  }

  start(): void {
    this.workers = Array.from({ length: WORKERS }, (_, i) => this.work(clients[i % clients.length]!, i < WORKERS / 4));
  }

  stop(): Promise<void[]> {
    this.stopped = true;
    return Promise.all(this.workers);
  }

  /** Resolves when everything that runs now has ended. */
  settled(): Promise<unknown[]> {
    return Promise.all(this.running);
  }

  sum(client: Claret, limits: { timeoutMs?: number } = {}): Promise<bigint> {
    const read = async (tx: Tx) => {
      const values = await Promise.all(this.accounts.map((account) => tx.counter(account).value()));
      return values.reduce<bigint>((sum, value) => sum + BigInt(value), 0n);
    };
    return client.transaction('Sum', read, limits);
  }

  private async work(client: Claret, reads: boolean): Promise<void> {
    while (!this.stopped) {
      const step = (reads ? this.read(client) : this.transfer(client)).catch((error: unknown) => {
        // A restart breaks some transactions off; others may give up after five seconds of denials.
        if (!(error instanceof Error) || error.name !== 'ClaretError') throw error;
        return later(5);
      });
      this.running.add(step);
      await step;
      if (reads) await later(READ_EVERY_MS); // without phasing, readers without a pause would starve the transfers
      this.running.delete(step);
    }
  }

  private async transfer(client: Claret): Promise<void> {
    const amount = 1 + this.roll(100);
    const from = this.roll(ACCOUNTS);
    const to = (from + 1 + this.roll(ACCOUNTS - 1)) % ACCOUNTS;
    await client.transaction('Transfer', async (tx) => {
      if (this.roll(2) === 0) await tx.counter(this.accounts[from]!).value();
      void tx.counter(this.accounts[from]!).add(-amount);
      void tx.counter(this.accounts[to]!).add(amount);
    });
    this.transfers++;
  }

  private async read(client: Claret): Promise<void> {
    const { expected } = this;
    const sum = await this.sum(client);
    if (expected === null || expected !== this.expected) return;
    this.checks++;
    if (sum !== expected) this.wrong.push(`${sum}, not ${expected}`);
  }
}

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function switchTo(wanted: Conditions, through: number): Promise<void> {
  const answer = await cluster.gateways[through]!.rest.inject({ method: 'PUT', url: '/v1/admin/conditions', payload: wanted });
  expect([answer.statusCode, answer.body]).toEqual([200, answer.body]);
  await expect
    .poll(() => cluster.gateways.map((gateway) => gateway.host.conditions()), { interval: 5 })
    .toEqual([completed(wanted), completed(wanted)]);
}

test('every reader finds the same sum while the cluster is switched through all conditions', async () => {
  const seed = Date.now() % 1_000_000;
  console.log(`seed ${seed}`);
  const roll = dice(seed);
  const order = ALL.map((conditions) => ({ conditions, rank: roll(1_000_000) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ conditions }) => conditions);
  const load = new Load(
    Array.from({ length: ACCOUNTS }, (_, i) => cluster.keyOn(i % 2, `account-${i}`)),
    roll,
  );
  stopLoad = () => load.stop();
  load.start();
  load.expected = 0n;
  let locks: Conditions['locks'] = 'abstract';
  const stage = async (wanted: Conditions, change: () => Promise<void>) => {
    await change();
    if (load.expected === null) {
      await load.settled();
      load.expected = await load.sum(clients[0]!, PATIENT);
    }
    locks = wanted.locks;
    const [transfers, checks] = [load.transfers, load.checks];
    await later(STAGE_MS);
    await expect.poll(() => load.transfers).toBeGreaterThan(transfers);
    await expect.poll(() => load.checks).toBeGreaterThan(checks);
    expect(load.wrong).toEqual([]);
  };
  for (const [i, wanted] of order.entries()) {
    await stage(wanted, () => switchTo(wanted, i % 2));
    if (i !== order.length >> 1) continue;
    // Without a log the restarted shard has lost its data, so the sum is not guaranteed until it is back.
    load.expected = null;
    await stage(wanted, () => cluster.restart(1));
    expect(cluster.gateways[1]!.host.conditions()).toEqual(completed(wanted));
  }
  await stage(USUAL, () => switchTo(USUAL, 0));
  await load.stop();
  expect([locks, await load.sum(clients[1]!, PATIENT)]).toEqual(['abstract', load.expected]);
  await expect.poll(() => cluster.gateways.map((gateway) => gateway.host.counters().attemptsInFlight)).toEqual([0, 0]);
});
