// WatchRequests: what one shard is asked to watch, and what no longer.

import { writeUnwatched, writeWatch } from '../wire/client-frame.ts';
import type { FrameWriter } from '../wire/writer.ts';
import type { Due } from './due.ts';
import type { WatchRequest } from './incoming.ts';

export class WatchRequests {
  readonly #due: Due;
  readonly #watches = new Map<number, WatchRequest>();
  readonly #unwatched: number[] = [];

  constructor(due: Due) {
    this.#due = due;
  }

  // The next session requests everything that is watched then: what follows is needless without one.

  watch(request: WatchRequest): void {
    if (!this.#due.isOpen) return;
    this.#watches.set(request.id, request);
    this.#due.mark();
  }

  /** A watch that has not left yet is dropped. */
  unwatch(id: number): void {
    if (!this.#due.isOpen) return;
    if (!this.#watches.delete(id)) this.#unwatched.push(id);
    this.#due.mark();
  }

  /**
   * Watches are written only until the frame has `bytesMax`: a session that has come back requests everything that the process watches, which may
   * be more than a frame can take. Returns true if nothing is left.
   */
  write(out: FrameWriter, bytesMax: number): boolean {
    if (this.#unwatched.length > 0) writeUnwatched(out, this.#unwatched);
    this.#unwatched.length = 0;
    for (const [id, { call, since }] of this.#watches) {
      if (out.size >= bytesMax) return false;
      this.#watches.delete(id);
      writeWatch(out, id, call, since);
    }
    return true;
  }

  reset(): void {
    this.#watches.clear();
    this.#unwatched.length = 0;
  }
}
