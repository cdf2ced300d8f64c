import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import type { CellRow, DistributionRow, Row } from './raw.ts';
import type { SummaryEntry } from './summary-json.ts';

const BENCHMARK = fileURLToPath(new URL('../paper.ts', import.meta.url));

it('a small run measures real gateways, resumes where it was interrupted, and leaves rows and a summary', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'claret-paper-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [out, json, raw] = [join(folder, 'out'), join(folder, 'summary.json'), join(folder, 'out', 'raw.jsonl')];
  const paper = (...more: string[]) =>
    promisify(execFile)(process.execPath, [
      BENCHMARK,
      '--point',
      'post-heavy',
      '--condition',
      'rw+phasing',
      '--condition',
      'none',
      '--clients',
      '4',
      '--rounds',
      '1',
      '--seconds',
      '0.2',
      '--retwis-scale',
      '5',
      '--poll',
      '50',
      '--out',
      out,
      '--json',
      json,
      ...more,
    ]);
  const rows = () =>
    readFileSync(raw, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Row);
  const cells = () => rows().filter((row): row is CellRow => row.kind === 'cell');
  const name = ({ sending, condition }: CellRow) => `${sending} ${condition}`;

  const { stdout } = await paper();
  expect(stdout).toContain('durability none; shards 1, one driver; both poll for 50 µs after a frame');
  expect(stdout).toContain('4 cells to measure');
  expect(rows()[0]).toMatchObject({ kind: 'run', seed: 1, options: { durability: 'none', 'retwis-scale': '5' } });
  expect(cells().map(name)).toEqual(['interactive rw+phasing', 'interactive none', 'one-shot rw+phasing', 'one-shot none']);
  for (const cell of cells()) {
    expect(cell).toMatchObject({ workload: 'retwis', point: 'post-heavy', clients: 4, round: 0, shards: 1, failures: 0 });
    expect(cell.txn_per_s).toBeGreaterThan(10);
    expect(cell.p99_ms).toBeGreaterThanOrEqual(cell.p50_ms);
    expect(cell.driver_cpu).toBeGreaterThan(0);
    expect(cell.core_us_per_op).toBeGreaterThan(0);
  }
  const distributions = rows().filter((row): row is DistributionRow => row.kind === 'distribution');
  expect(distributions.map((row) => row.name)).toEqual(['followers', 'reposts']);
  expect(distributions[0]!.counts.reduce((sum, [, people]) => sum + people, 0)).toBe(32);
  const entries = JSON.parse(readFileSync(json, 'utf8')) as SummaryEntry[];
  expect(entries).toHaveLength(4);
  expect(entries[1]).toMatchObject({ condition: 'none', share_of_none: 1, clients_at_peak: 4, speedup_vs_rw: null });
  expect(readFileSync(join(out, 'summary.md'), 'utf8')).toContain('### retwis post-heavy, one-shot');

  // Removes the last cell and everything after it, as a crash would leave the file.
  const text = readFileSync(raw, 'utf8');
  truncateSync(raw, Buffer.byteLength(text.slice(0, text.lastIndexOf('{"kind":"cell"') + 20)));
  expect((await paper()).stdout).toContain('1 cells to measure, 3 are there');
  expect(cells().map(name)).toEqual(['interactive rw+phasing', 'interactive none', 'one-shot rw+phasing', 'one-shot none']);
  await expect(paper('--seed', '2')).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('seed "1", not "2"') });
});
