// The gate in front of an app server: who comes in, and who is told at once to come again. Knows neither sockets nor clocks.
//
// Lanes: `read` and `write` need the store and share one limit, which adapts (adaptive-limit.ts); `page` is for files, which need
// no store and have a limit of their own; `probe` always comes in. Nobody waits at the gate: there is no queue in it.
import { AdaptiveLimit } from './adaptive-limit.ts';
import { DEADLINE_MS, type GateLimits } from './limits.ts';

export type Lane = 'probe' | 'page' | 'read' | 'write';

/** Why somebody was refused. */
export type Reason =
  | 'at_work' // as many are at work as may be
  | 'share' // as many of its kind
  | 'pages' // as many files are being read as may be
  | 'late'; // its time was over before it was read

export class Gate {
  readonly #limits: GateLimits;
  readonly #limit: AdaptiveLimit;
  readonly #atWork: Record<Lane, number> = { probe: 0, page: 0, read: 0, write: 0 };
  readonly #refused: Record<Reason, number> = { at_work: 0, share: 0, pages: 0, late: 0 };

  constructor(limits: GateLimits) {
    this.#limits = limits;
    this.#limit = new AdaptiveLimit(limits);
  }

  get limit(): number {
    return this.#limit.value;
  }

  /** What its limit went by last. */
  get delayMs(): number {
    return this.#limit.delayMs;
  }

  get atWork(): Readonly<Record<Lane, number>> {
    return this.#atWork;
  }

  /** Refusals so far. */
  get refused(): Readonly<Record<Reason, number>> {
    return this.#refused;
  }

  /** Null: it comes in, and leaves once. `arrivedMs`: when it came to the machine, as far as is known. */
  arrive(lane: Lane, arrivedMs: number, nowMs: number): Reason | null {
    const reason = this.knock(lane, arrivedMs, nowMs);
    if (reason === null) {
      this.#atWork[lane]++;
      this.#limit.working(this.#needStore);
    }
    return reason;
  }

  /** As `arrive`, of one that is not all there yet: null means that it may go on, and has no place. */
  knock(lane: Lane, arrivedMs: number, nowMs: number): Reason | null {
    const reason = this.#obstacle(lane, nowMs - arrivedMs);
    if (reason === null) return null;
    this.#refused[reason]++;
    if (reason === 'at_work' || reason === 'share') this.#limit.refused();
    return reason;
  }

  leave(lane: Lane, arrivedMs: number, nowMs: number): void {
    this.#atWork[lane]--;
    if (lane === 'read' || lane === 'write') this.#limit.answered(arrivedMs, nowMs);
  }

  /** Often, while there is work: how late the event loop is, and how far the store is behind. */
  look(nowMs: number, loopMs: number, storeMs: number): void {
    this.#limit.look(nowMs, Math.max(loopMs, storeMs), this.#needStore);
  }

  get #needStore(): number {
    return this.#atWork.read + this.#atWork.write;
  }

  #obstacle(lane: Lane, ageMs: number): Reason | null {
    if (lane === 'probe') return null;
    if (lane === 'page') return this.#atWork.page < this.#limits.pages_at_work_max ? null : 'pages';
    if (ageMs >= DEADLINE_MS[lane]) return 'late';
    if (this.#needStore >= this.#limit.value) return 'at_work';
    return this.#atWork[lane] < Math.ceil(this.#limit.value * this.#limits.kind_share_max) ? null : 'share';
  }
}
