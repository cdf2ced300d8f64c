// Statistics over the rounds of a benchmark.

/** Standard deviations on each side that hold 95 % of a normal distribution. */
const DEVIATIONS_95 = 1.96;

/** REQUIRES: at least one value. Of an even number, the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The least value that a share `q` of all values do not exceed. REQUIRES: at least one value. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)]!;
}

/** What repeated measurements tell: the value, and between which it lies with a confidence of about 95 %. */
export interface Estimate {
  value: number;
  range: [number, number];
}

/**
 * The middle of values that scatter alike to both sides, by the median of all pairs' means (Hodges and Lehmann), and its range
 * by Wilcoxon's signed ranks: an outlier moves it hardly more than it moves a median, and it needs two thirds of the values
 * that a median needs. REQUIRES: at least one value; with fewer than six the confidence is less.
 */
export function middleOf(values: readonly number[]): Estimate {
  const means = values.flatMap((one, i) => values.slice(i).map((other) => (one + other) / 2)).sort((a, b) => a - b);
  const count = values.length;
  const deviation = Math.sqrt((count * (count + 1) * (2 * count + 1)) / 24);
  const low = Math.max(0, Math.round(means.length / 2 - DEVIATIONS_95 * deviation));
  return { value: median(means), range: [means[low]!, means[means.length - 1 - low]!] };
}
