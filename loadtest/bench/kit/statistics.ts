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

/**
 * Between which of the values the median of all that could have been measured lies, with a confidence of about 95 %,
 * however they are distributed: so many ranks around the middle as a fair coin's heads scatter. REQUIRES: at least one value;
 * with fewer than six the confidence is less.
 */
export function medianRange(values: readonly number[]): [number, number] {
  const sorted = [...values].sort((a, b) => a - b);
  const ranks = (DEVIATIONS_95 / 2) * Math.sqrt(sorted.length);
  const low = Math.max(0, Math.floor(sorted.length / 2 - ranks));
  return [sorted[low]!, sorted[sorted.length - 1 - low]!];
}
