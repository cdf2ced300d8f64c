// PriorityClock: the priorities of transactions: microseconds since the epoch, times 4096. Smaller is older. The lowest bits start
// at a random number, so that no process is always first. They count the transactions that begin in the same microsecond, so that
// the one that began first is older.

import type { Environment } from '../environment/environment.ts';
import type { Wide } from '../wire/wide.ts';

export class PriorityClock {
  readonly #environment: Environment;
  #lastMicroseconds = 0;
  #lastInMicrosecond = 0;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  next(): Wide {
    const microseconds = Math.floor(this.#environment.wallMs() * 1000);
    if (microseconds !== this.#lastMicroseconds) this.#lastInMicrosecond = Math.floor(this.#environment.random() * 2048);
    else if (this.#lastInMicrosecond < 4095) this.#lastInMicrosecond++;
    this.#lastMicroseconds = microseconds;
    return {
      high: Math.floor(microseconds / 2 ** 20),
      low: (((microseconds % 2 ** 20) * 4096) | this.#lastInMicrosecond) >>> 0,
    };
  }
}
