import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { figuresOf, report } from './figures.ts';
import { PARTS } from './parts.ts';
import type { Figures } from './plan.ts';
import type { Row, RunRow } from './raw.ts';

const run: RunRow = {
  kind: 'run',
  benchmark: 'warranties',
  commit: '0123456789abcdef',
  dirty: false,
  machine: { cpu: 'a CPU', cores: 2, memory_gib: 4, kernel: '6.1', node: '24.0.0' },
  begun_at: '2026-11-27T00:00:00.000Z',
  seed: 1,
  options: { rounds: 3, seconds: 2 },
};

/** The row of each cell of a part; with warranties ten times as many transactions. */
const rowsOf = (part: string): Row[] =>
  PARTS[part]!.flatMap((plan) =>
    plan.cells.map(({ condition, way, inFlight }): Figures & { kind: 'figures' } => {
      const txn_per_s = (condition === 'auto' ? 1_000 : 100) * inFlight;
      return {
        kind: 'figures',
        part: plan.part,
        condition,
        way,
        shards: plan.shards,
        users: 0,
        in_flight: inFlight,
        txn_per_s,
        slowest_txn_per_s: txn_per_s,
        fastest_txn_per_s: txn_per_s,
        over_off: 10,
        messages_per_txn: 1,
        without_message: 0,
        body_runs_per_write: 0,
        retries_per_txn: 0,
        mean_ms: (1_000 * inFlight) / txn_per_s,
        read_p50_ms: 1,
        read_p99_ms: 1,
        write_mean_ms: null,
        write_p50_ms: null,
        write_p99_ms: null,
        client_us_per_txn: 1,
        gateway_us_per_txn: [1, 1],
      };
    }),
  );

const namesOf = (rows: readonly Row[]) => figuresOf(rows).map(({ name }) => name);

test('only measured figures are drawn', () => {
  expect(namesOf([run, ...rowsOf('oo7'), ...rowsOf('cms')])).toEqual([]);
  expect(namesOf([run, ...rowsOf('stores')])).toEqual(['figure-4-stores']);
  expect(namesOf([run, ...rowsOf('load'), ...rowsOf('stores')])).toEqual(['figure-4-stores', 'figure-5-load']);
});

test('a figure has a line for each condition in each panel, and a mark for each cell', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'claret-figures-'));
  try {
    const written = await report(folder, [run, ...rowsOf('load')]);
    expect(written.map((path) => path.slice(folder.length + 1))).toEqual(['figure-5-load.svg', 'figure-5-load.png']);
    const svg = readFileSync(written[0]!, 'utf8');
    const lines = svg.split('data-condition="').slice(1);
    expect(lines.map((line) => line.slice(0, line.indexOf('"'))).toSorted()).toEqual(['auto', 'auto', 'auto', 'off', 'off', 'off']);
    for (const heading of ['OO7', 'auctions, 40:1', 'timelines, 40:1', '1, 4, 16, 64']) expect(svg).toContain(heading);
    expect(statSync(written[1]!).size).toBeGreaterThan(1_000);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
