// Takes the shard's checkpoints: when there is enough to replay, now and then, and when asked to. A checkpoint bounds what
// a restart must replay; once it is sealed the log lets go of the entries before it.
//
// It runs in slices between the shard's turns. After a slice it leaves the shard alone for nine times as long as that took,
// and until the log has taken the slice in: a checkpoint costs the shard at most a tenth of its time, and holds one slice
// in memory. One that is asked for while nothing else is served (`hurry`) does not pause, and gives the log some slices at once: each
// alone would wait for the disk.
import type { Environment, Timer } from '@claret/client';
import type { Log } from '../log/log.ts';
import type { ShardHost } from './shard-host.ts';

export interface CheckpointLimits {
  /** one begins when a restart would replay more */
  replayBytesMax: number;
  /** one begins after so long, where a restart would replay more than `replayBytesLeast` */
  intervalMs: number;
  replayBytesLeast: number;
  /** how often it looks */
  lookMs: number;
  /** about so much in one slice */
  sliceBytes: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;

export const CHECKPOINT_LIMITS: Readonly<CheckpointLimits> = {
  replayBytesMax: 64 * MIB,
  intervalMs: 60_000,
  replayBytesLeast: MIB,
  lookMs: 1_000,
  sliceBytes: 64 * KIB,
};

/** Of the time, so much belongs to the shard for each part that a slice takes. */
const SHARDS_PART = 9;
/** Slices that the log has not taken in yet. */
const HURRIED_SLICES = 32;

export interface CheckpointerGround {
  host: Pick<ShardHost, 'beginCheckpoint' | 'takeCheckpoint'>;
  log: Pick<Log, 'keep' | 'seal' | 'replayBytes'>;
  environment: Environment;
  limits?: CheckpointLimits;
}

interface Waiter {
  resolve: () => void;
  reject: (why: Error) => void;
}

export class Checkpointer {
  /** Sealed since the start, for /metrics. */
  count = 0;
  /** Of the last one sealed: bytes of its pairs, and how long it took; 0 before the first. */
  lastBytes = 0;
  lastMs = 0;
  /** Monotonic time at which the last one was sealed; before the first, the time of the start. */
  sealedAtMs: number;

  readonly #host: CheckpointerGround['host'];
  readonly #log: CheckpointerGround['log'];
  readonly #environment: Environment;
  readonly #limits: CheckpointLimits;
  #underWay = false;
  #hurry = false;
  #closed = false;
  #beganAtMs = 0;
  #bytes = 0;
  /** slices that the log has not taken in, and whether the next one waits for that */
  #given = 0;
  #full = false;
  #looking: Timer | undefined;
  /** who waits for the one under way, and for the one after it: only that covers what was appended meanwhile */
  #waiting: Waiter[] = [];
  #waitingForNext: Waiter[] = [];
  /** who keeps the next one from beginning, and waits for the one under way to end */
  #holds = 0;
  #idle: Waiter[] = [];
  /** why none can be completed for now */
  #stalled: Error | null = null;

  constructor({ host, log, environment, limits = CHECKPOINT_LIMITS }: CheckpointerGround) {
    this.#host = host;
    this.#log = log;
    this.#environment = environment;
    this.#limits = limits;
    this.sealedAtMs = environment.monotonicMs();
  }

  /** From now on it looks by itself. */
  start(): void {
    this.#looking = this.#environment.setTimeout(() => this.#look(), this.#limits.lookMs);
  }

  /**
   * Resolves once a checkpoint of everything appended before this call is durable; rejects when it may take for ever (`stall`).
   * Where the log has failed, or after `close`, it does neither.
   */
  checkpoint({ hurry = false }: { hurry?: boolean } = {}): Promise<void> {
    if (this.#stalled !== null) return Promise.reject(this.#stalled);
    return new Promise((resolve, reject) => {
      this.#hurry ||= hurry;
      if (this.#underWay) {
        this.#waitingForNext.push({ resolve, reject });
        return;
      }
      this.#waiting.push({ resolve, reject });
      if (this.#holds === 0) this.#begin();
    });
  }

  /**
   * Resolves when none is under way; none begins until the answer is called. What waits for one waits longer. Rejects as `checkpoint`
   * does.
   */
  async hold(): Promise<() => void> {
    this.#holds++;
    let held = true;
    const letGo = () => {
      if (!held) return;
      held = false;
      if (--this.#holds === 0 && this.#waiting.length > 0 && !this.#underWay) this.#begin();
    };
    try {
      if (this.#underWay) await new Promise<void>((resolve, reject) => this.#idle.push({ resolve, reject }));
    } catch (error) {
      letGo();
      throw error;
    }
    return letGo;
  }

  /** Nothing can be written, for as long as it takes; null: it can again. Whoever waits is told; what is under way goes on then. */
  stall(why: Error | null): void {
    this.#stalled = why;
    if (why === null) return;
    for (const waiters of [this.#waiting, this.#waitingForNext, this.#idle]) for (const { reject } of waiters.splice(0)) reject(why);
  }

  /** One that is under way stays unfinished. */
  close(): void {
    this.#closed = true;
    this.#environment.clearTimeout(this.#looking);
  }

  #look(): void {
    const { replayBytesMax, intervalMs, replayBytesLeast } = this.#limits;
    const { replayBytes } = this.#log;
    const old = this.#environment.monotonicMs() - this.sealedAtMs >= intervalMs;
    if (!this.#underWay && this.#holds === 0 && (replayBytes > replayBytesMax || (old && replayBytes > replayBytesLeast))) this.#begin();
    this.start();
  }

  #begin(): void {
    this.#underWay = true;
    this.#beganAtMs = this.#environment.monotonicMs();
    this.#bytes = 0;
    this.#host.beginCheckpoint();
    this.#environment.setImmediate(this.#slice);
  }

  readonly #slice = (): void => {
    if (this.#closed) return;
    const beganAtMs = this.#environment.monotonicMs();
    const { pairs, position } = this.#host.takeCheckpoint(this.#limits.sliceBytes);
    const pauseMs = SHARDS_PART * (this.#environment.monotonicMs() - beganAtMs);
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
    this.#underWay = false;
    const covered = this.#waiting;
    this.#waiting = this.#waitingForNext;
    this.#waitingForNext = [];
    if (this.#waiting.length === 0) this.#hurry = false;
    else if (this.#holds === 0) this.#begin();
    for (const { resolve } of this.#idle.splice(0)) resolve();
    for (const { resolve } of covered) resolve();
  };
}
