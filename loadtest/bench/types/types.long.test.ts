import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const BENCHMARK = fileURLToPath(new URL('../types.ts', import.meta.url));

test('the benchmark installs the types, checks what is stored and writes one JSON row for each cell', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'claret-bench-'));
  try {
    const json = join(folder, 'rows.json');
    const { stdout } = await promisify(execFile)(process.execPath, [BENCHMARK, '--seconds', '0.1', '--rounds', '1', '--json', json]);
    const rows = JSON.parse(readFileSync(json, 'utf8')) as Record<string, unknown>[];
    expect(rows).toHaveLength(20);
    for (const row of rows) expect(row['ops_per_s']).toBeGreaterThan(0);
    expect(stdout).toMatch(/^RateLimiter\.allow: CPU time .*: [\d.]+ x, .* in the rounds \(goal: at most 3 x, (?:met|missed)\)$/m);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
