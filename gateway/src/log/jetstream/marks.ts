// Marks: where in the log stream entries end, so that a seal can name the place behind which the needed entries begin. Not every message
// is marked: a start skips the few entries that it reads in vain.
import type { Tail } from './frames.ts';

const MARK_BYTES = 1 << 16;
const MARK_MESSAGES = 256;

export class Marks {
  #marks: Tail[];
  #bytes = 0;
  #messages = 0;

  /** `from`: the place of the newest seal, or the begin of the stream */
  constructor(from: Tail) {
    this.#marks = [from];
  }

  /** A message was appended or read; `tail` is the stream's end with it. */
  add(tail: Tail, bytes: number): void {
    this.#bytes += bytes;
    this.#messages++;
    if (this.#bytes < MARK_BYTES && this.#messages < MARK_MESSAGES) return;
    this.#marks.push(tail);
    this.#bytes = this.#messages = 0;
  }

  /** The last marked place without an entry after `position` before it. */
  before(position: number): Tail {
    return this.#marks.findLast(({ last }) => last <= position) ?? this.#marks[0]!;
  }

  /** Forgets the places before this one. */
  drop(from: Tail): void {
    const later = this.#marks.filter(({ sequence }) => sequence > from.sequence);
    this.#marks = [from, ...later];
  }
}
