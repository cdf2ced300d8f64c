import { seeded } from '@claret/ui/kit/seeded.ts';
import { expect, test } from 'vitest';
import { timeScale } from '../../chart/timeScale.ts';
import type { NativesVisitor, PhaseVisitor, QueueVisitor, RecordLane, ToldWarranty } from '../../store/telemetryStore.ts';
import { LaneColumns, NATIVE_BROKE, NATIVE_WAITED } from './laneColumns.ts';
import { combDensity, LaneRaster, type LaneInks } from './laneRaster.ts';

type ToldPhase = [mode: number, began_ms: number, ended_ms: number, capped?: boolean];
type ToldNatives = Parameters<NativesVisitor>;
type Promised = [began_ms: number, recalled_ms: number, ended_ms: number];
type ToldQueue = [at_ms: number, mode: number, waiting: number];

const inks = (ink: number): LaneInks => ({ ink, standing: 2, recalled: 3 });

const laneOf = (phases: ToldPhase[], queues: ToldQueue[] = [], natives: ToldNatives[] = [], warranties: Promised[] = []) =>
  ({
    phases: (_: unknown, visit: PhaseVisitor) =>
      phases.forEach(([mode, began, ended, capped]) => visit(mode, began, ended, 1, capped ?? false)),
    queues: (_: unknown, visit: QueueVisitor) => queues.forEach(([at_ms, mode, waiting]) => visit(at_ms, mode, 0, waiting)),
    natives: (_: unknown, visit: NativesVisitor) => natives.forEach((told) => visit(...told)),
    warranties: (_: unknown, visit: (told: ToldWarranty) => void) =>
      warranties.forEach(([began_ms, recalled_ms, ended_ms]) => visit({ began_ms, recalled_ms, ended_ms } as ToldWarranty)),
  }) as unknown as RecordLane;

/** 10 columns of 100 ms by default. */
function read(
  phases: ToldPhase[],
  queues: ToldQueue[] = [],
  {
    width = 10,
    from_ms = 0,
    to_ms = 1_000,
    newest_ms = 1_000,
    modes = 2,
    natives = [],
    warranties = [],
  }: {
    width?: number;
    from_ms?: number;
    to_ms?: number;
    newest_ms?: number;
    modes?: number;
    natives?: ToldNatives[];
    warranties?: Promised[];
  } = {},
) {
  const columns = new LaneColumns();
  columns.begin();
  columns.read(0, laneOf(phases, queues, natives, warranties), timeScale({ from_ms, to_ms }, 0, width), 1, modes, newest_ms);
  return columns;
}
const sharesOf = (columns: LaneColumns, mode: number) =>
  Array.from({ length: columns.columns }, (_, column) => Number(columns.shares[column * columns.modes + mode]!.toFixed(3)));

test('phases shorter than a pixel share it in proportion to their time: the last one does not win', () => {
  const phases: ToldPhase[] = Array.from({ length: 20 }, (_, index) => [1, index * 5, index * 5 + 4]);
  const columns = read([[0, 90, 95], ...phases.slice(0, 18)]);
  expect(sharesOf(columns, 0)[0]).toBe(0.05);
  expect(sharesOf(columns, 1)[0]).toBe(0.72);
});

test('a phase fills the pixels that it spans, and part of the pixels in which it begins and ends', () => {
  expect(sharesOf(read([[0, 150, 420]]), 0)).toEqual([0, 0.5, 1, 1, 0.2, 0, 0, 0, 0, 0]);
  expect(
    sharesOf(
      read([
        [0, -500, 50],
        [1, 950, 5_000],
      ]),
      0,
    )[0],
  ).toBe(0.5);
  expect(sharesOf(read([[1, 950, 5_000]]), 1)[9]).toBe(0.5);
});

test('the shares of all pixels add up to the length of the phases, wherever they lie', () => {
  const seed = `lanes-${Date.now() % 1_000_000}`;
  const chance = seeded(seed);
  for (let round = 0; round < 50; round += 1) {
    const phases: ToldPhase[] = [];
    let at_ms = -chance.between(0, 300);
    while (at_ms < 1_200) {
      const began_ms = at_ms + (chance.chance(0.5) ? 0 : chance.between(0, 40));
      at_ms = began_ms + chance.between(0.1, chance.chance(0.2) ? 400 : 12);
      phases.push([chance.integer(0, 1), began_ms, at_ms]);
    }
    const columns = read(phases, [], { width: chance.integer(3, 700) });
    const column_ms = 1_000 / columns.columns;
    for (const mode of [0, 1]) {
      const expected = phases
        .filter(([of]) => of === mode)
        .reduce((sum, [, from, to]) => sum + Math.max(0, Math.min(1_000, to) - Math.max(0, from)), 0);
      const drawn = columns.shares
        .slice(0, columns.columns * 2)
        .reduce((sum, share, place) => sum + (place % 2 === mode ? share * column_ms : 0), 0);
      expect(drawn, `seed ${seed}, round ${round}`).toBeCloseTo(expected, 1);
    }
  }
});

