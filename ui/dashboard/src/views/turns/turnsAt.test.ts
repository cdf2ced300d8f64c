import { expect, test } from 'vitest';
import type { TurnSeries, TurnSlice } from '../../store/telemetryStore.ts';
import { clientTurns, turnsAt } from './turnsAt.ts';

const slice = (client: number, began_ms: number, ended_ms: number, more: Partial<TurnSlice> = {}): TurnSlice => ({
  client,
  began_ms,
  ended_ms,
  turns: 1,
  waiting: 0,
  recalled: 0,
  timedOut: 0,
  isOpen: false,
  ...more,
});

const seriesOf = (slices: TurnSlice[]) =>
  ({ slices: (_: unknown, visit: (one: TurnSlice) => void) => slices.forEach(visit) }) as unknown as TurnSeries;

const series = seriesOf([
  slice(1, 0, 10, { waiting: 1, recalled: 1 }),
  slice(2, 10, 40, { timedOut: 1, recalled: 1, waiting: 2 }),
  slice(1, 40, 60, { turns: 10, recalled: 9 }),
]);

test('each client has its share of the time, the greatest first', () => {
  expect(clientTurns(series, { from_ms: 0, to_ms: 100 })).toEqual([
    { client: 1, turns: 11, share: expect.closeTo(0.3), mean_ms: 30 / 11, longest_ms: 10, waiting: 1, recalled: 10, timedOut: 0 },
    { client: 2, turns: 1, share: expect.closeTo(0.3), mean_ms: 30, longest_ms: 30, waiting: 2, recalled: 1, timedOut: 1 },
  ]);
  expect(clientTurns(series, { from_ms: 30, to_ms: 50 }).map(({ client, share }) => [client, share])).toEqual([
    [1, 0.5],
    [2, 0.5],
  ]);
});

test('a pixel tells of one turn, of the shares of several, or of none', () => {
  expect(turnsAt(series, { from_ms: 20, to_ms: 21 })).toMatchObject({ only: { client: 2, began_ms: 10 }, clients: [] });
  expect(turnsAt(series, { from_ms: 35, to_ms: 45 })).toMatchObject({ only: null, clients: [{ share: 0.5 }, { share: 0.5 }] });
  expect(turnsAt(series, { from_ms: 70, to_ms: 80 })).toEqual({ only: null, clients: [] });
});
