// Takes the shard's checkpoints: when there is enough to replay, at intervals, and on request. A checkpoint bounds what a restart must
// replay; once it is sealed, the log removes the entries before it.
//
// It runs in slices between the shard's turns. After each slice it pauses for nine times the slice's duration, and until the log has stored
// the slice. So a checkpoint takes at most a tenth of the shard's time, and one slice of memory. A checkpoint while nothing else is served,
// as at shutdown (`hurry`), does not pause, and gives the log several slices at once, since each by itself would wait for the disk.
import type { Environment, Timer } from '@claret/client';
import type { Log } from '../log/log.ts';
import type { CutsHost } from './cuts-host.ts';

export interface CheckpointLimits {
  /** a checkpoint begins when a restart would replay more than this */
  replayBytesMax: number;
  /**
   * a checkpoint begins this long after the last one if a restart would replay more than `replayBytesLeast`, or there are vacant records: some
   * checkpoints forget them
   */
  intervalMs: number;
  replayBytesLeast: number;
  /** a checkpoint begins once there are so many vacant records more than the last one has left: each takes memory until then */
  vacantRecordsMax: number;
  /** interval at which these limits are checked */
  lookMs: number;
  /** approximate size of a slice */
  sliceBytes: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;

export const CHECKPOINT_LIMITS: Readonly<CheckpointLimits> = {
  replayBytesMax: 64 * MIB,
  intervalMs: 60_000,
  replayBytesLeast: MIB,
  vacantRecordsMax: 50_000,
  lookMs: 1_000,
  sliceBytes: 64 * KIB,
};

/** ratio of the pause after a slice to the slice's duration */
const PAUSE_FACTOR = 9;
/** limit on slices in a hurry that the log has not stored yet */
const HURRIED_SLICES = 32;

export interface CheckpointerDependencies {
  host: { readonly cuts: Pick<CutsHost, 'beginCheckpoint' | 'takeCheckpoint'>; counters(): { vacantRecords: number } };
  log: Pick<Log, 'keep' | 'seal' | 'replayBytes'>;
  environment: Environment;
  limits?: CheckpointLimits;
}

interface Waiter {
  resolve: () => void;
  reject: (why: Error) => void;
}

export class Checkpointer {
  /** number of checkpoints sealed since the start, for /metrics */
  count = 0;
  /** bytes of the pairs of the last sealed checkpoint; 0 before the first */
  lastBytes = 0;
  /** duration of the last sealed checkpoint; 0 before the first */
  lastMs = 0;
  /** monotonic time at which the last checkpoint was sealed; before the first, the time of the start */
  sealedAtMs: number;

  readonly #host: CheckpointerDependencies['host'];
  readonly #log: CheckpointerDependencies['log'];
  readonly #environment: Environment;
  readonly #limits: CheckpointLimits;
  #running = false;
  #hurry = false;
  #closed = false;
  #beganAtMs = 0;
  /** when the last one was sealed */
  #vacantLeft = 0;
  #bytes = 0;
  /** slices that the log has not stored yet */
  #given = 0;
  /** the next slice waits until the log has stored one */
  #full = false;
  #looking: Timer | undefined;
  /** requests that the running checkpoint completes */
  #waiting: Waiter[] = [];
  /** requests that came while one was running: only the next checkpoint covers what was appended meanwhile */
  #waitingForNext: Waiter[] = [];
  /** number of holds that keep the next checkpoint from beginning */
  #holds = 0;
  /** holds that wait for the running checkpoint to end */
  #idle: Waiter[] = [];
  /** why no checkpoint can be completed at present */
  #stalled: Error | null = null;

  constructor({ host, log, environment, limits = CHECKPOINT_LIMITS }: CheckpointerDependencies) {
    this.#host = host;
    this.#log = log;
    this.#environment = environment;
    this.#limits = limits;
    this.sealedAtMs = environment.monotonicMs();
  }

  /** Begins to check the limits at intervals. */
  start(): void {
    this.#looking = this.#environment.setTimeout(() => this.#look(), this.#limits.lookMs);
  }

