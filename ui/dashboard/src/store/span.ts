// Shared by all series: how far back they reach, and spans of time.

/** How much of the past the store keeps. */
export const HISTORY_MS = 600_000;

/** [from_ms, to_ms) on the axis of all telemetry: the wall clock of the gateway that sends it. */
export interface Span {
  from_ms: number;
  to_ms: number;
}