test('zoomed in, each phase is drawn separately, and is marked if its time limit ended it', () => {
  const phases: ToldPhase[] = [
    [0, 100, 105, true],
    [1, 105, 112],
    [0, 112, 119],
  ];
  const far = read(phases, [], { width: 100, to_ms: 10_000, newest_ms: 10_000 });
  expect(far.wides.count).toBe(0);
  expect([far.ended[1], far.capped[1]]).toEqual([3, 1]);
  const near = read(phases, [], { width: 100, from_ms: 90, to_ms: 130, newest_ms: 10_000 });
  expect(near.wides.count).toBe(3);
  expect([...near.wides.isCapped.slice(0, 3)]).toEqual([1, 0, 0]);
});

test('a phase in progress has not ended', () => {
  const columns = read([[0, 100, 900]], [], { newest_ms: 900 });
  expect(columns.ended.some((count) => count > 0)).toBe(false);
});

test('a queue keeps its depth until the next report or its expiry, and a pixel shows the greatest depth', () => {
  const depths = (columns: LaneColumns, mode: number) => Array.from({ length: 10 }, (_, column) => columns.depths[column * 2 + mode]);
  expect(
    depths(
      read(
        [],
        [
          [0, 0, 3],
          [200, 0, 7],
          [230, 0, 1],
          [400, 0, 0],
        ],
      ),
      0,
    ),
  ).toEqual([3, 3, 7, 1, 0, 0, 0, 0, 0, 0]);
  expect(depths(read([], [[100, 1, 4]]), 1)).toEqual([0, 4, 4, 4, 4, 4, 0, 0, 0, 0]);
  expect(
    read(
      [],
      [
        [100, 0, 4],
        [100, 1, 5],
      ],
    ).depth_max,
  ).toBe(9);
});

test('a mode with a small share of each pixel is shown in a proportional number of pixels', () => {
  const width = 1_000;
  const columns = read(
    Array.from({ length: width }, (_, index) => [0, index, index + 0.02]),
    [],
    { width },
  );
  const raster = new LaneRaster();
  raster.resize(width, 10, { queue: 0, warranty: 0, rail: 0, band: 10, comb: 0 });
  raster.clear();
  raster.draw(0, columns, Uint32Array.of(7, 9), inks(1), 1, 12_345_678_901);
  const drawn = raster.pixels.filter((pixel) => pixel === 7).length;
  expect(drawn).toBeGreaterThan(0.015 * width * 10);
  expect(drawn).toBeLessThan(0.025 * width * 10);
});

test('a report of natives counts for all pixels that its time touches', () => {
  const natives: ToldNatives[] = [
    [100, 300, 40, 0, 2],
    [300, 500, 0, 1, 0],
  ];
  const columns = read([], [], { natives });
  expect([...columns.natives.subarray(0, 6)]).toEqual([0, 200, 200, 0, 0, 0]);
  expect([...columns.nativeMarks.subarray(0, 6)]).toEqual([0, NATIVE_BROKE, NATIVE_BROKE, NATIVE_WAITED, NATIVE_WAITED, 0]);
  expect(columns.natives_max).toBe(200);
});

test('the comb has more teeth the more natives there are, and gaps where some waited', () => {
  const width = 1_000;
  const teeth = (natives: number, waits: number): number => {
    const columns = read([], [], { width, natives: [[0, 1_000, natives, waits, 0]] });
    const raster = new LaneRaster();
    raster.resize(width, 4, { queue: 0, warranty: 0, rail: 0, band: 0, comb: 3 });
    raster.clear();
    raster.draw(0, columns, Uint32Array.of(7, 9), inks(5), 1, 12_345_678_901);
    return raster.pixels.filter((pixel) => pixel === 5).length;
  };
  const [few, some, many] = [teeth(2, 0), teeth(100, 0), teeth(50_000, 0)];
  expect(few).toBeGreaterThan(0);
  expect(some).toBeGreaterThan(2 * few);
  expect(many).toBeGreaterThan(2 * some);
  expect(many).toBeLessThan(3 * width);
  expect(teeth(50_000, 1)).toBeLessThan(0.5 * many);
  expect(combDensity(1e9)).toBe(1);
});

test('a warranty is a band from its beginning to its end, hatched from its recall on', () => {
  const columns = read([], [], {
    warranties: [
      [150, 500, 500],
      [700, 850, 950],
    ],
  });
  const rounded = (shares: Float32Array) => [...shares.subarray(0, 10)].map((share) => Number(share.toFixed(2)));
  expect(rounded(columns.warranted)).toEqual([0, 0.5, 1, 1, 1, 0, 0, 1, 1, 0.5]);
  expect(rounded(columns.recalled)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0.5, 0.5]);
  const raster = new LaneRaster();
  raster.resize(10, 4, { queue: 0, warranty: 4, rail: 0, band: 0, comb: 0 });
  raster.clear();
  raster.draw(0, columns, Uint32Array.of(7, 9), inks(5), 1, 0);
  const row = (at: number) => [...raster.pixels.subarray(10 * at, 10 * at + 10)];
  expect(row(0).slice(2, 8)).toEqual([2, 2, 2, 0, 0, 2]);
  const hatched = [0, 1, 2].flatMap((at) => row(at).slice(8));
  expect(hatched.filter((pixel) => pixel === 3)).toHaveLength(4);
  expect(hatched.filter((pixel) => pixel === 0)).toHaveLength(2);
  expect(row(3), 'the gap').toEqual(Array(10).fill(0));
});

test('a change that waited for less than a pixel is seen', () => {
  const columns = read([], [], { warranties: [[0, 499.5, 500]] });
  expect(columns.recalled[4]).toBeGreaterThan(0);
});
