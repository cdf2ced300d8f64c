// Counts the bytes of entries that a restart would replay: those after the last checkpoint's position. The count is exact for appended
// entries, and accurate to MARK_BYTES after a checkpoint, so that not every entry's size has to be kept.

const MARK_BYTES = 1 << 16;

export class EntriesBytes {
  total = 0;
  #all = 0;
  #last = 0;
  /** the cumulative bytes at some positions */
  #marks: { position: number; all: number }[] = [];

  add(position: number, bytes: number): void {
    this.total += bytes;
    this.#all += bytes;
    this.#last = position;
    const marked = this.#marks.at(-1)?.all ?? 0;
    if (this.#all - marked >= MARK_BYTES) this.#marks.push({ position, all: this.#all });
  }

  /** Removes the entries up to `position`; returns their bytes. */
  drop(position: number): number {
    const before = this.total;
    let passed = 0;
    while (passed < this.#marks.length && this.#marks[passed]!.position <= position) passed++;
    const mark = this.#marks.splice(0, passed).at(-1);
    if (position >= this.#last) this.total = 0;
    else if (mark !== undefined) this.total = this.#all - mark.all;
    return before - this.total;
  }
}
