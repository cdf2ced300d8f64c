import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const BENCHMARK = fileURLToPath(new URL('../natives.ts', import.meta.url));

test('the benchmark runs against a real gateway, checks the counters and writes one JSON row for each cell', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'claret-bench-'));
  try {
    const json = join(folder, 'rows.json');
    const { stdout } = await promisify(execFile)(process.execPath, [BENCHMARK, '--seconds', '0.1', '--rounds', '1', '--json', json]);
    const rows = JSON.parse(readFileSync(json, 'utf8')) as Record<string, unknown>[];
    expect(new Set(rows.map(({ in_flight }) => in_flight))).toEqual(new Set([1, 64, 1024]));
    expect(rows.filter(({ mode }) => mode === 'native')).toHaveLength(3);
    for (const row of rows) {
      expect(Object.keys(row)).toEqual(['mode', 'in_flight', 'ops_per_s', 'gateway_us_per_op', 'client_us_per_op']);
      expect(row['ops_per_s']).toBeGreaterThan(0);
    }
    expect(stdout).toMatch(/native to transaction at 1,024 in flight: [\d.]+ x/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
