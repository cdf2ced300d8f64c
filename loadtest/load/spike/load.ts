// The load of a spike: a number of clients, each of which begins its next transaction when the last has ended, until the time is
// over or a stop is requested. Figures are reported once a second. Rates cover the time under load: a transaction that ends after
// it counts as committed, but not for a rate.

import { ClaretError, type Claret } from '@claret/client';
import { Latencies } from './latencies.ts';

const TELL_EVERY_MS = 1_000;
/** Pause after a failed transaction, so that an unavailable store is not flooded. */
const AFTER_FAILURE_MS = 50;

export interface Figures {
  done_s: number;
  of_s: number;
  /** since the beginning */
  committed: number;
  /** given up */
  failed: number;
  // Over the time since the last report; at the end, over the whole time under load.
  committed_per_s: number;
  /** null: nothing was committed */
  retries_per_commit: number | null;
  p50_ms: number | null;
  p99_ms: number | null;
}

export interface LoadOptions {
  clients: number;
  seconds: number;
  /** ends the load early */
  stop: AbortSignal;
  tell: (figures: Figures) => void;
  /** Called once: no more transactions begin. Transactions in flight may still take a while. */
  over: () => void;
}

/** Resolves to the total figures when all transactions have ended. Rejects with errors other than `ClaretError`. */
export async function runLoad(claret: Claret, run: () => Promise<void>, options: LoadOptions): Promise<Figures> {
  const { clients, seconds, stop, tell } = options;
  const tally = new Tally(claret, seconds);
  let isOver = false;
  let broken: unknown;
  const client = async () => {
    while (!isOver) {
      const begunMs = performance.now();
      try {
        await run();
        tally.committed(performance.now() - begunMs);
      } catch (error) {
        if (!(error instanceof ClaretError)) {
          broken = error;
          end();
        }
        tally.failed++;
        await sleep(AFTER_FAILURE_MS);
      }
    }
  };
  tell(tally.newest());
  const telling = setInterval(() => tell(tally.newest()), TELL_EVERY_MS);
  const timer = setTimeout(end, 1000 * seconds);
  stop.addEventListener('abort', end);
  if (stop.aborted) end();
  await Promise.all(Array.from({ length: clients }, client));
  end();
  if (broken !== undefined) throw broken;
  return tally.all();

  function end(): void {
    if (isOver) return;
    isOver = true;
    clearInterval(telling);
    clearTimeout(timer);
    stop.removeEventListener('abort', end);
    tally.over();
    options.over();
  }
}

interface Counted {
  atMs: number;
  commits: number;
  retries: number;
}

class Tally {
  readonly #claret: Claret;
  readonly #seconds: number;
  readonly #begunMs = performance.now();
  readonly #retriesBefore: number;
  readonly #all = new Latencies();
  readonly #new = new Latencies();
  #commits = 0;
  #told: Counted = { atMs: this.#begunMs, commits: 0, retries: 0 };
  /** at the end of the load */
  #last: Counted | null = null;
  failed = 0;

  constructor(claret: Claret, seconds: number) {
    this.#claret = claret;
    this.#seconds = seconds;
    this.#retriesBefore = this.#told.retries = claret.counters.retries;
  }

  committed(ms: number): void {
    this.#commits++;
    this.#all.add(ms);
    this.#new.add(ms);
  }

  /** The load has ended. */
  over(): void {
    this.#last = this.#now();
  }

  /** Figures since the last call. */
  newest(): Figures {
    const now = this.#now();
    const figures = this.#figures(now, this.#told, this.#new);
    this.#told = now;
    this.#new.clear();
    return figures;
  }

  /** Figures of the whole time under load. */
  all(): Figures {
    return this.#figures(this.#last ?? this.#now(), { atMs: this.#begunMs, commits: 0, retries: this.#retriesBefore }, this.#all);
  }

  #now(): Counted {
    return { atMs: performance.now(), commits: this.#commits, retries: this.#claret.counters.retries };
  }

  #figures(now: Counted, before: Counted, latencies: Latencies): Figures {
    const commits = now.commits - before.commits;
    return {
      done_s: rounded((now.atMs - this.#begunMs) / 1000, 1),
      of_s: this.#seconds,
      committed: this.#commits,
      failed: this.failed,
      committed_per_s: rounded((1000 * commits) / Math.max(1, now.atMs - before.atMs), 1),
      retries_per_commit: commits === 0 ? null : rounded((now.retries - before.retries) / commits, 3),
      p50_ms: rounded(latencies.quantile(0.5), 2),
      p99_ms: rounded(latencies.quantile(0.99), 2),
    };
  }
}

function rounded(value: number, digits: number): number;
function rounded(value: number | null, digits: number): number | null;
function rounded(value: number | null, digits: number): number | null {
  return value === null ? null : Math.round(value * 10 ** digits) / 10 ** digits;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
