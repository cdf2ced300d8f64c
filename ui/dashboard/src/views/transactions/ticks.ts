// Round times for a scale of a few labels.
const LABELS_MAX = 6;

/** From 0, steps of 1, 2 or 5 times a power of ten; at most so many that they stand apart. */
export function niceTicks(length_ms: number): number[] {
  if (!(length_ms > 0)) return [0];
  const power = 10 ** Math.floor(Math.log10(length_ms / LABELS_MAX));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((width) => length_ms / width <= LABELS_MAX)!;
  return Array.from({ length: Math.floor(length_ms / step + 1e-9) + 1 }, (_, count) => count * step);
}
