import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { isNginxThere } from './nginx.ts';

const BENCHMARK = fileURLToPath(new URL('../warranties.ts', import.meta.url));

test('each part runs against real gateways, checks what is stored, and writes a JSON row for each cell', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'claret-bench-'));
  try {
    const json = join(folder, 'rows.json');
    const small = ['--users', '128', '--rubis-items', '300', '--retwis-scale', '6'];
    const out = join(folder, 'out');
    const args = [BENCHMARK, '--seconds', '0.3', '--rounds', '1', ...small, '--json', json, '--out', out];
    const { stderr } = await promisify(execFile)(process.execPath, args);
    const rows = JSON.parse(readFileSync(json, 'utf8')) as Record<string, unknown>[];
    expect(new Set(rows.map(({ part }) => part))).toEqual(
      new Set([
        ...['topn 128', 'oo7', 'oo7, one client', 'cms rubis', 'cms retwis', 'phases', 'stores 1', 'stores 2'],
        ...['load oo7', 'load cms rubis', 'load cms retwis', 'delay', 'delay, a reader frozen'],
        ...(isNginxThere() ? ['http'] : []),
      ]),
    );
    for (const name of ['raw.jsonl', 'figure-4-stores.svg', 'figure-5-load.png']) expect(existsSync(join(out, name))).toBe(true);
    for (const row of rows.filter(({ part }) => part === 'http')) {
      expect(row).toMatchObject({ stale: 0, failed: 0 });
      expect(row['txn_per_s']).toBeGreaterThan(0);
    }
    const ofHttp = (condition: string) => rows.find((row) => row['part'] === 'http' && row['condition'] === condition);
    if (isNginxThere()) expect(Number(ofHttp('auto')!['messages_per_txn'])).toBeLessThan(0.5 * Number(ofHttp('off')!['messages_per_txn']));
    for (const row of rows.filter(({ part }) => part === 'topn 128')) expect(row['txn_per_s']).toBeGreaterThan(0);
    expect(stderr).toMatch(/messages of a transaction that reads two shards: 0\.0\d+ /);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
