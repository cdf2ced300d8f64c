// LabelWays: which way the next list of a label goes, by what those before it have taken by locks and by epochs.
//
// A member of an epoch waits for its moment, and for no other member then; a list that takes locks waits for nobody as long as it meets nobody. So the
// way is taken that has been clearly faster, with all its retries. But what one list among members takes by locks does not tell what a hundred would
// take: they hold each other up, and keep members out of epochs. So locks are for one list at a time, and for one more after each that was faster than
// members are; once one has met a lock, or was slower, they are for one again. (So does TCP with its window, and for the same reason.) The others go
// by epochs.

/** What was measured longer ago says nothing of now. So a list that learns counts fully, since they come no more often. */
const STALE_MS = 1_000;

/** The other way is taken once its lists take less than this share of the time. */
const CLEARLY_FASTER = 0.8;
const NEWEST_SHARE = 1 / 8;
/** One of so many lists goes the other way, to learn. It is drawn, so that many clients do not learn at the same moment, */
const LEARNS_EVERY = 64;
/** but not more often than this, */
const LEARNS_EVERY_MS = 1_000;
/** and half as often after each that took locks in vain, down to this. */
const LEARNS_EVERY_MS_MAX = 16_000;

export class LabelWays {
  #prefersEpochs: boolean;
  // How long lists take.
  readonly #epochs = new Mean();
  readonly #locks = new Mean();
  /** lists under way that began by locks */
  #byLocks = 0;
  #byLocksMax = 1;
  #learntMs = -Infinity;
  #learnsEveryMs = LEARNS_EVERY_MS;

  constructor(prefersEpochs: boolean) {
    this.#prefersEpochs = prefersEpochs;
  }

  /** True: the next list begins by epochs. `ended` has to follow. `random` is from 0 to 1. */
  begin(nowMs: number, random: number): boolean {
    const learns = random * LEARNS_EVERY < 1 && nowMs - this.#learntMs >= this.#learnsEveryMs;
    if (learns) this.#learntMs = nowMs;
    const wantsLocks = this.#prefersEpochs === learns;
    if (!wantsLocks || this.#byLocks >= this.#byLocksMax) return true;
    this.#byLocks++;
    return false;
  }

  /** A list that began by locks wants what another transaction holds. */
  metLock(): void {
    this.#byLocksMax = 1;
  }

  /** A list has committed that began that way, so long after it began. */
  took(byEpoch: boolean, durationMs: number, nowMs: number): void {
    (byEpoch ? this.#epochs : this.#locks).add(durationMs, nowMs);
    const [epochsMs, locksMs] = [this.#epochs.ms, this.#locks.ms];
    if (!byEpoch) this.#byLocksMax = durationMs < epochsMs ? this.#byLocksMax + 1 : 1;
    if (epochsMs === Infinity || locksMs === Infinity) return;
    const preferred = this.#prefersEpochs;
    this.#prefersEpochs = preferred ? locksMs >= CLEARLY_FASTER * epochsMs : epochsMs < CLEARLY_FASTER * locksMs;
    if (preferred !== this.#prefersEpochs) {
      this.#byLocksMax = 1;
      this.#learnsEveryMs = LEARNS_EVERY_MS;
    } else if (preferred && !byEpoch) {
      this.#learnsEveryMs = Math.min(2 * this.#learnsEveryMs, LEARNS_EVERY_MS_MAX);
    }
  }

  /** A list has ended, whichever way, that began that way. */
  ended(byEpoch: boolean): void {
    if (!byEpoch) this.#byLocks--;
  }
}

/** The mean of what was measured lately. */
class Mean {
  /** Infinity: nothing was measured */
  ms = Infinity;
  #atMs = -Infinity;

  add(ms: number, nowMs: number): void {
    const share = nowMs - this.#atMs > STALE_MS ? 1 : NEWEST_SHARE;
    this.ms = share === 1 ? ms : this.ms + share * (ms - this.ms);
    this.#atMs = nowMs;
  }
}
