import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('the built page draws a small cluster in a real browser, and the cost is measured', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'claret-bench-'));
  const json = join(folder, 'figures.json');
  try {
    const bench = join(import.meta.dirname, '../dashboard.ts');
    const args = [bench, '--lanes', '4', '--history-s', '2', '--seconds', '1', '--json', json];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout).toContain('4 lanes and 2 s in memory');
    const { lanes, figures } = JSON.parse(await readFile(json, 'utf8'));
    expect(lanes).toBe(4);
    expect(figures).toHaveLength(4);
    for (const { charts, frames, median_ms, p99_ms, busy_share } of figures) {
      expect(charts).toBeGreaterThan(0);
      expect(frames).toBeGreaterThan(0);
      expect(median_ms).toBeGreaterThan(0);
      expect(p99_ms).toBeGreaterThanOrEqual(median_ms);
      expect(busy_share).toBeGreaterThan(0);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
