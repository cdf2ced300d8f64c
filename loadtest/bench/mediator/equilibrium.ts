// The equilibrium (Mediator, section 5.2): the least share of natives from which natives beside transactions have a higher throughput
// than the same traffic with each native as a transaction.

export interface Point {
  /** of natives, 0 to 1 */
  share: number;
  /** throughput, relative to that of the same traffic in transactions */
  ratio: number;
}

export interface Equilibrium {
  /** null, here and below: not even natives alone reach it */
  share: number | null;
  /** the shares from which the ratio stays above .9 and above 1.1 */
  band: readonly [low: number | null, high: number | null];
}

const BAND = 0.1;

/** REQUIRES: at least one point with a share above 0. */
export function equilibriumOf(points: readonly Point[]): Equilibrium {
  return { share: crossing(points, 1), band: [crossing(points, 1 - BAND), crossing(points, 1 + BAND)] };
}

/**
 * The least share from which every ratio is at least `threshold`, on straight lines between the points. Without natives both send the
 * same: there the ratio is 1, whatever the noise of the measurement says.
 */
export function crossing(points: readonly Point[], threshold: number): number | null {
  const sorted = [{ share: 0, ratio: 1 }, ...points.filter(({ share }) => share > 0).sort((a, b) => a.share - b.share)];
  const lost = sorted.findLastIndex(({ ratio }) => ratio < threshold);
  if (lost === -1) return 0;
  const [below, above] = [sorted[lost]!, sorted[lost + 1]];
  if (above === undefined) return null;
  return below.share + ((threshold - below.ratio) / (above.ratio - below.ratio)) * (above.share - below.share);
}
