import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Row } from './report.ts';

const BENCHMARK = fileURLToPath(new URL('../site.ts', import.meta.url));
const SMALL = ['--against', 'claret', '--shards', '1', '--durability', 'none', '--rounds', '1', '--seconds', '1', '--rate', '10'];

test('the benchmark visits both sites of a real cluster, finds each acknowledged change once, and writes its rows', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'claret-bench-'));
  try {
    const json = join(folder, 'rows.json');
    const mixes = ['bid-heavy', 'read-heavy', 'post-heavy'];
    const flags = [...SMALL, ...mixes.flatMap((mix) => ['--mix', mix]), '--json', json];
    const { stdout } = await promisify(execFile)(process.execPath, [BENCHMARK, ...flags]);
    const { rows } = JSON.parse(readFileSync(json, 'utf8')) as { rows: Row[] };
    expect(rows.map(({ mix, name, shards }) => [mix, name, shards])).toEqual(mixes.map((mix) => [mix, 'claret', 1]));
    for (const row of rows) {
      expect(row).toMatchObject({ duplicates: 0, lost: 0, contradictions: 0, failed: 0 });
      expect(row.app_us_per_request).toBeGreaterThan(0);
      expect(row.store_us_per_request).toBeGreaterThan(0);
      expect(row.requests_per_action).toBeGreaterThanOrEqual(1);
    }
    expect(rows[0]!.acknowledged).toBeGreaterThan(0);
    expect(rows[2]!.acknowledged).toBeGreaterThan(0);
    expect(rows[0]!.costs['Bid']!.transactions).toBeGreaterThan(0);
    expect(stdout).toMatch(/post-heavy, durability none, 2 app servers/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
