// LaneColumns: the activity of one lane in each column of pixels. Phases may be shorter than a pixel: a column holds each mode's
// share of its time, the number of phases that ended in it, and how many of these were ended by their time limit. For queues it
// holds the greatest depth; for natives the rate, and whether one waited or broke a holder; for warranties the share of its time in which one
// stood, and in which a change waited for an end. One object serves all lanes in turn, and allocates only when the picture or the number of modes
// grows.

import type { TimeScale } from '../../chart/timeScale.ts';
import type { RecordLane, ToldWarranty } from '../../store/telemetryStore.ts';

/** A phase at least this wide, in columns, is also kept separately, to be drawn with its pattern and its name. */
const WIDE_COLUMNS = 6;
/** Telemetry reports queues with each frame: a report holds until the next, but no longer than this. */
export const QUEUE_STANDS_MS = 500;

/** A native has begun to wait. */
export const NATIVE_WAITED = 1;
/** A native has ended a holder. */
export const NATIVE_BROKE = 2;

/** What a lane's picture is made of. */
export type DrawnLane = Pick<RecordLane, 'phases' | 'queues' | 'natives'> & Partial<Pick<RecordLane, 'warranties'>>;

/** From and to in columns, not clipped to the picture. Grows and never shrinks. */
export class WidePhases {
  count = 0;
  lane = new Uint16Array(256);
  mode = new Uint8Array(256);
  isCapped = new Uint8Array(256);
  from = new Float64Array(256);
  to = new Float64Array(256);

  add(lane: number, mode: number, from: number, to: number, isCapped: boolean): void {
    if (this.count === this.lane.length) this.grow();
    const place = this.count++;
    this.lane[place] = lane;
    this.mode[place] = mode;
    this.isCapped[place] = isCapped ? 1 : 0;
    this.from[place] = from;
    this.to[place] = to;
  }

  private grow(): void {
    const twice = <A extends Uint8Array | Uint16Array | Float64Array>(column: A, make: new (length: number) => A): A => {
      const wider = new make(column.length * 2);
      wider.set(column);
      return wider;
    };
    this.lane = twice(this.lane, Uint16Array);
    this.mode = twice(this.mode, Uint8Array);
    this.isCapped = twice(this.isCapped, Uint8Array);
    this.from = twice(this.from, Float64Array);
    this.to = twice(this.to, Float64Array);
  }
}

export class LaneColumns {
  columns = 0;
  modes = 0;
  /** [column * modes + mode]: the mode's share of the column's time, 0..1 */
  shares = new Float32Array(0);
  /** [column * modes + mode]: the most claims that waited at once */
  depths = new Float32Array(0);
  /** [column]: phases that ended in it, and those of them that their time limit ended */
  ended = new Float32Array(0);
  capped = new Float32Array(0);
  /** [column]: natives per second */
  natives = new Float32Array(0);
  /** [column]: NATIVE_WAITED and NATIVE_BROKE, as bits */
  nativeMarks = new Uint8Array(0);
  /** [column]: the share of its time in which a warranty stood, and in which a change waited for the end of one; at most about 1 */
  warranted = new Float32Array(0);
  recalled = new Float32Array(0);
  /** the greatest rate of natives of any column */
  natives_max = 0;
  /** the greatest depth of any column, all modes together */
  depth_max = 0;

  /** the wide phases of all lanes since `begin` */
  readonly wides = new WidePhases();

  private from_ms = 0;
  private column_ms = 1;
  private newest_ms = 0;
  private lane = 0;
  /** [mode]: the last report, and its time */
  private queueAt_ms = new Float64Array(0);
  private queueWaiting = new Float64Array(0);

  /** Begins a picture of lanes. */
  begin(): void {
    this.wides.count = 0;
  }

  /** Reads the lane at `index` of the picture. `newest_ms`: a phase that ends there has not ended. */
  read(index: number, lane: DrawnLane, time: TimeScale, ratio: number, modes: number, newest_ms: number): void {
    this.clear(Math.max(1, Math.round((time.right - time.left) * ratio)), modes);
    this.from_ms = time.from_ms;
    this.column_ms = time.ms_per_px / ratio;
    this.newest_ms = newest_ms;
    this.lane = index;
    const { from_ms, to_ms } = time;
    lane.phases({ from_ms, to_ms }, this.addPhase);
    lane.queues({ from_ms: from_ms - QUEUE_STANDS_MS, to_ms }, this.addQueue);
    for (let mode = 0; mode < modes; mode += 1) this.fillQueue(mode, Math.min(newest_ms, to_ms));
    lane.natives({ from_ms, to_ms }, this.addNatives);
    lane.warranties?.({ from_ms, to_ms }, this.addWarranty);
    this.findDeepest();
  }

