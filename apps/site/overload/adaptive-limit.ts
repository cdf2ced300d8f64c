// The limit on requests in flight, adapted to measured delays: additive increase, multiplicative decrease.
//
// The delay of a window is the longest of three: the mean from a request's arrival to its answer, the event loop's delay, and the store's.
// A decrease takes effect late: answers to requests that arrived before it are ignored, and the next decrease comes no sooner than one
// target delay after it.
// REQUIRES: all times are from one monotonic clock.
import type { AdmissionLimits } from './limits.ts';

export class AdaptiveLimit {
  readonly #limits: AdmissionLimits;
  #limit: number;
  #decreasedMs = -Infinity;
  #windowMs = -Infinity;
  #latenessMs = 0;
  #sumMs = 0;
  #answers = 0;
  #peak = 0;
  #wasReached = false;
  #delayMs = 0;

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
    this.#limit = limits.at_work_first;
  }

  get value(): number {
    return this.#limit;
  }

  /** the longest of the last window's delays */
  get delayMs(): number {
    return this.#delayMs;
  }

  /** The number of requests in flight has changed. */
  inFlight(count: number): void {
    if (count > this.#peak) this.#peak = count;
  }

  refused(): void {
    this.#wasReached = true;
  }

  answered(arrivedMs: number, nowMs: number): void {
    if (arrivedMs < this.#decreasedMs) return;
    this.#sumMs += nowMs - arrivedMs;
    this.#answers++;
  }

  /** Called often; adapts the limit once a window. `latenessMs`: the longer of the event loop's delay and the store's. */
  observe(nowMs: number, latenessMs: number, inFlight: number): void {
    this.#latenessMs = Math.max(this.#latenessMs, latenessMs);
    if (nowMs - this.#windowMs < this.#limits.window_ms) return;
    const answersMs = this.#answers === 0 ? 0 : this.#sumMs / this.#answers;
    const delayMs = Math.max(answersMs, this.#latenessMs);
    this.#delayMs = delayMs;
    if (delayMs > this.#limits.delay_target_ms) this.#fewer(nowMs, delayMs);
    else if (this.#wasReached && this.#answers > 0) this.#more(delayMs);
    this.#windowMs = nowMs;
    this.#sumMs = this.#answers = this.#latenessMs = 0;
    this.#peak = inFlight;
    this.#wasReached = false;
  }

  #fewer(nowMs: number, delayMs: number): void {
    const { delay_target_ms, at_work_least, decrease_least, decrease_most } = this.#limits;
    if (nowMs - this.#decreasedMs < delay_target_ms) return;
    const share = Math.min(decrease_least, Math.max(decrease_most, delay_target_ms / delayMs));
    const limit = Math.max(at_work_least, Math.floor(this.#limit * share));
    if (this.#peak <= limit) return; // with so few in flight, concurrency is not the cause of the delay
    this.#limit = limit;
    this.#decreasedMs = nowMs;
  }

  #more(delayMs: number): void {
    const { delay_target_ms, at_work_most, increase } = this.#limits;
    this.#limit = Math.min(at_work_most, this.#limit + (delayMs < delay_target_ms / 2 ? increase : 1));
  }
}
