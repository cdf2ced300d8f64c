// A ring of rows of numbers, oldest first, that grows by doubling up to a limit and then overwrites its oldest row. Rows are
// numbered from 0 for the lifetime of the track; column 0 is a time.
//
// Invariants: first <= end; end - first <= capacity, a power of two or 0; times never decrease.

const ROWS_MIN = 8;

export class Track {
  /** the oldest row */
  first = 0;
  /** one past the newest */
  end = 0;
  private rows = new Float64Array(0);
  private capacity = 0;
  private readonly columns: number;
  private readonly rows_max: number;

  /** `rows_max`: a power of two. */
  constructor(columns: number, rows_max: number) {
    this.columns = columns;
    this.rows_max = rows_max;
  }

  /** The number of values for which memory is allocated. */
  get room(): number {
    return this.rows.length;
  }

  get isEmpty(): boolean {
    return this.first === this.end;
  }

  /** `row` is in [first, end). */
  get(row: number, column: number): number {
    return this.rows[(row & (this.capacity - 1)) * this.columns + column]!;
  }

  set(row: number, column: number, value: number): void {
    this.rows[(row & (this.capacity - 1)) * this.columns + column] = value;
  }

  /** Adds a row for the caller to fill, and returns its number; at the limit the oldest row is dropped. */
  add(at_ms: number): number {
    if (this.end - this.first === this.capacity) {
      if (this.capacity < this.rows_max) this.grow();
      else this.first += 1;
    }
    this.set(this.end, 0, at_ms);
    return this.end++;
  }

  /** The first row at or after `at_ms`; `end` if there is none. */
  search(at_ms: number): number {
    let [low, high] = [this.first, this.end];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.get(middle, 0) < at_ms) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Forgets the rows before `row`. */
  dropTo(row: number): void {
    this.first = Math.max(this.first, Math.min(row, this.end));
  }

  private grow(): void {
    const [narrow, narrowRows] = [this.rows, this.capacity];
    this.capacity = Math.max(ROWS_MIN, this.capacity * 2);
    this.rows = new Float64Array(this.capacity * this.columns);
    for (let row = this.first; row < this.end; row += 1) {
      const from = (row & (narrowRows - 1)) * this.columns;
      this.rows.set(narrow.subarray(from, from + this.columns), (row & (this.capacity - 1)) * this.columns);
    }
  }
}
