// A phone as Lighthouse emulates it, for Chromium.

export const SCREEN = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };

export interface Line {
  /** added to each request */
  latency_ms: number;
  down_bytes_per_s: number;
  up_bytes_per_s: number;
}

/** Bytes per second for a number of megabits per second. */
const mbit = (count: number): number => (count * 1_000_000) / 8;

/**
 * Chromium's profiles `Slow 4G`, with which Lighthouse tests phones, and `Fast 4G`, as its developer tools apply them: round trips
 * and rates are already multiplied by the factors that compensate for emulation above TCP.
 */
export const LINES = {
  'slow 4G': { latency_ms: 562.5, down_bytes_per_s: mbit(1.44), up_bytes_per_s: mbit(0.675) },
  'fast 4G': { latency_ms: 165, down_bytes_per_s: mbit(8.1), up_bytes_per_s: mbit(1.35) },
} as const satisfies Record<string, Line>;

export type LineName = keyof typeof LINES;
