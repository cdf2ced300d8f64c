import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { draw } from './figure.ts';
import type { RunRow } from './row.ts';
import { row } from './testing.ts';

const run: RunRow = {
  kind: 'run',
  benchmark: 'aloha',
  commit: '0123456789abcdef',
  dirty: false,
  machine: { cpu: 'a CPU', cores: 2, memory_gib: 4, kernel: '6.1', node: '24.0.0' },
  begun_at: '2026-11-27T00:00:00.000Z',
  seed: 1,
  options: { rounds: 3, seconds: 1 },
};

test('the figure has a line for each way in both panels, also where locks commit nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'claret-figures-'));
  try {
    expect(await draw(folder, [run])).toEqual([]);
    const rows = [10, 1_000].flatMap((size) => [row(size), row(size, { way: 'none' }), row(size, { way: 'locks', lists_per_s: 0 })]);
    const written = await draw(folder, [run, ...rows.map((one) => ({ kind: 'figures' as const, ...one }))]);
    expect(written).toEqual(['svg', 'png'].map((extension) => join(folder, `aloha-size.${extension}`)));
    const conditions = readFileSync(written[0]!, 'utf8')
      .split('data-condition="')
      .slice(1)
      .map((line) => line.slice(0, line.indexOf('"')));
    expect(conditions.toSorted()).toEqual(['epoch', 'epoch', 'locks', 'locks', 'none', 'none']);
    expect(statSync(written[1]!).size).toBeGreaterThan(1_000);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
