// SteppedEnvironment: an environment whose time stands still until a test lets some pass. So nothing runs out of time because a test was
// paused, and a test need not wait.

import type { Environment, Timer } from '../environment/environment.ts';
import { systemEnvironment } from '../environment/system-environment.ts';

interface Alarm {
  readonly atMs: number;
  readonly ring: () => void;
}

export class SteppedEnvironment implements Environment {
  readonly #alarms = new Set<Alarm>();
  #nowMs = 1_000;
  /** time that its steady clock has lost */
  #lostMs = 0;

  /** Lets time pass, and rings what was to ring in it. */
  pass(ms: number): void {
    const until = this.#nowMs + ms;
    for (let next = this.#next(until); next !== null; next = this.#next(until)) {
      this.#alarms.delete(next);
      this.#nowMs = next.atMs;
      next.ring();
    }
    this.#nowMs = until;
  }

  /** The machine is suspended, and its steady clock with it. */
  suspend(ms: number): void {
    this.#lostMs += ms;
  }

  /** The first alarm up to `until`. */
  #next(until: number): Alarm | null {
    let first: Alarm | null = null;
    for (const alarm of this.#alarms) if (alarm.atMs <= until && (first === null || alarm.atMs < first.atMs)) first = alarm;
    return first;
  }

  monotonicMs = (): number => this.#nowMs;
  wallMs = (): number => 1_700_000_000_000 + this.#nowMs;
  civilMs = (): number => this.wallMs() + this.#lostMs;
  setImmediate = systemEnvironment.setImmediate;
  setTimeout = (ring: () => void, delayMs: number): Timer => {
    const alarm = { atMs: this.#nowMs + delayMs, ring };
    this.#alarms.add(alarm);
    return alarm;
  };
  clearTimeout = (timer: Timer): void => void this.#alarms.delete(timer as Alarm);
  randomBytes = systemEnvironment.randomBytes;
  random = systemEnvironment.random;
}
