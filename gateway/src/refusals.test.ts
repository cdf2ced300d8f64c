// Refused starts of a gateway: the reason, advice, and, as a process, exit code 2.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePorts } from '../../scripts/run/ports.js';
import { buildGateway } from './app.ts';
import { DEFAULTS } from './config.ts';
import type { Config } from './config.ts';
import { LogRefused } from './log/log.ts';
import { startProcess } from './testing/process.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'claret-refused-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function pairs(count: number): Promise<string> {
  const ports = await freePorts(2 * count);
  return Array.from({ length: count }, (_, i) => `127.0.0.1:${ports[2 * i]}/127.0.0.1:${ports[2 * i + 1]}`).join(',');
}

/** A gateway in this process. */
const build = async (dataDir: string, more: Partial<Config> = {}) =>
  buildGateway({ ...DEFAULTS, logLevel: 'silent', cluster: await pairs(1), dataDir, ...more });
/** What main.ts writes before it exits with 2. */
const refusal = (dataDir: string, more: Partial<Config> = {}): Promise<string> =>
  build(dataDir, more).then(
    () => expect.fail('not refused'),
    (error: Error) => {
      expect(error).toBeInstanceOf(LogRefused);
      return error.message;
    },
  );

const anotherDirectory = /its own data directory, or an empty one/;

test('a data directory in use by another process is refused, with exit code 2', async () => {
  const dataDir = join(folder, 'in-use');
  const user = await build(dataDir);
  const run = startProcess(['--cluster', await pairs(1), '--data-dir', dataDir, '--log-level', 'silent']);
  expect(await run.ended, run.output()).toBe(2);
  expect(run.output().trim()).toContain(`${dataDir}/log is in use by another process: stop it first`);
  await user.close();
});

test('an unusable data directory is refused', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const said = await refusal(join(file, 'below'));
  expect(said).toMatch(new RegExp(`the data directory ${file}/below cannot be used .*: give the gateway one that it may write to`));
});

test('a data directory of another cluster, of other slots or of a newer version is refused', async () => {
  const dataDir = join(folder, 'data');
  await (await build(dataDir)).close();

  const other = await refusal(dataDir, { clusterName: 'other' });
  expect(other).toMatch(/belongs to the cluster 'claret', and this gateway to 'other'/);
  expect(other).toMatch(anotherDirectory);

  const slots = await refusal(dataDir, { cluster: await pairs(2), shard: 1 });
  expect(slots).toMatch(/holds shard 0 of 1, and this gateway is shard 1 of 2, with other slots/);
  expect(slots).toMatch(anotherDirectory);

  const identity = join(dataDir, 'log', 'identity.json');
  const found = JSON.parse(readFileSync(identity, 'utf8')) as object;
  writeFileSync(identity, JSON.stringify({ ...found, format: 99 }));
  const newer = await refusal(dataDir);
  expect(newer).toMatch(/was written by a newer version of Claret \(format 99/);
  expect(newer).toMatch(anotherDirectory);

  writeFileSync(identity, JSON.stringify({ ...found, shards: 2 }));
  const forged = await refusal(dataDir, { cluster: await pairs(2) });
  expect(forged).toContain(
    `what the data directory ${dataDir} keeps cannot be restored (the checkpoint was written by shard 0 of 1, not by shard 0 of 2): restore a backup`,
  );

  writeFileSync(identity, JSON.stringify(found));
  await (await build(dataDir)).close();
});

test('of two gateways that start together and disagree, the one that notices ends', async () => {
  const cluster = await pairs(2);
  const start = (shard: number, durability: string) =>
    startProcess([
      '--cluster',
      cluster,
      '--shard',
      String(shard),
      '--data-dir',
      join(folder, `differs-${shard}`),
      '--durability',
      durability,
    ]);
  const runs = [start(0, 'sync'), start(1, 'async')];
  const ends = await Promise.race(runs.map(async (run) => ({ code: await run.ended, said: run.output() })));
  expect(ends.code, ends.said).toBe(2);
  expect(ends.said).toMatch(/has the durability '(a?)sync', and this one '(?!\1sync)a?sync': all gateways of a cluster need the same/);
  for (const { child, ended } of runs) {
    child.kill('SIGKILL');
    await ended;
  }
});