  /**
   * Resolves once a checkpoint of everything appended before this call is durable; rejects while checkpoints are stalled (`stall`). If the
   * log has failed, or after `close`, the promise stays pending.
   */
  checkpoint({ hurry = false }: { hurry?: boolean } = {}): Promise<void> {
    if (this.#stalled !== null) return Promise.reject(this.#stalled);
    return new Promise((resolve, reject) => {
      this.#hurry ||= hurry;
      if (this.#running) {
        this.#waitingForNext.push({ resolve, reject });
        return;
      }
      this.#waiting.push({ resolve, reject });
      if (this.#holds === 0) this.#begin();
    });
  }

  /**
   * Resolves when no checkpoint is running. None begins until the returned function is called; requests wait meanwhile. Rejects as
   * `checkpoint` does.
   */
  async hold(): Promise<() => void> {
    this.#holds++;
    let held = true;
    const release = () => {
      if (!held) return;
      held = false;
      if (--this.#holds === 0 && this.#waiting.length > 0 && !this.#running) this.#begin();
    };
    try {
      if (this.#running) await new Promise<void>((resolve, reject) => this.#idle.push({ resolve, reject }));
    } catch (error) {
      release();
      throw error;
    }
    return release;
  }

  /**
   * `why`: nothing can be written at present; all pending requests reject with it. null: writing is possible again, and a running
   * checkpoint continues.
   */
  stall(why: Error | null): void {
    this.#stalled = why;
    if (why === null) return;
    for (const waiters of [this.#waiting, this.#waitingForNext, this.#idle]) for (const { reject } of waiters.splice(0)) reject(why);
  }

  /** Stops; a running checkpoint stays incomplete. */
  close(): void {
    this.#closed = true;
    this.#environment.clearTimeout(this.#looking);
  }

  #look(): void {
    const { replayBytesMax, intervalMs, replayBytesLeast, vacantRecordsMax } = this.#limits;
    const { replayBytes } = this.#log;
    const { vacantRecords } = this.#host.counters();
    const old = this.#environment.monotonicMs() - this.sealedAtMs >= intervalMs;
    const many = replayBytes > replayBytesMax || vacantRecords > this.#vacantLeft + vacantRecordsMax;
    const due = many || (old && (replayBytes > replayBytesLeast || vacantRecords > 0));
    if (due && !this.#running && this.#holds === 0) this.#begin();
    this.start();
  }

  #begin(): void {
    this.#running = true;
    this.#beganAtMs = this.#environment.monotonicMs();
    this.#bytes = 0;
    this.#host.cuts.beginCheckpoint();
    this.#environment.setImmediate(this.#slice);
  }

  readonly #slice = (): void => {
    if (this.#closed) return;
    const beganAtMs = this.#environment.monotonicMs();
    const { pairs, position } = this.#host.cuts.takeCheckpoint(this.#limits.sliceBytes);
    const pauseMs = PAUSE_FACTOR * (this.#environment.monotonicMs() - beganAtMs);
    this.#bytes += pairs.length;
    if (position > 0) this.#log.seal(pairs, position, this.#sealed);
    else if (pairs.length > 0) this.#give(pairs, pauseMs);
    else this.#later(pauseMs);
  };

  #give(pairs: Uint8Array, pauseMs: number): void {
    this.#given++;
    this.#full = this.#given >= this.#slicesMax();
    if (!this.#full) this.#later(pauseMs);
    this.#log.keep(pairs, () => {
      this.#given--;
      if (!this.#full || this.#given >= this.#slicesMax()) return;
      this.#full = false;
      this.#later(pauseMs);
    });
  }

  #slicesMax(): number {
    return this.#hurry ? HURRIED_SLICES : 1;
  }

  #later(pauseMs: number): void {
    if (this.#hurry) this.#environment.setImmediate(this.#slice);
    else this.#environment.setTimeout(this.#slice, Math.max(1, Math.ceil(pauseMs)));
  }

  readonly #sealed = (): void => {
    if (this.#closed) return;
    this.count++;
    this.sealedAtMs = this.#environment.monotonicMs();
    this.lastMs = this.sealedAtMs - this.#beganAtMs;
    this.lastBytes = this.#bytes;
    this.#vacantLeft = this.#host.counters().vacantRecords;
    this.#running = false;
    const covered = this.#waiting;
    this.#waiting = this.#waitingForNext;
    this.#waitingForNext = [];
    if (this.#waiting.length === 0) this.#hurry = false;
    else if (this.#holds === 0) this.#begin();
    for (const { resolve } of this.#idle.splice(0)) resolve();
    for (const { resolve } of covered) resolve();
  };
}
