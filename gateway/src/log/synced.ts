// Which write is known to be on disk: the next one says so in its marker, and `log-end.json` says it, so that a start can tell what a
// crash has torn from what had counted and is gone.
import type { LogDurability } from './log.ts';
import type { Tail } from './tail.ts';

/** Under `async`, LevelDB may have begun another file since, which is synced before the older one is safe: it is by then. */
const CLAIM_AFTER_MS = 10_000;

export interface SyncedWrite {
  number: number;
  /** what the log ends with once it is written */
  tail: Tail;
}

export class Synced {
  write: SyncedWrite;
  #next: SyncedWrite & { atMs: number };

  constructor(write: SyncedWrite) {
    this.write = write;
    this.#next = { ...write, atMs: performance.now() };
  }

  /** A sync that began after this write has succeeded. True: more is known to be on disk than before. */
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
