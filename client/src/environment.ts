// Environment: the world as the client sees it. Time, turns of the event loop and chance come from here and from nowhere
// else, so that a seeded simulation can run this very code.

/** Whatever `setTimeout` gave; only `clearTimeout` looks inside. */
export type Timer = unknown;

export interface Environment {
  /** milliseconds since the Unix epoch, fractions allowed */
  wallMs(): number;
  /** milliseconds since an arbitrary start, never going back, fractions allowed */
  monotonicMs(): number;
  /** runs `callback` in the next turn of the event loop */
  setImmediate(callback: () => void): void;
  setTimeout(callback: () => void, delayMs: number): Timer;
  clearTimeout(timer: Timer): void;
  /** unguessable bytes */
  randomBytes(count: number): Uint8Array;
  /** uniform in [0, 1) */
  random(): number;
}

// Looked up once: as globals they are getters, at several times the cost of reading the clock.
const { performance, crypto } = globalThis;
const { timeOrigin } = performance;

/** The real one. */
export const systemEnvironment: Environment = {
  wallMs: () => timeOrigin + performance.now(),
  monotonicMs: () => performance.now(),
  setImmediate: (callback) => void setImmediate(callback),
  setTimeout: (callback, delayMs) => setTimeout(callback, delayMs),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
  randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
  random: () => Math.random(),
};
