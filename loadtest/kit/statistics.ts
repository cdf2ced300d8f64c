// Statistics over the rounds of a benchmark.

/** Standard deviations on each side that cover 95 % of a normal distribution. */
const DEVIATIONS_95 = 1.96;

/** REQUIRES: at least one value. For an even number, the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** REQUIRES: at least one value. */
export const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The least value that a share `q` of all values do not exceed. REQUIRES: at least one value. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)]!;
}

/** The result of repeated measurements: the value, and its range with a confidence of about 95 %. */
export interface Estimate {
  value: number;
  range: [number, number];
}

/**
 * The middle of symmetrically distributed values: the median of all pairs' means (Hodges and Lehmann), with its range by Wilcoxon's
 * signed ranks. An outlier affects it hardly more than a median, and it needs two thirds of the values that a median needs.
 * REQUIRES: at least one value; with fewer than six the confidence is lower.
 */
export function middleOf(values: readonly number[]): Estimate {
  const means = values.flatMap((one, i) => values.slice(i).map((other) => (one + other) / 2)).sort((a, b) => a - b);
  const count = values.length;
  const deviation = Math.sqrt((count * (count + 1) * (2 * count + 1)) / 24);
  const low = Math.max(0, Math.round(means.length / 2 - DEVIATIONS_95 * deviation));
  return { value: median(means), range: [means[low]!, means[means.length - 1 - low]!] };
}
