import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compareDigests } from './digests.ts';

const SIM = fileURLToPath(new URL('main.ts', import.meta.url));
/** Even such a run comes to rest, restarts its shards and reads everything. */
const MINUTES = 0.005;
/** Each under a plan of its own; every plan and every workload: digests.long.test.ts. */
const RUNS = 4;

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'claret-digests-'));
  path = join(folder, 'digests.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('digests of the same core are the same, and of a run that differs its arguments are told', async () => {
  expect(await compareDigests(path, 2, { minutes: MINUTES })).toEqual([]);
  const kept = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
  const [first, second] = Object.keys(kept) as [string, string];
  expect(new Set(Object.values(kept)).size).toBe(2);
  expect(await compareDigests(path, 2, { minutes: MINUTES, backwards: true })).toEqual([]);
  writeFileSync(path, JSON.stringify({ ...kept, [second]: kept[first] }));
  expect(await compareDigests(path, 3, { minutes: MINUTES })).toEqual([
    second,
    expect.stringMatching(/^--seed \d+ .*, which the file lacks$/),
  ]);
});

test('runs under several plans repeat themselves in another process, whatever has run before it', async () => {
  const told = await promisify(execFile)(process.execPath, [SIM, '--digests', path, '--runs', String(RUNS), '--minutes', String(MINUTES)]);
  expect(told.stdout).toContain(`the digests of ${RUNS} runs are in ${path} now`);
  expect(await compareDigests(path, RUNS, { minutes: MINUTES, backwards: true })).toEqual([]);
});
