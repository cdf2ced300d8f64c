// Admission limiter of an app server: admits a request or sheds it at once. Uses neither sockets nor clocks.
//
// Lanes: `read` and `write` need the store and share one limit, which adapts (adaptive-limit.ts); `page` is for files, which need no store
// and have a limit of their own; `probe` is always admitted. There is no queue.
import { AdaptiveLimit } from './adaptive-limit.ts';
import { DEADLINE_MS, type AdmissionLimits } from './limits.ts';

export type Lane = 'probe' | 'page' | 'read' | 'write';

/** why a request was shed */
export type ShedReason =
  | 'at_work' // the limit on API requests in flight is reached
  | 'share' // the share of its lane is used up
  | 'pages' // the limit on files in flight is reached
  | 'late'; // its deadline had passed before it was read

export class AdmissionLimiter {
  readonly #limits: AdmissionLimits;
  readonly #limit: AdaptiveLimit;
  readonly #atWork: Record<Lane, number> = { probe: 0, page: 0, read: 0, write: 0 };
  readonly #refused: Record<ShedReason, number> = { at_work: 0, share: 0, pages: 0, late: 0 };

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
    this.#limit = new AdaptiveLimit(limits);
  }

  get limit(): number {
    return this.#limit.value;
  }

  /** the delay by which the limit was last adjusted */
  get delayMs(): number {
    return this.#limit.delayMs;
  }

  get atWork(): Readonly<Record<Lane, number>> {
    return this.#atWork;
  }

  /** shed requests since the start */
  get refused(): Readonly<Record<ShedReason, number>> {
    return this.#refused;
  }

  /** Returns null if the request is admitted; it must be released once. `arrivedMs`: the best estimate of its arrival at the machine. */
  admit(lane: Lane, arrivedMs: number, nowMs: number): ShedReason | null {
    const reason = this.check(lane, arrivedMs, nowMs);
    if (reason === null) {
      this.#atWork[lane]++;
      this.#limit.inFlight(this.#needStore);
    }
    return reason;
  }

  /** Like `admit`, for a request whose body is still incomplete: null means that it may go on; it takes no slot. */
  check(lane: Lane, arrivedMs: number, nowMs: number): ShedReason | null {
    const reason = this.#reasonToShed(lane, nowMs - arrivedMs);
    if (reason === null) return null;
    this.#refused[reason]++;
    if (reason === 'at_work' || reason === 'share') this.#limit.refused();
    return reason;
  }

  release(lane: Lane, arrivedMs: number, nowMs: number): void {
    this.#atWork[lane]--;
    if (lane === 'read' || lane === 'write') this.#limit.answered(arrivedMs, nowMs);
  }

  /** Called often while requests are in flight, with the event loop's delay and the store's. */
  observe(nowMs: number, loopMs: number, storeMs: number): void {
    this.#limit.observe(nowMs, Math.max(loopMs, storeMs), this.#needStore);
  }

  get #needStore(): number {
    return this.#atWork.read + this.#atWork.write;
  }

  #reasonToShed(lane: Lane, ageMs: number): ShedReason | null {
    if (lane === 'probe') return null;
    if (lane === 'page') return this.#atWork.page < this.#limits.pages_at_work_max ? null : 'pages';
    if (ageMs >= DEADLINE_MS[lane]) return 'late';
    if (this.#needStore >= this.#limit.value) return 'at_work';
    return this.#atWork[lane] < Math.ceil(this.#limit.value * this.#limits.kind_share_max) ? null : 'share';
  }
}
