import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const BENCHMARK = fileURLToPath(new URL('../dataplane.ts', import.meta.url));

test('the benchmark runs against real gateways, prints its tables and writes one JSON row for each cell', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'claret-bench-'));
  try {
    const json = join(folder, 'rows.json');
    const { stdout } = await promisify(execFile)(process.execPath, [BENCHMARK, '--seconds', '0.1', '--rounds', '1', '--json', json]);
    const rows = JSON.parse(readFileSync(json, 'utf8')) as Record<string, unknown>[];
    expect(rows.map(({ mode, in_flight }) => [mode, in_flight])).toEqual([
      ['unary', 1],
      ['message', 1],
      ['batch', 1],
      ['unary', 64],
      ['message', 64],
      ['batch', 64],
      ['unary', 1024],
      ['message', 1024],
      ['batch', 1024],
    ]);
    for (const row of rows) {
      expect(Object.keys(row)).toEqual(['mode', 'in_flight', 'ops_per_s', 'gateway_cpu_us_per_op', 'client_cpu_us_per_op']);
      expect(row['ops_per_s']).toBeGreaterThan(0);
    }
    expect(stdout).toMatch(/batch to unary at 1,024 in flight: [\d.]+ x/);
    expect(stdout).toMatch(/prepare, vote and outcome on two shards/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
