import { expect, test } from 'vitest';
import { readMainThread, type TraceEvent } from './trace.ts';

const task = (ts: number, dur: number, tdur = dur, tid = 1): TraceEvent => ({
  name: 'ThreadControllerImpl::RunTask',
  ph: 'X',
  pid: 9,
  tid,
  ts,
  dur,
  tdur,
});
const mark = (ts: number): TraceEvent => ({ name: 'drawn', ph: 'I', pid: 9, tid: 1, ts });

test('tasks with drawing count, with the number of drawings and the CPU time of the main thread', () => {
  const events = [
    task(0, 1_000),
    task(5_000, 9_000, 4_000),
    mark(5_100),
    mark(6_000),
    task(20_000, 2_000),
    mark(20_500),
    task(20_000, 8_000, 8_000, 2),
  ];
  const { marked, busy_share } = readMainThread(events, 'drawn');
  expect(marked).toEqual([
    { marks: 2, took_ms: 4 },
    { marks: 1, took_ms: 2 },
  ]);
  expect(busy_share).toBeCloseTo(7_000 / 22_000);
});

test('a task within another one is part of it', () => {
  const { marked, busy_share } = readMainThread([task(0, 5_000), task(1_000, 2_000), mark(1_500)], 'drawn');
  expect(marked).toEqual([{ marks: 1, took_ms: 5 }]);
  expect(busy_share).toBe(1);
});

test('without drawing there are no figures', () => {
  expect(readMainThread([task(0, 5_000)], 'drawn').marked).toEqual([]);
});
