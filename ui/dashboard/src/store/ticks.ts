// The common time of all figures: one tick per frame, in a ring, numbered from 0. Columns of figures refer to ticks: running
// totals, of which the sum over any span is one subtraction, and gauges, which have a value at each tick.
//
// Invariants: at(tick) never decreases; end - first <= capacity; a column's `begin()` is called once for each tick.
import type { Span } from './span.ts';

export class Ticks {
  readonly capacity: number;
  /** the oldest tick in the ring */
  first = 0;
  /** one past the newest */
  end = 0;
  private readonly times: Float64Array;
  private readonly lengths: Float64Array;

  /** `capacity`: a power of two. */
  constructor(capacity: number) {
    this.capacity = capacity;
    this.times = new Float64Array(capacity);
    this.lengths = new Float64Array(capacity);
  }

  slot(tick: number): number {
    return tick & (this.capacity - 1);
  }

  /** Adds a tick for the `elapsed_ms` before `at_ms`. Ticks from before `oldest_ms` are forgotten. */
  add(at_ms: number, elapsed_ms: number, oldest_ms: number): void {
    const slot = this.slot(this.end);
    this.times[slot] = at_ms;
    this.lengths[slot] = elapsed_ms;
    this.end += 1;
    this.first = Math.max(this.first, this.end - this.capacity);
    while (this.first < this.end && this.at(this.first) < oldest_ms) this.first += 1;
  }

  at(tick: number): number {
    return this.times[this.slot(tick)]!;
  }

  elapsed(tick: number): number {
    return this.lengths[this.slot(tick)]!;
  }

  /** The first tick at or after `at_ms`; `end` if there is none. */
  search(at_ms: number): number {
    let [low, high] = [this.first, this.end];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.at(middle) < at_ms) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  within(span: Span): [first: number, end: number] {
    const first = this.search(span.from_ms);
    return [first, Math.max(first, this.search(span.to_ms))];
  }

  clear(): void {
    this.first = this.end;
  }
}

/** Figures that add up. Stores the totals before each tick, so that a sum over many ticks is one subtraction. */
export class RunningTotals {
  private readonly ticks: Ticks;
  private readonly width: number;
  private readonly before: Float64Array;
  private readonly now: Float64Array;

  /** `width` figures for each tick. */
  constructor(ticks: Ticks, width: number) {
    this.ticks = ticks;
    this.width = width;
    this.before = new Float64Array(ticks.capacity * width);
    this.now = new Float64Array(width);
  }

  /** Begins the newest tick, with all figures at zero. */
  begin(): void {
    this.before.set(this.now, this.ticks.slot(this.ticks.end - 1) * this.width);
  }

  add(figure: number, amount: number): void {
    this.now[figure] = this.now[figure]! + amount;
  }

  /** The sum over the ticks [first, end); both are in the ring, or one past the newest. */
  sum(first: number, end: number, figure: number): number {
    return this.upTo(end, figure) - this.upTo(first, figure);
  }

  private upTo(tick: number, figure: number): number {
    return tick >= this.ticks.end ? this.now[figure]! : this.before[this.ticks.slot(tick) * this.width + figure]!;
  }
}
