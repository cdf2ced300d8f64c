// LaneRaster: the activity of a lane as pixels. From top to bottom: the depth of its queues (modes stacked), a rail that marks time
// limits that ended phases, and the bands of the modes that had the record. If several modes had the record in a column, they share
// the band in proportion to their time. A share of less than a pixel shows in a proportional number of columns, by a threshold that
// is fixed in time, so that nothing flickers when the picture moves.

import type { LaneColumns } from './laneColumns.ts';

/** heights in a lane, in device pixels */
export interface LaneRows {
  queue: number;
  rail: number;
  band: number;
}

const GOLDEN_FRACTION = 0.6180339887498949;

export class LaneRaster {
  width = 0;
  height = 0;
  rows: LaneRows = { queue: 0, rail: 0, band: 0 };
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
   * Draws a lane whose first row is `top`. `colours`: pixels by mode; `limitColour`: the rail's colour; `depth_max`: the depth that
   * fills the queue's rows; `firstColumn`: the number of the first column on the time axis, for the thresholds.
   */
  draw(top: number, lane: LaneColumns, colours: Uint32Array, limitColour: number, depth_max: number, firstColumn: number): void {
    const { queue, rail, band } = this.rows;
    const bottom = queue + rail + band;
    this.base = top * this.width;
    for (let column = 0; column < lane.columns; column += 1) {
      const threshold = ((firstColumn + column) * GOLDEN_FRACTION) % 1;
      this.drawBand(lane, column, colours, bottom, band, threshold);
      const capped = lane.capped[column]!;
      if (capped > 0) this.fill(column, queue, queue + Math.max(1, Math.round((rail * capped) / lane.ended[column]!)), limitColour);
      if (lane.depth_max > 0) this.drawQueue(lane, column, colours, depth_max);
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
