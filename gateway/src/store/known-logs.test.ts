// Shards that come back with another log than the others know, with real gateways.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { restoreBackup } from '../backup/restore.ts';
import { LogDamaged } from '../log/log.ts';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';
import { KnownLogs } from './known-logs.ts';

const PATIENT_MS = 60_000;
const ANOTHER_LOG = /shard 1 has another log than before: .* restore all shards from one backup/;

let folder: string;
let cluster: TestCluster;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'claret-logs-'));
  cluster = await startCluster(2, { durability: 'sync' }, join(folder, 'data'));
  await expect.poll(() => [0, 1].map((shard) => existsSync(join(dirOf(shard), 'logs.json')))).toEqual([true, true]);
});
afterEach(async () => {
  await cluster.close();
  rmSync(folder, { recursive: true });
});

const dirOf = (shard: number) => join(folder, 'data', `shard-${shard}`);
const add = async () => {
  const payload = { operations: [0, 1].map((shard) => ({ key: cluster.keyOn(shard, 'k'), type: 'counter', operation: 'add', arguments: [1] })) };
  return (await cluster.gateways[0]!.rest.inject({ method: 'POST', url: '/v1/transactions', payload })).statusCode;
};

test('a shard whose directory was lost does not start empty beside the others, and starts when it has it again', async () => {
  expect(await add()).toBe(200);
  await cluster.gateways[1]!.close();
  cpSync(dirOf(1), join(folder, 'aside'), { recursive: true });
  rmSync(dirOf(1), { recursive: true });
  await expect(cluster.restart(1)).rejects.toThrow(ANOTHER_LOG);
  rmSync(dirOf(1), { recursive: true });
  cpSync(join(folder, 'aside'), dirOf(1), { recursive: true });
  await cluster.restart(1);
  expect(await add()).toBe(200);
}, PATIENT_MS);

test('a shard that was restored alone does not join those that went on; all restored together do', async () => {
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
}, PATIENT_MS);

test('what was noted of the others is kept, and what is no such note is damage', () => {
  const place = { shard: 0, shards: 3, own: 'a' };
  const dataDir = join(folder, 'alone');
  const file = join(dataDir, 'logs.json');
  cpSync(dirOf(0), dataDir, { recursive: true });
  rmSync(file);
  const known = new KnownLogs(dataDir, place);
  known.learn(1, '');
  expect([known.all, existsSync(file)]).toEqual([['a', '', ''], false]);
  mkdirSync(`${file}.new`); // where it is written first
  expect(() => known.learn(2, 'c')).toThrow();
  expect(known.all, 'what is not noted is not known').toEqual(['a', '', '']);
  rmSync(`${file}.new`, { recursive: true });
  known.learn(2, 'c');
  expect(new KnownLogs(dataDir, place).all).toEqual(['a', '', 'c']);
  for (const text of ['', '{}', '["a"]', '[1, 2, 3]', readFileSync(file, 'utf8').slice(0, -3)]) {
    writeFileSync(file, text);
    expect(() => new KnownLogs(dataDir, place)).toThrow(LogDamaged);
  }
});
