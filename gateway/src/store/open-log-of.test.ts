import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LogDamaged, LogRefused } from '../log/log.ts';
import { readAll } from '../log/sample.ts';
import { readReplicatedLogs, writeReplicatedLog } from './data-dir.ts';
import { openLogOf } from './open-log-of.ts';
import type { LogChoice } from './open-log-of.ts';

const COMMON = { clusterName: 'test', shard: 0, shards: 1, incarnation: 1, onTrouble: () => {} };
const LOCAL: LogChoice = { kind: 'local', durability: 'sync' };
/** Nobody listens there: what is refused is refused before. */
const REPLICATED: LogChoice = { kind: 'jetstream', access: { servers: ['127.0.0.1:1'], token: '', optionsFile: '' }, replicas: 3 };

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'claret-data-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

test('a directory with a log of its own is refused where a replicated log is wanted, and stays as it is', async () => {
  const { log, kept } = await openLogOf(dir, LOCAL, COMMON);
  await readAll(kept);
  await log.close();
  const refused = openLogOf(dir, REPLICATED, COMMON);
  await expect(refused).rejects.toThrow(LogRefused);
  await expect(refused).rejects.toThrow(/holds a log of its own.*log=local.*A backup cannot be restored into a replicated log/);
  const again = await openLogOf(dir, LOCAL, { ...COMMON, incarnation: 2 });
  await readAll(again.kept);
  await again.log.close();
});

test('a directory of a shard with a replicated log is refused where a local log is wanted', async () => {
  writeReplicatedLog(dir, 0, 'an-id');
  expect(readReplicatedLogs(dir)).toEqual({ 0: 'an-id' });
  const refused = openLogOf(dir, LOCAL, COMMON);
  await expect(refused).rejects.toThrow(LogRefused);
  await expect(refused).rejects.toThrow(/says that this gateway has had a replicated log.*log=jetstream/);
});

test('a file that should name the log and does not is reported as damaged', async () => {
  writeReplicatedLog(dir, 0, '');
  await expect(openLogOf(dir, REPLICATED, COMMON)).rejects.toThrow(LogDamaged);
});
