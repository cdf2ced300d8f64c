// How many may be at work at once, by what is seen: additive increase, multiplicative decrease.
//
// What is seen in a window is the longest of three delays: answers' mean since their requests arrived, the event loop's, and the
// store's. A decrease takes a while to show: what arrived before it, and the time of one target after it, say nothing.
// REQUIRES: times are of one clock that never goes back.
import type { GateLimits } from './limits.ts';

export class AdaptiveLimit {
  readonly #limits: GateLimits;
  #limit: number;
  #decreasedMs = -Infinity;
  #windowMs = -Infinity;
  #latenessMs = 0;
  #sumMs = 0;
  #answers = 0;
  #peak = 0;
  #inTheWay = false;
  #delayMs = 0;

  constructor(limits: GateLimits) {
    this.#limits = limits;
    this.#limit = limits.at_work_first;
  }

  get value(): number {
    return this.#limit;
  }

  /** The longest of the last window's delays. */
  get delayMs(): number {
    return this.#delayMs;
  }

  /** So many are at work now. */
  working(count: number): void {
    if (count > this.#peak) this.#peak = count;
  }

  refused(): void {
    this.#inTheWay = true;
  }

  answered(arrivedMs: number, nowMs: number): void {
    if (arrivedMs < this.#decreasedMs) return;
    this.#sumMs += nowMs - arrivedMs;
    this.#answers++;
  }

  /** Called often; acts once a window. How late the event loop and the store are; how many are at work. */
  look(nowMs: number, latenessMs: number, working: number): void {
    this.#latenessMs = Math.max(this.#latenessMs, latenessMs);
    if (nowMs - this.#windowMs < this.#limits.window_ms) return;
    const answersMs = this.#answers === 0 ? 0 : this.#sumMs / this.#answers;
    const delayMs = Math.max(answersMs, this.#latenessMs);
    this.#delayMs = delayMs;
    if (delayMs > this.#limits.delay_target_ms) this.#fewer(nowMs, delayMs);
    else if (this.#inTheWay && this.#answers > 0) this.#more(delayMs);
    this.#windowMs = nowMs;
    this.#sumMs = this.#answers = this.#latenessMs = 0;
    this.#peak = working;
    this.#inTheWay = false;
  }

  #fewer(nowMs: number, delayMs: number): void {
    const { delay_target_ms, at_work_least, decrease_least, decrease_most } = this.#limits;
    if (nowMs - this.#decreasedMs < delay_target_ms) return;
    const share = Math.min(decrease_least, Math.max(decrease_most, delay_target_ms / delayMs));
    const limit = Math.max(at_work_least, Math.floor(this.#limit * share));
    if (this.#peak <= limit) return; // so few: it is not they who make each other wait
    this.#limit = limit;
    this.#decreasedMs = nowMs;
  }

  #more(delayMs: number): void {
    const { delay_target_ms, at_work_most, increase } = this.#limits;
    this.#limit = Math.min(at_work_most, this.#limit + (delayMs < delay_target_ms / 2 ? increase : 1));
  }
}
