import { expect, test } from 'vitest';
import { seeded } from '../../../kit/seeded.ts';
import { FLAG_ROWS, layOutFlags, type FlagLayout, type LabelWidths } from './flagLayout.ts';

const WIDTHS: LabelWidths = { full: 150, short: 90, icon: 22 };
const layOut = (poles: readonly number[], width = 1_000) =>
  layOutFlags(
    poles,
    poles.map(() => WIDTHS),
    width,
  );
const rows = (layouts: readonly FlagLayout[]) => layouts.map(({ row }) => row);

/** The boxes of visible labels. */
function boxes(layouts: readonly FlagLayout[], widths: readonly LabelWidths[], width: number) {
  return layouts.flatMap(({ x, row, shift, size, isJoined }, index) =>
    isJoined || x < 0 || x > width ? [] : [{ x, row, from: x - shift, to: x - shift + widths[index]![size] }],
  );
}

test('flags that stand apart share the top row', () => {
  expect(rows(layOut([100, 300, 500]))).toEqual([0, 0, 0]);
});

test('a flag under the previous label goes a row down, and the next one with room goes up again', () => {
  expect(rows(layOut([100, 140, 180, 400]))).toEqual([0, 1, 2, 0]);
});

test('if no row is left, the label in the way is abbreviated', () => {
  const layouts = layOut([100, 140, 180, 300]);
  expect(rows(layouts)).toEqual([0, 1, 2, 0]);
  expect(layouts.map(({ size }) => size)).toEqual(['full', 'full', 'short', 'full']);
});

test('flags too close even for icons join a later flag, which counts them', () => {
  const layouts = layOut([100, 102, 104, 106, 108]);
  expect(layouts.map(({ isJoined }) => isJoined)).toEqual([false, false, true, true, false]);
  expect(layouts.map(({ joined }) => joined)).toEqual([0, 0, 0, 0, 2]);
});

test('the newest flag is shown at the right end too, where others have just been set', () => {
  const layouts = layOut([920, 940, 960, 980, 1_000]);
  expect(layouts.at(-1)).toMatchObject({ isJoined: false, joined: 1 });
});

test('a label at the right end stays within the axis', () => {
  const [only] = layOut([960]);
  expect(only!.x - only!.shift + WIDTHS.full).toBe(1_000);
});

test('a label that is wider than the axis is abbreviated', () => {
  const [only] = layOut([60], 120);
  expect(only).toMatchObject({ size: 'short', shift: 30 });
});

test('flags outside the axis take no room', () => {
  expect(rows(layOut([-40, 20, 1_200]))).toEqual([0, 0, 0]);
});

test('however many flags there are and however narrow the window: no label covers another, none leaves the axis, none is lost', () => {
  const chance = seeded('flags');
  for (let round = 0; round < 150; round += 1) {
    const width = chance.integer(200, 1_200);
    const poles = Array.from({ length: chance.integer(1, 40) }, () => chance.between(0, width)).sort((a, b) => a - b);
    const widths = poles.map(() => {
      const full = chance.integer(40, 320);
      return { full, short: Math.min(full, chance.integer(40, 100)), icon: 22 };
    });
    const layouts = layOutFlags(poles, widths, width);
    expect(layouts.at(-1)!.isJoined, `round ${round}`).toBe(false);
    const shown = boxes(layouts, widths, width);
    for (const [index, box] of shown.entries()) {
      expect(box.row).toBeLessThan(FLAG_ROWS);
      expect(box.from).toBeGreaterThanOrEqual(0);
      expect(box.to).toBeLessThanOrEqual(width);
      for (const other of shown.slice(index + 1)) {
        if (other.row === box.row) expect(other.from, `round ${round}`).toBeGreaterThanOrEqual(box.to);
        // A later pole must not cross a label in its own row or a lower one.
        if (box.row >= other.row) expect(other.x, `round ${round}`).toBeGreaterThanOrEqual(box.to);
      }
    }
    expect(shown.length + layouts.reduce((sum, { joined }) => sum + joined, 0)).toBe(poles.length);
  }
});
