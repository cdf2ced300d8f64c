// The pause between two connection attempts.

/** Random, doubling from 20 ms to 2 s. */
export function reconnectDelayMs(failures: number, random: number): number {
  return (0.5 + random / 2) * Math.min(2_000, 20 * 2 ** Math.min(failures, 10));
}
