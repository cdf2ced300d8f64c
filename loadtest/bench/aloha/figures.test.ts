import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { figuresOf, report } from './figures.ts';
import { rowOf, type RawRow, type Row, type RunRow } from './row.ts';
import { answer, row, SETTINGS } from './testing.ts';
import { cellsOf } from './throughput.ts';

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

const raw = (rows: readonly Row[]): RawRow[] => [run, ...rows.map((one): RawRow => ({ kind: 'figures', ...one }))];
const measured = (part: Parameters<typeof cellsOf>[0]): Row[] =>
  cellsOf(part, SETTINGS).map((cell) => rowOf({ ...cell, answers: [answer()] }, undefined));

test('only measured parts are drawn', () => {
  const namesOf = (rows: readonly Row[]) => figuresOf(raw(rows)).map(({ name }) => name);
  expect(namesOf([row('durability', 'none')])).toEqual([]);
  expect(namesOf(measured('share'))).toEqual(['aloha-share']);
  expect(namesOf([...measured('size'), ...measured('contention'), row('switch', '2, all', { size: 2 })])).toEqual([
    'aloha-size',
    'aloha-contention',
    'aloha-switch',
  ]);
});

test('a figure has a line for each way in each panel; one where locks commit nothing too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'claret-figures-'));
  try {
    const rows = measured('size').map((one) => (one.way === 'locks' ? { ...one, txn_per_s: 0 } : one));
    const written = await report(folder, raw([...rows, ...measured('share')]));
    expect(written.map((path) => path.slice(folder.length + 1))).toEqual([
      'aloha-size.svg',
      'aloha-size.png',
      'aloha-share.svg',
      'aloha-share.png',
    ]);
    const conditionsIn = (path: string) =>
      readFileSync(path, 'utf8')
        .split('data-condition="')
        .slice(1)
        .map((line) => line.slice(0, line.indexOf('"')))
        .toSorted();
    expect(conditionsIn(written[0]!)).toEqual(['epoch', 'epoch', 'locks', 'locks', 'none', 'none']);
    expect(statSync(written[1]!).size).toBeGreaterThan(1_000);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
