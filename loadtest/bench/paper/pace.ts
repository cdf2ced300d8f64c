// Pace: the time that each cell may measure so that a run ends in time. It learns during the run how long a cell takes in addition
// to its warm-up and span (switching conditions, draining, checking), and how long a block takes before its first cell (starting,
// loading). All times are in seconds; the caller gives the current time.

/** Warm-up as a share of the span: compilers, connections and the limit on running transactions settle. */
export const WARM_SHARE = 0.4;
const SPAN_LEAST = 0.15;
const CELL_OVERHEAD_FIRST = 0.3;
const BLOCK_OVERHEAD_FIRST = 4;

export interface Work {
  cells: number;
  /** clusters still to be started and loaded */
  blocks: number;
}

class Mean {
  #sum = 0;
  #count = 0;
  readonly #first: number;

  /** @param first used until there is a value */
  constructor(first: number) {
    this.#first = first;
  }

  add(value: number): void {
    this.#sum += value;
    this.#count++;
  }

  get value(): number {
    return this.#count === 0 ? this.#first : this.#sum / this.#count;
  }
}

export class Pace {
  readonly #deadline: number;
  readonly #span: { fixed: number } | { longest: number };
  readonly #cellOverhead = new Mean(CELL_OVERHEAD_FIRST);
  readonly #blockOverhead = new Mean(BLOCK_OVERHEAD_FIRST);

  /** @param deadline when the run should end; a fixed span ignores it */
  constructor(deadline: number, span: { fixed: number } | { longest: number }) {
    this.#deadline = deadline;
    this.#span = span;
  }

  /** How long the next cells should measure. */
  span(now: number, left: Work): number {
    if ('fixed' in this.#span) return this.#span.fixed;
    const forCells = this.#deadline - now - left.blocks * this.#blockOverhead.value;
    const span = (forCells / Math.max(1, left.cells) - this.#cellOverhead.value) / (1 + WARM_SHARE);
    return Math.round(100 * Math.min(this.#span.longest, Math.max(SPAN_LEAST, span))) / 100;
  }

  cellTook(seconds: number, span: number): void {
    this.#cellOverhead.add(seconds - span * (1 + WARM_SHARE));
  }

  blockTook(seconds: number): void {
    this.#blockOverhead.add(seconds);
  }

  /** How long the rest of the run takes. */
  left(now: number, left: Work): number {
    const cell = this.span(now, left) * (1 + WARM_SHARE) + this.#cellOverhead.value;
    return left.cells * cell + left.blocks * this.#blockOverhead.value;
  }
}
