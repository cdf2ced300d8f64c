// CalmEnvironment: the environment of this process, but for standstills. While the process gets no processor, all its clocks stand still too.
// So nothing of a test runs out of time because the machine is busy, and short times need no margin.

import type { Environment, Timer } from '../environment/environment.ts';
import { systemEnvironment } from '../environment/system-environment.ts';

/** As much time passes at once, however long the process stood still. */
const STEP_MS = 10;

interface Alarm {
  handle: Timer;
}

export class CalmEnvironment implements Environment {
  readonly #stepMs: number;
  #realMs = systemEnvironment.monotonicMs();
  #nowMs = this.#realMs;

  /** `stepMs`: longer than that counts as a standstill */
  constructor(stepMs = STEP_MS) {
    this.#stepMs = stepMs;
  }

  monotonicMs = (): number => {
    const realMs = systemEnvironment.monotonicMs();
    this.#nowMs += Math.min(realMs - this.#realMs, this.#stepMs);
    this.#realMs = realMs;
    return this.#nowMs;
  };
  wallMs = (): number => performance.timeOrigin + this.monotonicMs();
  civilMs = (): number => this.wallMs();
  setImmediate = systemEnvironment.setImmediate;
  setTimeout = (callback: () => void, delayMs: number): Timer => {
    const dueMs = this.monotonicMs() + delayMs;
    const alarm: Alarm = { handle: null };
    // A timer looks at the clock twice in each step, so that a clock at which nobody else looks goes on.
    const lookIn = (ms: number) => (alarm.handle = systemEnvironment.setTimeout(look, Math.min(Math.ceil(ms), this.#stepMs / 2)));
    const look = () => {
      const leftMs = dueMs - this.monotonicMs();
      if (leftMs <= 0) callback();
      else lookIn(leftMs);
    };
    lookIn(delayMs);
    return alarm;
  };
  clearTimeout = (timer: Timer): void => systemEnvironment.clearTimeout((timer as Alarm | null)?.handle);
  randomBytes = systemEnvironment.randomBytes;
  random = systemEnvironment.random;

  /** Resolves after this time. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.setTimeout(resolve, ms));
  }
}
