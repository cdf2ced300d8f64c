import type { Turns } from '@claret/client/telemetry';
import { expect, test } from 'vitest';
import { TurnSeries, type TurnSlice } from './turnSeries.ts';

const ALL = { from_ms: -Infinity, to_ms: Infinity };

const turn = (session: string, agoMs: number, lengthMs: number, more: Partial<Turns> = {}): Turns => ({
  session,
  peer: 1,
  agoMs,
  lengthMs,
  turns: 1,
  waiting: 0,
  recalled: 0,
  timedOut: 0,
  ...more,
});

interface Report {
  at_ms: number;
  ended?: Turns[];
  current?: Turns | null;
  shard?: number;
}

function take(series: TurnSeries, { at_ms, ended = [], current = null, shard = 0 }: Report): void {
  series.take(at_ms, [{ shard, at_ms, telemetry: { turnSlices: ended, turn: current, elapsedMs: 200 } }], at_ms - 600_000);
}

function slicesOf(series: TurnSeries, span = ALL): TurnSlice[] {
  const slices: TurnSlice[] = [];
  series.slices(span, (slice) => slices.push(slice));
  return slices;
}

const told = (series: TurnSeries, span = ALL) =>
  slicesOf(series, span).map(({ client, began_ms, ended_ms }) => [series.modes[client]!.replace('turn of ', ''), began_ms, ended_ms]);

test('turns stand where they were on the time axis', () => {
  const series = new TurnSeries();
  take(series, { at_ms: 1_000, ended: [turn('one', 150, 50), turn('two', 90, 30)] });
  expect(told(series)).toEqual([
    ['one', 850, 900],
    ['two', 910, 940],
  ]);
  expect(told(series, { from_ms: 905, to_ms: 2_000 })).toEqual([['two', 910, 940]]);
});

test('a turn that goes on grows, and stays one when it ends', () => {
  const series = new TurnSeries();
  take(series, { at_ms: 1_000, current: turn('one', 100, 100) });
  expect(slicesOf(series)).toMatchObject([{ began_ms: 900, ended_ms: 1_000, isOpen: true }]);
  take(series, { at_ms: 1_200, current: turn('one', 300, 300) });
  expect(told(series)).toEqual([['one', 900, 1_200]]);
  take(series, { at_ms: 1_400, ended: [turn('one', 500, 350, { waiting: 2, recalled: 1 })], current: turn('two', 150, 150) });
  expect(told(series)).toEqual([
    ['one', 900, 1_250],
    ['two', 1_250, 1_400],
  ]);
  expect(slicesOf(series)[0]).toMatchObject({ waiting: 2, recalled: 1, isOpen: false });
});

test('the next turn of the same client is another one', () => {
  const series = new TurnSeries();
  take(series, { at_ms: 1_000, current: turn('one', 100, 100) });
  take(series, { at_ms: 1_200, ended: [turn('one', 300, 120)], current: turn('one', 180, 180) });
  expect(told(series)).toEqual([
    ['one', 900, 1_020],
    ['one', 1_020, 1_200],
  ]);
});

test('a turn of a shard that is silent does not go on for ever', () => {
  const series = new TurnSeries();
  take(series, { at_ms: 1_000, current: turn('one', 100, 100) });
  series.take(1_500, [], 0);
  expect(told(series)).toEqual([['one', 900, 1_500]]);
  series.take(9_000, [], 0);
  expect(told(series)).toEqual([['one', 900, 1_000]]);
});

test('sessions of one name are kept apart', () => {
  const series = new TurnSeries();
  take(series, {
    at_ms: 1_000,
    ended: [turn('app', 150, 10), turn('app', 130, 10, { peer: 7 }), turn('', 100, 10, { peer: 8 }), turn('app', 50, 10)],
  });
  expect(told(series).map(([name]) => name)).toEqual(['app', 'app (session 7 at shard 0)', 'session 8 at shard 0', 'app']);
  take(series, { at_ms: 1_200, ended: [turn('app', 100, 10, { peer: 7 })] });
  expect(told(series).at(-1)![0]).toBe('app (session 7 at shard 0)');
  take(series, { at_ms: 4_000, ended: [turn('app', 100, 10, { peer: 9 })] });
  expect(told(series).at(-1)![0], 'the client has connected again').toBe('app');
  take(series, { at_ms: 4_200, ended: [turn('app', 100, 10, { peer: 3 })], shard: 1 });
  expect(told(series).at(-1)![0], 'another sequencer numbers its sessions anew').toBe('app');
});

test('as a lane it has the others that wait above each turn', () => {
  const series = new TurnSeries();
  take(series, { at_ms: 1_000, ended: [turn('one', 150, 50, { waiting: 3, timedOut: 1 })] });
  const queues: number[][] = [];
  series.queues(ALL, (at_ms, mode, _holders, waiting) => queues.push([at_ms, mode, waiting]));
  expect(queues).toEqual([
    [850, 0, 3],
    [900, 0, 0],
  ]);
  const phases: unknown[] = [];
  series.phases(ALL, (...phase) => phases.push(phase));
  expect(phases).toEqual([[1, 850, 900, 1, true]]);
});

test('what is old, or was cleared, is gone; names are bounded', () => {
  const series = new TurnSeries();
  for (let at_ms = 1_000; at_ms < 100_000; at_ms += 1_000) take(series, { at_ms, ended: [turn(`app ${at_ms}`, 150, 50)] });
  expect(series.modes.length).toBeLessThanOrEqual(26);
  take(series, { at_ms: 690_000 });
  expect(told(series)[0]![2]).toBeGreaterThanOrEqual(88_000);
  series.clear();
  expect(series.isEmpty).toBe(true);
});
