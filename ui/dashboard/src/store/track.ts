// A ring of rows in typed columns, oldest first, that grows by doubling up to a limit and then overwrites its oldest row.
// Rows are numbered from 0 for as long as the track lives; `slot` says where in the columns a row is.
//
// Invariants: first <= end; end - first <= capacity, a power of two; column 0 holds times, which never go down.

/** What the columns of a track are made of; the first holds times. */
export type Columns = [Float64Array, ...(Float64Array | Float32Array | Uint32Array | Uint8Array)[]];

const ROWS_MIN = 32;

export class Track<C extends Columns> {
  columns: C;
  /** the oldest row */
  first = 0;
  /** one past the newest */
  end = 0;
  private capacity = ROWS_MIN;
  private readonly make: (rows: number) => C;
  private readonly rows_max: number;

  /** `make` makes the columns, of so many rows each; `rows_max` is a power of two. */
  constructor(rows_max: number, make: (rows: number) => C) {
    this.make = make;
    this.rows_max = rows_max;
    this.columns = make(ROWS_MIN);
  }

  /** Rows there is room for: what it costs to hold the track. */
  get room(): number {
    return this.capacity;
  }

  slot(row: number): number {
    return row & (this.capacity - 1);
  }

  /** Adds a row and returns its slot, for the caller to fill; at the limit the oldest row goes. */
  add(at_ms: number): number {
    if (this.end - this.first === this.capacity) {
      if (this.capacity < this.rows_max) this.grow();
      else this.first += 1;
    }
    const slot = this.slot(this.end);
    this.end += 1;
    this.columns[0][slot] = at_ms;
    return slot;
  }

  /** Forgets the rows before `at_ms`. */
  dropBefore(at_ms: number): void {
    while (this.first < this.end && this.columns[0][this.slot(this.first)]! < at_ms) this.first += 1;
  }

  /** The first row at or after `at_ms`; `end` if there is none. */
  search(at_ms: number): number {
    const times = this.columns[0];
    let [low, high] = [this.first, this.end];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (times[this.slot(middle)]! < at_ms) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private grow(): void {
    const wider = this.make(this.capacity * 2);
    for (let row = this.first; row < this.end; row += 1) {
      const [from, to] = [row & (this.capacity - 1), row & (this.capacity * 2 - 1)];
      for (let column = 0; column < wider.length; column += 1) wider[column]![to] = this.columns[column]![from]!;
    }
    this.columns = wider;
    this.capacity *= 2;
  }
}
