// Tracks the last write that is known to be on disk. The next write's marker and `log-end.json` record it, so that a start can distinguish
// a write that a crash interrupted from durable data that was lost.
import type { LogDurability } from './log.ts';
import type { Tail } from './tail.ts';

/**
 * Under `async`, LevelDB may have switched to another *.log file, and a sync covers only the newer one; after this time the older one is on
 * disk too.
 */
const CLAIM_AFTER_MS = 10_000;

export interface SyncedWrite {
  number: number;
  /** the log's tail after this write */
  tail: Tail;
}

export class Synced {
  write: SyncedWrite;
  #next: SyncedWrite & { atMs: number };

  constructor(write: SyncedWrite) {
    this.write = write;
    this.#next = { ...write, atMs: performance.now() };
  }

  /** Called when a sync that began after this write has succeeded. Returns true if `write` has advanced. */
  reached(write: SyncedWrite, durability: LogDurability): boolean {
    if (durability === 'sync') {
      this.write = write;
      return true;
    }
    if (performance.now() - this.#next.atMs < CLAIM_AFTER_MS) return false;
    this.write = this.#next;
    this.#next = { ...write, atMs: performance.now() };
    return true;
  }
}
