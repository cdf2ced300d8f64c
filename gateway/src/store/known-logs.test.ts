// Shards that return with another log than the one that the others know, with real gateways.
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { restoreBackup } from '../backup/restore.ts';
import { LogDamaged } from '../log/log.ts';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';
import { KnownLogs } from './known-logs.ts';

const ANOTHER_LOG = /shard 1 has another log than before: .* restore all shards from one backup/;

let folder: string;
let cluster: TestCluster;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'claret-logs-'));
  cluster = await startCluster(2, { durability: 'sync', transactionMs: 60_000 }, join(folder, 'data'));
  await expect.poll(() => [0, 1].map((shard) => existsSync(join(dirOf(shard), 'logs.json')))).toEqual([true, true]);
});
afterEach(async () => {
  await cluster.close();
  rmSync(folder, { recursive: true });
});

const dirOf = (shard: number) => join(folder, 'data', `shard-${shard}`);
const add = async () => {
  const payload = {
    operations: [0, 1].map((shard) => ({ key: cluster.keyOn(shard, 'k'), type: 'counter', operation: 'add', arguments: [1] })),
  };
  return (await cluster.gateways[0]!.rest.inject({ method: 'POST', url: '/v1/transactions', payload })).statusCode;
};

test('a shard that lost its directory cannot rejoin with an empty one, but can once the directory is back', async () => {
  expect(await add()).toBe(200);
  await cluster.gateways[1]!.close();
  cpSync(dirOf(1), join(folder, 'aside'), { recursive: true });
  rmSync(dirOf(1), { recursive: true });
  await expect(cluster.restart(1)).rejects.toThrow(ANOTHER_LOG);
  rmSync(dirOf(1), { recursive: true });
  cpSync(join(folder, 'aside'), dirOf(1), { recursive: true });
  await cluster.restart(1);
  expect(await add()).toBe(200);
});

test('a shard that was restored alone cannot rejoin the others; all shards restored together can', async () => {
  expect(await add()).toBe(200);
  const answer = await fetch(`http://${cluster.gateways[0]!.member.rest}/v1/admin/backup`);
  writeFileSync(join(folder, 'backup'), Buffer.from(await answer.arrayBuffer()));
  await restoreBackup({ file: join(folder, 'backup'), dataDir: join(folder, 'restored') });
  expect(await add()).toBe(200);
  await cluster.gateways[1]!.close();
  rmSync(dirOf(1), { recursive: true });
  cpSync(join(folder, 'restored', 'shard-1'), dirOf(1), { recursive: true });
  await expect(cluster.restart(1)).rejects.toThrow(ANOTHER_LOG);
  await cluster.close();
  for (let start = 0; start < 2; start++) {
    cluster = await startCluster(2, { durability: 'sync' }, join(folder, 'restored'));
    expect(await add()).toBe(200);
    await cluster.close();
  }
});

test('recorded points of other shards are kept, and an invalid file is damage', async () => {
  const dataDir = join(folder, 'alone');
  const file = join(dataDir, 'logs.json');
  mkdirSync(dataDir);
  const point = (log: string, incarnation: number, position: number) => ({ log, incarnation, position });
  const unwritten: string[] = [];
  const open = () => new KnownLogs(dataDir, (why) => unwritten.push(why));
  const all = (known: KnownLogs) => [0, 1, 2].map((shard) => known.of(shard));
  let known = open();
  expect([all(known), existsSync(file)]).toEqual([[null, null, null], false]);
  mkdirSync(`${file}.new`); // makes writing fail
  expect(known.learn(2, point('c', 5, 10)), 'known, though not written yet').toBe(true);
  expect(unwritten).toHaveLength(1);
  rmSync(`${file}.new`, { recursive: true });
  expect(known.learn(1, point('b', 1, 1))).toBe(true);
  expect(all(open()), 'at once').toEqual([null, point('b', 1, 1), point('c', 5, 10)]);
  expect(known.learn(2, point('another', 6, 20))).toBe(false);
  for (const later of [point('c', 5, 12), point('c', 6, 12), point('c', 5, 99), point('c', 6, 11)])
    expect(known.learn(2, later)).toBe(true);
  await known.close();
  known = open();
  expect(all(known), 'the latest').toEqual([null, point('b', 1, 1), point('c', 6, 12)]);
  known.learn(1, point('b', 1, 2));
  await expect.poll(() => open().of(1)).toEqual(point('b', 1, 2));
  await known.close();
  writeFileSync(file, '["", "b", ""]');
  expect(all(open()), 'an older file without positions').toEqual([null, point('b', 0, 0), null]);
  for (const text of ['', '{}', '[1, 2, 3]', '[null, null, {"log": "c"}]', '[null, null, {"log']) {
    writeFileSync(file, text);
    expect(open).toThrow(LogDamaged);
  }
});
