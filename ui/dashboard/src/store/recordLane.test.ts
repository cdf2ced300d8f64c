// Natives in the history of a record. The other figures are compared with a model in model.test.ts.
import type { HotRecord } from '@claret/client/telemetry';
import { expect, it } from 'vitest';
import { RecordLane } from './recordLane.ts';

const quiet: HotRecord = {
  key: 'visits',
  type: 'Counter',
  heat: 1,
  trackedMs: 200,
  operations: 0,
  conflicts: 0,
  waits: 0,
  waitMs: 0,
  natives: 0,
  nativeWaits: 0,
  nativeBreaks: 0,
  warranties: [],
  waiting: 0,
  modes: [],
  phases: [],
  phase: null,
};

type Told = [from_ms: number, to_ms: number, natives: number, waits: number, breaks: number];

function told(reports: readonly (Partial<HotRecord> & { at_ms: number })[], span = { from_ms: 0, to_ms: 10_000 }): Told[] {
  const lane = new RecordLane('visits', { numberOf: () => 0 }, () => 10_000);
  for (const { at_ms, ...report } of reports) lane.take({ ...quiet, ...report }, 0, at_ms, at_ms, 200);
  const seen: Told[] = [];
  lane.natives(span, (...one) => seen.push(one));
  return seen;
}

it('a report of natives covers the time since the report before', () => {
  const reports = [
    { at_ms: 1_000, natives: 5 },
    { at_ms: 1_200, natives: 7, nativeWaits: 2 },
    { at_ms: 1_400 },
    { at_ms: 1_600, nativeBreaks: 1 },
  ];
  expect(told(reports)).toEqual([
    [800, 1_000, 5, 0, 0],
    [1_000, 1_200, 7, 2, 0],
    [1_400, 1_600, 0, 0, 1],
  ]);
  expect(told(reports, { from_ms: 1_100, to_ms: 1_300 })).toEqual([[1_000, 1_200, 7, 2, 0]]);
});

it('after a time without reports it covers the time of a frame', () => {
  expect(
    told([
      { at_ms: 1_000, natives: 1 },
      { at_ms: 5_000, natives: 3 },
    ]),
  ).toEqual([
    [800, 1_000, 1, 0, 0],
    [4_800, 5_000, 3, 0, 0],
  ]);
});

it('a run is told of under the name of its client', () => {
  const names: string[] = [];
  const numberOf = (mode: string) => (names.includes(mode) ? names.indexOf(mode) : names.push(mode) - 1);
  const lane = new RecordLane('visits', { numberOf }, () => 10_000);
  const run = (session: string, agoMs: number) => ({ mode: 'run', session, agoMs, lengthMs: 10, letIn: 40, capped: false });
  const read = { mode: 'read', session: '', agoMs: 50, lengthMs: 10, letIn: 1, capped: false };
  lane.take({ ...quiet, phases: [run('app-1', 90), run('app-2', 70), read, run('', 30)] }, 0, 1_000, 1_000, 200);
  const seen: string[] = [];
  lane.phases({ from_ms: 0, to_ms: 2_000 }, (mode) => seen.push(names[mode]!));
  expect(seen).toEqual(['run of app-1', 'run of app-2', 'read', 'run']);
});
