import { expect, test } from 'vitest';
import { runClosedLoop } from './closed-loop.ts';
import { busyUsIn, cpuUsIn, cpuUsOf, ownCpuUs } from './cpu.ts';
import { median, medianRange } from './statistics.ts';
import { table } from './table.ts';

test('a table aligns its first column left and the others right', () => {
  expect(table(['mode', 'n'], [['a', '1'], ['batch', '1,024']])).toBe(
    ['mode       n', '-----  -----', 'a          1', 'batch  1,024'].join('\n'),
  );
});

test('the median of an even number of values is the mean of the middle two', () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([9, 1, 5, 2])).toBe(3.5);
});

test('the range of a median is all values where they are few, and narrows with their number', () => {
  const upTo = (count: number) => Array.from({ length: count }, (_, i) => count - i);
  expect(medianRange([7])).toEqual([7, 7]);
  expect(medianRange([9, 1, 5])).toEqual([1, 9]);
  expect(medianRange(upTo(100))).toEqual([41, 60]);
  expect(medianRange(upTo(10_000))).toEqual([4_903, 5_098]);
});

test('CPU time is read behind a process name that looks like fields', () => {
  expect(cpuUsIn('7 (a) R 1 ) R 1 7 7 0 -1 4194304 100 0 0 0 25 5 0 0 20 0')).toBe(300_000);
});

test('of a machine, what its CPUs did is counted, and what they waited for is not', () => {
  expect(busyUsIn('cpu  1 2 4 1000 2000 8 16 32 64 128\ncpu0 1 2 4 1000 2000 8 16 32 64 128\n')).toBe(630_000);
});

test('CPU time of this process is the same from both sources', () => {
  const before = ownCpuUs();
  const told = cpuUsOf(process.pid);
  expect(told).toBeGreaterThan(before - 100_000);
  expect(told).toBeLessThan(ownCpuUs() + 100_000);
});

test('a closed loop never has more under way than it was told, and ends when all is done', async () => {
  let underWay = 0;
  let most = 0;
  let begun = 0;
  const load = {
    begin(done: () => void) {
      begun++;
      most = Math.max(most, ++underWay);
      setImmediate(() => {
        underWay--;
        done();
      });
    },
    close() {},
  };
  const span = await runClosedLoop(load, { inFlight: 7, warmSeconds: 0.02, seconds: 0.05, serverPids: [process.pid] });
  expect(most).toBe(7);
  expect(underWay).toBe(0);
  expect(span.count).toBeGreaterThan(0);
  expect(span.count).toBeLessThan(begun);
});
