// Refused starts of a real gateway process: the reason, advice, and exit code 2.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePorts } from '../../scripts/run/ports.js';
import { startProcess, untilReady } from './testing/process.ts';
import type { Run } from './testing/process.ts';

let folder: string;
let dataDir: string;
let first: Run;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'claret-refused-'));
  dataDir = join(folder, 'data');
  first = startProcess(['--cluster', await alone(), '--data-dir', dataDir]);
  await untilReady(first);
});
afterAll(async () => {
  first.child.kill('SIGKILL');
  await first.ended;
  rmSync(folder, { recursive: true });
});

async function pairs(count: number): Promise<string> {
  const ports = await freePorts(2 * count);
  return Array.from({ length: count }, (_, i) => `127.0.0.1:${ports[2 * i]}/127.0.0.1:${ports[2 * i + 1]}`).join(',');
}
const alone = () => pairs(1);

/** The last line of the output. */
async function refusal(args: string[]): Promise<string> {
  const run = startProcess([...args, '--log-level', 'silent']);
  expect(await run.ended, run.output()).toBe(2);
  return run.output().trim();
}

const anotherDirectory = /its own data directory, or an empty one/;

test('a data directory in use by another process is refused', async () => {
  const said = await refusal(['--cluster', await alone(), '--data-dir', dataDir]);
  expect(said).toContain(`${dataDir}/log is in use by another process: stop it first`);
});

test('an unusable data directory is refused', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const said = await refusal(['--cluster', await alone(), '--data-dir', join(file, 'below')]);
  expect(said).toMatch(new RegExp(`the data directory ${file}/below cannot be used .*: give the gateway one that it may write to`));
});

test('a data directory of another cluster, of other slots or of a newer version is refused', async () => {
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);

  const other = await refusal(['--cluster', await alone(), '--data-dir', dataDir, '--cluster-name', 'other']);
  expect(other).toMatch(/belongs to the cluster 'claret', and this gateway to 'other'/);
  expect(other).toMatch(anotherDirectory);

  const slots = await refusal(['--cluster', await pairs(2), '--shard', '1', '--data-dir', dataDir]);
  expect(slots).toMatch(/holds shard 0 of 1, and this gateway is shard 1 of 2, with other slots/);
  expect(slots).toMatch(anotherDirectory);

  const identity = join(dataDir, 'log', 'identity.json');
  const found = JSON.parse(readFileSync(identity, 'utf8')) as object;
  writeFileSync(identity, JSON.stringify({ ...found, format: 99 }));
  const newer = await refusal(['--cluster', await alone(), '--data-dir', dataDir]);
  expect(newer).toMatch(/was written by a newer version of Claret \(format 99/);
  expect(newer).toMatch(anotherDirectory);

  writeFileSync(identity, JSON.stringify({ ...found, shards: 2 }));
  const [one, two] = [await alone(), await alone()];
  const forged = await refusal(['--cluster', `${one},${two}`, '--data-dir', dataDir]);
  expect(forged).toContain(
    `what the data directory ${dataDir} keeps cannot be restored (the checkpoint was written by shard 0 of 1, not by shard 0 of 2): restore a backup`,
  );

  writeFileSync(identity, JSON.stringify(found));
  const again = startProcess(['--cluster', await alone(), '--data-dir', dataDir]);
  await untilReady(again);
  again.child.kill('SIGTERM');
  expect(await again.ended).toBe(0);
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
