// Gaps: times without a commit, in milliseconds.

/** A list that has committed. */
export interface Done {
  begunMs: number;
  endedMs: number;
  inEpoch: boolean;
}

/** The longest time between two commits from `fromMs` to `toMs`, in any order; both ends count as commits. */
export function longestGap(done: readonly Done[], fromMs: number, toMs: number): number {
  const moments = done.map(({ endedMs }) => endedMs).filter((ms) => ms > fromMs && ms < toMs);
  const all = [fromMs, ...moments.sort((a, b) => a - b), toMs];
  return Math.max(...all.slice(1).map((ms, i) => ms - all[i]!));
}

/** From `fromMs` until the first commit of a list that began after it; null: there is none. */
export function untilCommit(done: readonly Done[], fromMs: number): number | null {
  const ended = done.filter(({ begunMs }) => begunMs >= fromMs).map(({ endedMs }) => endedMs - fromMs);
  return ended.length === 0 ? null : ended.reduce((first, ms) => Math.min(first, ms));
}
