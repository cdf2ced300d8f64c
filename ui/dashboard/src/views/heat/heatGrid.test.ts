import { expect, test } from 'vitest';
import { TelemetryStore } from '../../store/telemetryStore.ts';
import { SyntheticCluster } from '../../testing/synthetic.ts';
import { HeatGrid, columnWidth_ms } from './heatGrid.ts';

function filled(frames: number) {
  const store = new TelemetryStore();
  for (const message of new SyntheticCluster({ hotRecords: 4 }).messages(frames)) store.take(message);
  return store;
}
const totalOf = (grid: HeatGrid) => {
  let total = 0;
  for (let row = 0; row < grid.rows; row += 1) for (let column = 0; column < grid.columns; column += 1) total += grid.at(row, column);
  return total;
};

test('columns have a round length, and are long enough', () => {
  expect([1, 200, 201, 1_500, 40_000, 1e9].map(columnWidth_ms)).toEqual([200, 200, 500, 2_000, 60_000, 60_000]);
});

test('cells are per second, and add up to the records’ counts', () => {
  const store = filled(100);
  const span = { from_ms: store.oldest_ms!, to_ms: store.newest_ms! + 1 };
  const lanes = store.records.lanes(span, 'operations', 8);
  const grid = new HeatGrid();
  grid.read(lanes, span, 'operations', 2_000, store.newest_ms! + 60_000);
  const counted = lanes.reduce((sum, lane) => sum + lane.counts(span).operations, 0);
  expect(counted).toBeGreaterThan(1_000);
  expect(totalOf(grid) * 2).toBeCloseTo(counted);
  expect(grid.greatest).toBeLessThanOrEqual(totalOf(grid));
});

test('a cell keeps its value while the picture moves', () => {
  const store = filled(100);
  const newest_ms = store.newest_ms!;
  const lanes = store.records.lanes({ from_ms: newest_ms - 10_000, to_ms: newest_ms }, 'operations', 8);
  const at_ms = newest_ms - 5_000;
  const seen = new Set<number>();
  for (let shift_ms = 0; shift_ms < 4_000; shift_ms += 130) {
    const grid = new HeatGrid();
    grid.read(lanes, { from_ms: newest_ms - 10_000 + shift_ms, to_ms: newest_ms + shift_ms }, 'operations', 1_000, newest_ms);
    seen.add(grid.at(0, grid.columnAt(at_ms)));
  }
  expect(seen.size).toBe(1);
});

test('a column that has just begun covers only the known time, and later columns are empty', () => {
  const store = filled(100);
  const newest_ms = store.newest_ms!;
  const lanes = store.records.lanes({ from_ms: newest_ms - 10_000, to_ms: newest_ms }, 'operations', 1);
  const grid = new HeatGrid();
  grid.read(lanes, { from_ms: newest_ms - 8_000, to_ms: newest_ms + 9_000 }, 'operations', 5_000, newest_ms);
  const column = grid.columnAt(newest_ms);
  const begun_ms = grid.from_ms + column * 5_000;
  const known_ms = newest_ms - begun_ms + 200;
  expect(grid.at(0, column)).toBeCloseTo((lanes[0]!.counts({ from_ms: begun_ms, to_ms: newest_ms + 1 }).operations * 1_000) / known_ms);
  expect(grid.at(0, column + 1)).toBe(0);
});
