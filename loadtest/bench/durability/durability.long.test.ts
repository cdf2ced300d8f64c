import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { findNatsServer } from '../../../scripts/setup/nats-server.js';
import { redisVersion } from '../../kit/redis-server.ts';
import { SYSTEMS } from './report.ts';

const BENCHMARK = fileURLToPath(new URL('../durability.ts', import.meta.url));

test('the benchmark runs real clusters with the stated durability, has a row for each, and leaves nothing behind', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'claret-bench-'));
  try {
    const json = join(folder, 'rows.json');
    const flags = [
      '--workload',
      'rubis',
      '--clients',
      '4',
      '--rounds',
      '1',
      '--seconds',
      '0.2',
      '--rubis-items',
      '50',
      '--dir',
      folder,
      '--json',
      json,
    ];
    const { stdout } = await promisify(execFile)(process.execPath, [BENCHMARK, ...flags]);
    const rows = JSON.parse(readFileSync(json, 'utf8')) as Record<string, unknown>[];
    const nats = await findNatsServer();
    const measured = SYSTEMS.filter(
      ({ system, durability }) => (system !== 'redis' || redisVersion() !== null) && (durability !== 'jetstream' || nats !== null),
    );
    expect(rows).toEqual(
      measured.map(({ system, durability }) => ({
        workload: 'rubis',
        system,
        durability,
        clients: 4,
        txn_per_s: expect.any(Number),
        p99_ms: expect.any(Number),
      })),
    );
    expect(rows.every(({ txn_per_s }) => (txn_per_s as number) > 0)).toBe(true);
    expect(stdout).toMatch(/4 KiB are written and synced in [\d.]+ ms|in memory \(tmpfs\)/);
    expect(stdout).toMatch(/sync as a share of none at 256 clients: rubis not measured, rawmix not measured \(goal: 60 %\): open\n$/);
    expect(readdirSync(folder)).toEqual(['rows.json']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
