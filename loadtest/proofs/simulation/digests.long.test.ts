// Runs of one seed give the same bytes: in a process that has run others before, or the same already, and in one that has not.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { WORKLOADS } from '../workloads/index.ts';
import { compareDigests } from './digests.ts';

const SIM = fileURLToPath(new URL('main.ts', import.meta.url));

test('each workload repeats itself, under all plans in turn, whatever has run before it, and in another process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'claret-digests-'));
  const path = join(folder, 'digests.json');
  const count = WORKLOADS.length;
  expect(await compareDigests(path, count)).toEqual([]);
  expect(await compareDigests(path, count, { backwards: true })).toEqual([]);
  const told = await promisify(execFile)(process.execPath, [SIM, '--digests', path, '--runs', String(count)]).catch(({ stdout }) => ({
    stdout,
  }));
  expect(told.stdout).toContain(`${count} of ${count} runs as in ${path}`);
  rmSync(folder, { recursive: true });
});
