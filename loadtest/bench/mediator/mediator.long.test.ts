import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { CellRow, LatencyRow, Row } from './raw.ts';

const BENCHMARK = fileURLToPath(new URL('../mediator.ts', import.meta.url));

test('a small run measures real gateways, and leaves rows, figures and a summary', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'claret-mediator-'));
  try {
    const flags = ['--quick', '--step', '50', '--reads', '0.5', '--size', '4', '--shards', '2', '--clients', '8', '--seconds', '0.1'];
    const mediator = () => promisify(execFile)(process.execPath, [BENCHMARK, ...flags, '--out', folder]);
    const { stdout } = await mediator();
    expect(stdout).toContain('9 cells in 1 blocks');
    const rows = readFileSync(join(folder, 'raw.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Row);
    expect(rows[0]).toMatchObject({ kind: 'run', benchmark: 'mediator', seed: 1 });
    const cells = rows.filter((row): row is CellRow => row.kind === 'cell');
    expect(cells).toHaveLength(9);
    for (const { curve, share, natives, begun, ops_per_s } of cells) {
      expect(ops_per_s).toBeGreaterThan(0);
      expect(natives > 0).toBe(curve === 'bound' || (curve === 'mediator' && share > 0));
      expect(begun > 0).toBe(curve === 'transactional' || (curve === 'mediator' && share < 1));
    }
    const latencies = rows.filter((row): row is LatencyRow => row.kind === 'latency');
    expect(new Set(latencies.map(({ sent, beside, operation }) => [sent, beside, operation].join())).size).toBe(12);
    for (const name of ['mediator-2-shards-alpha-1.svg', 'mediator-equilibrium.png']) expect(existsSync(join(folder, name))).toBe(true);
    expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toContain('| 2 shards, U4, alpha 1, 50 % reads |');
    await expect(mediator()).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('holds a run already') });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 120_000);
