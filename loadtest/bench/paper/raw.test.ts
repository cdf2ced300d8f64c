import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { RawFile, csvOf } from './raw.ts';
import { doneIn, whyNot } from './resume.ts';
import { cellRow, runRow } from './testing.ts';

it('rows are read as they were written, without an incomplete last line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'claret-raw-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const raw = new RawFile(join(folder, 'results'));
  expect(raw.read()).toEqual([]);
  const rows = [runRow(), cellRow({}), cellRow({ round: 1 })];
  for (const row of rows) raw.append(row);
  appendFileSync(raw.path, '{"kind":"cell","workl');
  // A reader that only peeks may see a line that is still being written.
  expect(raw.peek()).toEqual(rows);
  expect(readFileSync(raw.path, 'utf8').endsWith('workl')).toBe(true);
  expect(raw.read()).toEqual(rows);
  raw.append(cellRow({ round: 2 }));
  expect(raw.read()).toEqual([...rows, cellRow({ round: 2 })]);
  expect(readFileSync(raw.path, 'utf8').split('\n')).toHaveLength(5);
});

it('cells become lines of CSV under the titles', () => {
  const [titles, line, end] = csvOf([cellRow({ gateway_cpu: [0.5, 0.25], condition: 'rw' })]).split('\n');
  const at = (title: string) => line!.split(',')[titles!.split(',').indexOf(title)];
  expect([at('workload'), at('point'), at('condition'), at('gateway_cpu'), at('anomalies'), at('txn_per_s')]).toEqual([
    'rawmix',
    'alpha=1 update=0.5',
    'rw',
    '0.5 0.25',
    '',
    '1000',
  ]);
  expect(end).toBe('');
});

it('a run is resumed only with the same commit, machine and options, whichever cells it selects', () => {
  const before = [runRow({ rounds: '1' }), cellRow({ condition: 'rw', clients: 8 })];
  expect(whyNot([], runRow())).toBeNull();
  expect(whyNot(before, runRow({ rounds: '3', only: 'rawmix' }))).toBeNull();
  expect(doneIn(before)).toEqual(new Set(['rawmix | alpha=1 update=0.5 | interactive | 8 | rw | 0']));
  expect(whyNot(before, { ...runRow(), commit: 'bad' })).toContain('commit c0ffee');
  expect(whyNot(before, { ...runRow(), dirty: true })).toContain('uncommitted');
  expect(whyNot(before, { ...runRow(), machine: { ...runRow().machine, cores: 4 } })).toContain('machine');
  expect(whyNot(before, runRow({ shards: '2' }))).toBe('it was measured with shards "1", not "2"');
  expect(whyNot(before, runRow({ drivers: '4' }))).toBe('it was measured with drivers nothing, not "4"');
  expect(whyNot(before, runRow({ seconds: '5' }))).toBe('it was measured with seconds nothing, not "5"');
  expect(whyNot([cellRow({})], runRow())).not.toBeNull();
});
