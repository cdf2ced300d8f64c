// HeatGrid: the numbers of the heatmap. Columns are intervals of a round length at fixed positions on the time axis, so that a
// cell's value does not change while the picture moves. Values are per second, whatever the length.

import type { RecordLane } from '../../store/telemetryStore.ts';
import type { Span } from '../../time/timeAxis.ts';

export type HeatFigure = 'operations' | 'conflicts' | 'waitMs';

const WIDTHS_MS = [200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000];

/** The least round length that is at least `least_ms`. */
export function columnWidth_ms(least_ms: number): number {
  return WIDTHS_MS.find((width_ms) => width_ms >= least_ms) ?? WIDTHS_MS.at(-1)!;
}

export class HeatGrid {
  rows = 0;
  columns = 0;
  /** the start of the first column; may be before the span */
  from_ms = 0;
  column_ms = 1;
  /** the greatest value of all cells, per second */
  greatest = 0;
  /** [row * columns + column], per second */
  private values = new Float64Array(0);
  private row = new Float64Array(0);

  /** The last column may have just begun: it covers only the known time, up to `newest_ms`. */
  read(lanes: readonly RecordLane[], span: Span, what: HeatFigure, column_ms: number, newest_ms: number): void {
    this.from_ms = Math.floor(span.from_ms / column_ms) * column_ms;
    this.column_ms = column_ms;
    this.rows = lanes.length;
    this.columns = Math.max(1, Math.ceil((span.to_ms - this.from_ms) / column_ms));
    this.greatest = 0;
    const size = this.rows * this.columns;
    if (this.values.length < size) this.values = new Float64Array(size);
    if (this.row.length !== this.columns) this.row = new Float64Array(this.columns);
    const whole = { from_ms: this.from_ms, to_ms: this.from_ms + this.columns * column_ms };
    for (let row = 0; row < this.rows; row += 1) {
      lanes[row]!.buckets(whole, column_ms, what, this.row);
      for (let column = 0; column < this.columns; column += 1) {
        const known_ms = knownTime_ms(this.from_ms + column * column_ms, column_ms, newest_ms);
        const value = known_ms > 0 ? (this.row[column]! * 1_000) / known_ms : 0;
        this.values[row * this.columns + column] = value;
        if (value > this.greatest) this.greatest = value;
      }
    }
  }

  at(row: number, column: number): number {
    return row < this.rows && column >= 0 && column < this.columns ? this.values[row * this.columns + column]! : 0;
  }

  columnAt(at_ms: number): number {
    return Math.min(this.columns - 1, Math.max(0, Math.floor((at_ms - this.from_ms) / this.column_ms)));
  }
}

/** A frame covers the time before it. */
const FRAME_MS = 200;

/** The known part of a column, ms; 0 for a column that begins after the newest frame. */
export function knownTime_ms(from_ms: number, column_ms: number, newest_ms: number): number {
  return newest_ms < from_ms ? 0 : Math.min(column_ms, newest_ms - from_ms + FRAME_MS);
}
