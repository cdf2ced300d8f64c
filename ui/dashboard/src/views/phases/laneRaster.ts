// LaneRaster: the activity of a lane as pixels. From top to bottom: the depth of its queues (modes stacked), a thin band while a warranty stood,
// hatched while a change waited for its end, a rail that marks time limits that ended phases, the bands of the modes that had the record, and the comb of its natives. The comb has more teeth the more
// natives there were, on a logarithmic scale; where natives waited, the teeth have gaps. If several modes had the record in a column, they share
// the band in proportion to their time. A share of less than a pixel shows in a proportional number of columns, by a threshold that
// is fixed in time, so that nothing flickers when the picture moves.

import { NATIVE_WAITED, type LaneColumns } from './laneColumns.ts';

/** heights in a lane, in device pixels */
export interface LaneRows {
  queue: number;
  /** the band of warranties */
  warranty: number;
  rail: number;
  band: number;
  comb: number;
}

const GOLDEN_FRACTION = 0.6180339887498949;
/** The rate of natives from which the comb is solid. */
const SOLID_PER_S = 100_000;
/** between the band and the comb, in device pixels */
export const COMB_GAP = 1;
/** between the band of warranties and what is below, in device pixels */
const WARRANTY_GAP = 1;
/** Distance of the strokes where it is hatched, in device pixels. */
const HATCH = 3;

/** The share of columns with a tooth: on a logarithmic scale, from one native per second to SOLID_PER_S. */
export const combDensity = (natives_per_s: number): number =>
  Math.min(1, Math.max(0.08, Math.log10(natives_per_s) / Math.log10(SOLID_PER_S)));

/** Colours as pixels. */
export interface LaneInks {
  /** of the rail and the comb */
  ink: number;
  standing: number;
  recalled: number;
}

export class LaneRaster {
  width = 0;
  height = 0;
  rows: LaneRows = { queue: 0, warranty: 0, rail: 0, band: 0, comb: 0 };
  pixels = new Uint32Array(0);
  /** the index of the lane's first pixel */
  private base = 0;

  /** REQUIRES: `clear` before anything is drawn. */
  resize(width: number, height: number, rows: LaneRows): void {
    if (width * height !== this.pixels.length) this.pixels = new Uint32Array(width * height);
    this.width = width;
    this.height = height;
    this.rows = rows;
  }

  /** Makes all pixels transparent. */
  clear(): void {
    this.pixels.fill(0);
  }

  /**
   * Draws a lane whose first row is `top`. `colours`: pixels by mode; `inks`: of the rest; `depth_max`: the depth that fills the queue's rows;
   * `firstColumn`: the number of the first column on the time axis, for the thresholds.
   */
  draw(top: number, lane: LaneColumns, colours: Uint32Array, inks: LaneInks, depth_max: number, firstColumn: number): void {
    const { queue, warranty, rail, band, comb } = this.rows;
    const { ink } = inks;
    const railTop = queue + warranty;
    const bottom = railTop + rail + band;
    this.base = top * this.width;
    for (let column = 0; column < lane.columns; column += 1) {
      const threshold = ((firstColumn + column) * GOLDEN_FRACTION) % 1;
      this.drawBand(lane, column, colours, bottom, band, threshold);
      const capped = lane.capped[column]!;
      if (capped > 0) this.fill(column, railTop, railTop + Math.max(1, Math.round((rail * capped) / lane.ended[column]!)), ink);
      if (lane.warranted[column]! > threshold) this.fill(column, queue, queue + warranty - WARRANTY_GAP, inks.standing);
      if (lane.recalled[column]! > 0) this.drawRecalled(column, queue, warranty - WARRANTY_GAP, inks.recalled, firstColumn);
      if (lane.depth_max > 0) this.drawQueue(lane, column, colours, depth_max);
      if (lane.natives[column]! > 0) this.drawTooth(lane, column, bottom + COMB_GAP, comb, ink, threshold, firstColumn);
    }
  }

  private drawBand(lane: LaneColumns, column: number, colours: Uint32Array, bottom: number, rows: number, threshold: number): void {
    const first = column * lane.modes;
    let sum = 0;
    let from = 0;
    for (let mode = 0; mode < lane.modes; mode += 1) {
      const share = lane.shares[first + mode]!;
      if (share === 0) continue;
      sum += share;
      const to = Math.min(rows, Math.floor(sum * rows + Math.max(1e-3, threshold)));
      this.fill(column, bottom - to, bottom - from, colours[mode]!);
      from = to;
    }
  }

  /** However short it was: a change has waited. */
  private drawRecalled(column: number, top: number, rows: number, pixel: number, firstColumn: number): void {
    for (let row = 0; row < rows; row += 1) {
      this.fill(column, top + row, top + row + 1, (firstColumn + column + row) % HATCH === 0 ? 0 : pixel);
    }
  }

  private drawTooth(
    lane: LaneColumns,
    column: number,
    top: number,
    rows: number,
    ink: number,
    threshold: number,
    firstColumn: number,
  ): void {
    if (combDensity(lane.natives[column]!) <= threshold) return;
    const isHatched = (lane.nativeMarks[column]! & NATIVE_WAITED) !== 0;
    for (let row = 0; row < rows; row += 1) {
      if (!isHatched || (firstColumn + column + row) % HATCH === 0) this.fill(column, top + row, top + row + 1, ink);
    }
  }

  private drawQueue(lane: LaneColumns, column: number, colours: Uint32Array, depth_max: number): void {
    const first = column * lane.modes;
    const rows = this.rows.queue;
    let sum = 0;
    let from = 0;
    for (let mode = 0; mode < lane.modes; mode += 1) {
      const depth = lane.depths[first + mode]!;
      if (depth === 0) continue;
      sum += depth;
      // The square root keeps a queue of three visible beside a queue of three hundred.
      const to = Math.min(rows, Math.max(from + 1, Math.round(Math.sqrt(sum / depth_max) * rows)));
      this.fill(column, rows - to, rows - from, colours[mode]!);
      from = to;
    }
  }

  /** Rows [from, to) of a column. */
  private fill(column: number, from: number, to: number, pixel: number): void {
    const { pixels, width, base } = this;
    const end = base + to * width;
    for (let place = base + from * width + column; place < end; place += width) pixels[place] = pixel;
  }
}
