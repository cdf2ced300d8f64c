// CalmEnvironment: the environment of this process, but for standstills. While the process gets no processor, its clocks stand still too.
// So nothing of a test runs out of time because the machine is busy, and short times need no margin.

import type { Environment, Timer } from '../environment/environment.ts';
import { systemEnvironment } from '../environment/system-environment.ts';

const STEP_MS = 10;
/** How much faster clocks go that catch up. */
const CATCHING_UP = 1.2;

export interface CalmOptions {
  /** As much time passes at once, however long the process stood still: 10 by default. */
  stepMs?: number;
  /** The clocks go a little faster after a standstill, until they agree with those of the process again. */
  catchesUp?: boolean;
}

interface Alarm {
  handle: Timer;
}

export class CalmEnvironment implements Environment {
  readonly #stepMs: number;
  readonly #speed: number;
  #realMs = systemEnvironment.monotonicMs();
  #nowMs = this.#realMs;

  constructor({ stepMs = STEP_MS, catchesUp = false }: CalmOptions = {}) {
    this.#stepMs = stepMs;
    this.#speed = catchesUp ? CATCHING_UP : 1;
  }

  monotonicMs = (): number => {
    const realMs = systemEnvironment.monotonicMs();
    const passedMs = Math.min(realMs - this.#realMs, this.#stepMs);
    this.#nowMs = Math.min(this.#nowMs + this.#speed * passedMs, realMs);
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
