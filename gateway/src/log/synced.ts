// Which write is known to be on disk: the next one says so in its marker, so that a start can tell what a crash has torn from
// what had counted and is damaged.
import type { LogDurability } from './log.ts';

/** Under `async`, LevelDB may have begun another file since, which is synced before the older one is safe: it is by then. */
const CLAIM_AFTER_MS = 10_000;

export class Synced {
  number: number;
  #next: { number: number; atMs: number };

  constructor(number: number) {
    this.number = number;
    this.#next = { number, atMs: performance.now() };
  }

  /** A sync that began after this write has succeeded. */
  reached(number: number, durability: LogDurability): void {
    if (durability === 'sync') {
      this.number = number;
      return;
    }
    if (performance.now() - this.#next.atMs < CLAIM_AFTER_MS) return;
    this.number = this.#next.number;
    this.#next = { number, atMs: performance.now() };
  }
}