  private clear(columns: number, modes: number): void {
    if (modes > this.queueWaiting.length) {
      this.queueAt_ms = new Float64Array(modes);
      this.queueWaiting = new Float64Array(modes);
    }
    this.queueWaiting.fill(0);
    if (columns * modes > this.shares.length || columns > this.ended.length) {
      this.shares = new Float32Array(columns * modes);
      this.depths = new Float32Array(columns * modes);
      this.ended = new Float32Array(columns);
      this.capped = new Float32Array(columns);
      this.natives = new Float32Array(columns);
      this.nativeMarks = new Uint8Array(columns);
      this.warranted = new Float32Array(columns);
      this.recalled = new Float32Array(columns);
    } else {
      this.shares.fill(0, 0, columns * modes);
      this.depths.fill(0, 0, columns * modes);
      this.ended.fill(0, 0, columns);
      this.capped.fill(0, 0, columns);
      this.natives.fill(0, 0, columns);
      this.nativeMarks.fill(0, 0, columns);
      this.warranted.fill(0, 0, columns);
      this.recalled.fill(0, 0, columns);
    }
    this.natives_max = 0;
    this.columns = columns;
    this.modes = modes;
  }

  private readonly addPhase = (mode: number, began_ms: number, ended_ms: number, _letIn: number, isCapped: boolean): void => {
    const from = (began_ms - this.from_ms) / this.column_ms;
    const to = (ended_ms - this.from_ms) / this.column_ms;
    if (to < 0 || from >= this.columns || mode >= this.modes) return;
    this.share(this.shares, this.modes, mode, Math.max(0, from), Math.min(this.columns, to));
    if (to - from >= WIDE_COLUMNS) this.wides.add(this.lane, mode, from, to, isCapped);
    if (ended_ms >= this.newest_ms || to >= this.columns) return;
    const last = Math.floor(to);
    this.ended[last]! += 1;
    if (isCapped) this.capped[last]! += 1;
  };

  /** Adds the time from one place to another, in columns, to each column's share: at `column * pitch + offset`. */
  private share(shares: Float32Array, pitch: number, offset: number, from: number, to: number): void {
    const [first, last] = [Math.floor(from), Math.floor(to)];
    if (first === last) {
      if (first < this.columns) shares[first * pitch + offset]! += to - from;
      return;
    }
    shares[first * pitch + offset]! += first + 1 - from;
    for (let column = first + 1; column < last; column += 1) shares[column * pitch + offset]! += 1;
    if (last < this.columns) shares[last * pitch + offset]! += to - last;
  }

  private readonly addWarranty = ({ began_ms, ended_ms, recalled_ms }: ToldWarranty): void => {
    const place = (at_ms: number) => Math.min(this.columns, Math.max(0, (at_ms - this.from_ms) / this.column_ms));
    const [from, recalled, to] = [place(began_ms), place(recalled_ms), place(ended_ms)];
    if (to > from) this.share(this.warranted, 1, 0, from, to);
    if (to > recalled) this.share(this.recalled, 1, 0, recalled, to);
  };

  /** A report on a mode holds until the next one. */
  private readonly addQueue = (at_ms: number, mode: number, _holders: number, waiting: number): void => {
    if (mode >= this.modes) return;
    this.fillQueue(mode, at_ms);
    this.queueAt_ms[mode] = at_ms;
    this.queueWaiting[mode] = waiting;
  };

  private fillQueue(mode: number, to_ms: number): void {
    const waiting = this.queueWaiting[mode]!;
    if (waiting === 0) return;
    const from_ms = this.queueAt_ms[mode]!;
    const from = Math.max(0, Math.floor((from_ms - this.from_ms) / this.column_ms));
    const to = Math.min(this.columns, Math.ceil((Math.min(to_ms, from_ms + QUEUE_STANDS_MS) - this.from_ms) / this.column_ms));
    for (let column = from; column < to; column += 1) {
      const place = column * this.modes + mode;
      if (waiting > this.depths[place]!) this.depths[place] = waiting;
    }
  }

  /** A report counts for all columns that its time touches; where two reports touch a column, the higher rate. */
  private readonly addNatives = (from_ms: number, to_ms: number, natives: number, waits: number, breaks: number): void => {
    const from = Math.max(0, Math.floor((from_ms - this.from_ms) / this.column_ms));
    const to = Math.min(this.columns, Math.ceil((to_ms - this.from_ms) / this.column_ms));
    const per_s = (1_000 * natives) / Math.max(1, to_ms - from_ms);
    const marks = (waits > 0 ? NATIVE_WAITED : 0) | (breaks > 0 ? NATIVE_BROKE : 0);
    for (let column = from; column < to; column += 1) {
      this.natives[column] = Math.max(this.natives[column]!, per_s);
      this.nativeMarks[column]! |= marks;
    }
    if (to > from) this.natives_max = Math.max(this.natives_max, per_s);
  };

  private findDeepest(): void {
    let deepest = 0;
    for (let place = 0; place < this.columns * this.modes; place += this.modes) {
      let depth = 0;
      for (let mode = 0; mode < this.modes; mode += 1) depth += this.depths[place + mode]!;
      if (depth > deepest) deepest = depth;
    }
    this.depth_max = deepest;
  }
}
