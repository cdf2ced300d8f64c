import { expect, test } from 'vitest';
import { runClosedLoop } from './closed-loop.ts';
import { busyUsIn, cpuUsIn, cpuUsOf, ownCpuUs, threadsCpuUsOf } from './cpu.ts';
import { median } from './statistics.ts';
import { table } from './table.ts';

test('a table aligns its first column left and the others right', () => {
  expect(
    table(
      ['mode', 'n'],
      [
        ['a', '1'],
        ['batch', '1,024'],
      ],
    ),
  ).toBe(['mode       n', '-----  -----', 'a          1', 'batch  1,024'].join('\n'));
});

test('the median of an even number of values is the mean of the middle two', () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([9, 1, 5, 2])).toBe(3.5);
});

test('CPU time is read correctly after a process name that looks like fields', () => {
  expect(cpuUsIn('7 (a) R 1 ) R 1 7 7 0 -1 4194304 100 0 0 0 25 5 0 0 20 0')).toBe(300_000);
});

test("the machine's busy time excludes idle time and waits for I/O", () => {
  expect(busyUsIn('cpu  1 2 4 1000 2000 8 16 32 64 128\ncpu0 1 2 4 1000 2000 8 16 32 64 128\n')).toBe(630_000);
});

test('both sources agree on the CPU time of this process', () => {
  const before = ownCpuUs();
  const told = cpuUsOf(process.pid);
  expect(told).toBeGreaterThan(before - 100_000);
  expect(told).toBeLessThan(ownCpuUs() + 100_000);
});

test("the threads' CPU time adds up to that of the process", () => {
  const own = ownCpuUs();
  const ofThreads = threadsCpuUsOf(process.pid);
  while (ownCpuUs() - own < 300_000);
  const used = threadsCpuUsOf(process.pid) - ofThreads;
  expect(used).toBeGreaterThan(200_000);
  expect(used).toBeLessThan(ownCpuUs() - own + 100_000);
});

test('a closed loop never exceeds its limit in flight, and ends when all operations are done', async () => {
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

test('a closed loop tells the totals of its load at both ends of the span, and ends although nothing is done in time', async () => {
  let [begun, done, samples] = [0, 0, 0];
  let finishLast = () => {};
  const load = {
    begin(finished: () => void) {
      const finish = () => {
        done++;
        finished();
      };
      // The first operation is done at once, the second only after the span.
      if (++begun === 1) queueMicrotask(finish);
      else finishLast = finish;
    },
    totals() {
      if (++samples === 2) setImmediate(finishLast);
      return { done, twice: 2 * done };
    },
    close() {},
  };
  const span = await runClosedLoop(load, { inFlight: 1, warmSeconds: 0.01, seconds: 0.01, stretchMax: 2, serverPids: [] });
  expect(span.totals).toEqual([
    { done: 1, twice: 2 },
    { done: 1, twice: 2 },
  ]);
  expect(span.count).toBe(0);
  expect([begun, done]).toEqual([2, 2]);
});
