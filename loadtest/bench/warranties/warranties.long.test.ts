import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const BENCHMARK = fileURLToPath(new URL('../warranties.ts', import.meta.url));

test('each part runs against real gateways, checks what is stored, and writes a JSON row for each cell', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'claret-bench-'));
  try {
    const json = join(folder, 'rows.json');
    const args = [BENCHMARK, '--seconds', '0.3', '--rounds', '1', '--users', '128', '--json', json];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const rows = JSON.parse(readFileSync(json, 'utf8')) as Record<string, unknown>[];
    expect(new Set(rows.map(({ part }) => part))).toEqual(
      new Set(['topn 128', 'oo7', 'oo7, one client', 'phases', 'delay', 'delay, a reader frozen']),
    );
    for (const row of rows.filter(({ part }) => part === 'topn 128')) expect(row['txn_per_s']).toBeGreaterThan(0);
    expect(stdout).toMatch(/messages of a transaction that reads two shards: 0\.0\d+ /);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 300_000);
