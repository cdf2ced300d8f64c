import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const BENCHMARK = fileURLToPath(new URL('../processes.ts', import.meta.url));

test('the benchmark starts fresh processes against a real gateway, checks what they stored and compares them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'claret-bench-'));
  try {
    const json = join(folder, 'rows.json');
    const flags = [
      '--processes',
      '2',
      '--seconds',
      '0.5',
      '--warm-seconds',
      '0.5',
      '--in-flight',
      '8',
      '--in-flight',
      '64',
      '--json',
      json,
    ];
    const { stdout } = await promisify(execFile)(process.execPath, [BENCHMARK, ...flags]);
    const rows = JSON.parse(readFileSync(json, 'utf8')) as Record<string, unknown>[];
    expect(rows.map(({ process: number, in_flight }) => [number, in_flight])).toEqual([
      [1, 8],
      [1, 64],
      [2, 8],
      [2, 64],
    ]);
    for (const row of rows) expect(row['txn_per_s']).toBeGreaterThan(0);
    expect(stdout).toMatch(/throughput at 64 in flight to that at 8: median [\d.]+ x, worst [\d.]+ x/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 120_000);
