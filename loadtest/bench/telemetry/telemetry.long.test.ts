import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const BENCHMARK = fileURLToPath(new URL('../telemetry.ts', import.meta.url));

test('the benchmark watches real gateways under each load, and reports the cost', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'claret-bench-'));
  try {
    const json = join(folder, 'cost.json');
    const flags = ['--pairs', '1', '--seconds', '0.6', '--clients', '8', '--rubis-items', '300', '--sending', 'one-shot', '--json', json];
    const { stdout } = await promisify(execFile)(process.execPath, [BENCHMARK, ...flags]);
    const { cost_share, workloads } = JSON.parse(readFileSync(json, 'utf8')) as {
      cost_share: number;
      workloads: Record<string, unknown>[];
    };
    expect(cost_share).toBeTypeOf('number');
    expect(workloads.map(({ name }) => name)).toEqual(['rawmix alpha=1 update=0.5, one-shot', 'rubis bid-heavy, one-shot']);
    for (const { with: side, frames_per_s, bytes_per_frame } of workloads as {
      with: Record<string, number>;
      frames_per_s: number;
      bytes_per_frame: number;
    }[]) {
      expect(side['txn_per_s']).toBeGreaterThan(0);
      expect(side['gateway_us_per_txn']).toBeGreaterThan(0);
      expect(frames_per_s).toBeGreaterThan(2);
      expect(bytes_per_frame).toBeGreaterThan(500);
    }
    expect(stdout).toMatch(/watching costs -?[\d.]+ % of the gateways' CPU time per committed transaction/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
