import assert from 'node:assert/strict';
import { test } from 'node:test';
import { table } from './times.js';

const parts = (...list) => list.map(([name, ms]) => ({ name, ms }));

test('the table has the steps of the set-up, the sections and the slowest parts of each, slowest first', () => {
  const times = {
    began: '2026-01-02T03:04:05.000Z',
    load: 0.25,
    processors: 2,
    ms: 9000,
    cpuMs: 12_000,
    setUp: parts(['npm packages', 1000], ['C++ core', 4000]),
    sections: [{ name: 'ts', ms: 5000, cpuMs: 7000, parts: parts(['a.test.ts', 100], ['b.test.ts', 300], ['c.test.ts', 200]) }],
  };
  assert.deepEqual(table(times, 2).split('\n'), [
    'Seconds of the run of 2026-01-02 03:04 UTC (load 0.3 before it):',
    '',
    '     4.0  set-up, steps side by side',
    '       4.0  C++ core',
    '       1.0  npm packages',
    '     5.0  ts, 7.0 of processors',
    '       0.3  b.test.ts',
    '       0.2  c.test.ts',
    '     9.0  in all; 0.2 minutes of processor time on 2 processors',
  ]);
});
