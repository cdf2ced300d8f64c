// Backups of real clusters in this process: money moves between shards while a backup is made. The restored data is one state of the
// cluster, and contains everything that was acknowledged before.
import { writeFileSync } from 'node:fs';
import { connect } from '@claret/client';
import type { Claret } from '@claret/client';
import { afterAll, afterEach, expect, test } from 'vitest';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';
import { restoreBackup } from './restore.ts';
import { temporaryFolder } from './testing.ts';

const ACCOUNTS = 8;
const TOKEN = 'a-token-for-these-clusters';
const headers = { authorization: `Bearer ${TOKEN}` };

const folder = temporaryFolder();
afterAll(folder.remove);

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function start(options: { dataDir?: string; shards?: number } = {}): Promise<{ cluster: TestCluster; claret: Claret }> {
  const cluster = await startCluster(options.shards ?? 2, { durability: 'sync', token: TOKEN }, options.dataDir);
  const claret = await connect({ addresses: cluster.gateways.map(({ member }) => member.grpc), token: TOKEN, timeoutMs: 60_000 });
  stops.push(
    () => cluster.close(),
    () => claret.close(),
  );
  return { cluster, claret };
}

/** half of them on each shard */
const accountsOf = (cluster: TestCluster): string[] => Array.from({ length: ACCOUNTS }, (_, n) => cluster.keyOn(n % 2, `account-${n}`));

/** Moves money between shards until it is stopped, and records the acknowledged transfers. */
class Mover {
  readonly acknowledged: string[] = [];
  private readonly work: Promise<unknown>;
  private isOver = false;

  constructor(claret: Claret, accounts: string[], diary: string, name: string) {
    const move = async () => {
      for (let n = 0; !this.isOver; n++) {
        const from = n % ACCOUNTS;
        const to = (from + 1 + 2 * (n % 3)) % ACCOUNTS; // on the other shard
        const id = `${name}-${n}`;
        await claret.transaction('Move', async (tx) => {
          const held = Number(await tx.counter(accounts[from]!).value());
          tx.counter(accounts[from]!).add(-1 - (Math.abs(held) % 3));
          tx.counter(accounts[to]!).add(1 + (Math.abs(held) % 3));
          tx.set(diary).add(id);
        });
        this.acknowledged.push(id);
      }
    };
    this.work = move();
  }

  stop(): Promise<unknown> {
    this.isOver = true;
    return this.work;
  }
}

async function moneyIn(claret: Claret, accounts: string[]): Promise<number[]> {
  const held = await claret.transact(
    'Sum',
    accounts.map((key) => claret.on.counter(key).value()),
  );
  return held.map(Number);
}

const sum = (numbers: number[]): number => numbers.reduce((all, one) => all + one, 0);

async function backUp(cluster: TestCluster, name: string, gateway = 0): Promise<string> {
  const answer = await fetch(`http://${cluster.gateways[gateway]!.member.rest}/v1/admin/backup`, { headers });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-disposition')).toMatch(/filename="claret-.*\.backup"/);
  const file = folder.in(name);
  writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
  return file;
}

test('a backup during transfers preserves the total amount and contains all transactions acknowledged before', async () => {
  const { cluster, claret } = await start();
  const accounts = accountsOf(cluster);
  const diary = cluster.keyOn(1, 'diary');
  await claret.transact(
    'Fill',
    accounts.map((key) => claret.on.counter(key).add(1_000)),
  );
  const movers = Array.from({ length: 4 }, (_, n) => new Mover(claret, accounts, diary, `mover${n}`));
  await expect.poll(() => sum(movers.map(({ acknowledged }) => acknowledged.length))).toBeGreaterThan(50);

  const files: { file: string; before: string[] }[] = [];
  for (let round = 0; round < 2; round++) {
    const before = movers.flatMap(({ acknowledged }) => acknowledged);
    const file = await backUp(cluster, `moving-${round}`, round % 2);
    files.push({ file, before });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await Promise.all(movers.map((mover) => mover.stop()));

  for (const { file, before } of files) {
    const dataDir = `${file}-data`;
    const { shards } = await restoreBackup({ file, dataDir });
    expect(shards).toHaveLength(2);
    const copy = await start({ dataDir });
    const held = await moneyIn(copy.claret, accounts);
    expect(sum(held)).toBe(1_000 * ACCOUNTS);
    expect(before.length).toBeGreaterThan(50);
    const there = await copy.claret.transact(
      'Diary',
      before.slice(-1_000).map((id) => copy.claret.on.set(diary).contains(id)),
    );
    expect(before.slice(-1_000).filter((_, n) => !there[n])).toEqual([]);
    // The restored cluster works: what is written there is durable.
    await copy.claret.transact('More', [copy.claret.on.counter(accounts[0]!).add(5)]);
    expect(sum(await moneyIn(copy.claret, accounts))).toBe(1_000 * ACCOUNTS + 5);
    await copy.cluster.restart(0);
    expect(sum(await moneyIn(copy.claret, accounts))).toBe(1_000 * ACCOUNTS + 5);
  }
});

test('a backup is refused with durability none and with another token', async () => {
  const cluster = await startCluster(1, { token: TOKEN });
  stops.push(() => cluster.close());
  const url = `http://${cluster.gateways[0]!.member.rest}/v1/admin/backup`;
  expect((await fetch(url)).status).toBe(401);
  const refused = await fetch(url, { headers });
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([409, 'no_log']);
});

test('a backup fails while a shard is down, and the next one with all shards is complete', async () => {
  const { cluster } = await start();
  await cluster.gateways[1]!.close();
  const refused = await fetch(`http://${cluster.gateways[0]!.member.rest}/v1/admin/backup`, { headers });
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([503, 'shard_unavailable']);
  await cluster.restart(1);
  await cluster.untilConnected();
  const { shards } = await restoreBackup({ file: await backUp(cluster, 'after'), dataDir: folder.in('after-data') });
  expect(shards).toHaveLength(2);
});
