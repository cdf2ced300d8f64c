// What all series share: how far back they reach, and stretches of time.

/** The store knows so much of the past. */
export const HISTORY_MS = 600_000;

/** [from_ms, to_ms) on the axis of all telemetry: the wall clock of the gateway that sends it. */
export interface Span {
  from_ms: number;
  to_ms: number;
}
