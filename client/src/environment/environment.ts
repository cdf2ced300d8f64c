// Environment: the clock, the event loop and the randomness of a client. The client gets them from here alone, so that a seeded
// simulation can run the same code.

/** The value that `setTimeout` returned. Only `clearTimeout` looks inside. */
export type Timer = unknown;

export interface Environment {
  /** milliseconds since the Unix epoch, fractions allowed */
  wallMs(): number;
  /** the same by the clock that the machine is set by: it may jump, and goes on while the machine is suspended */
  civilMs(): number;
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
