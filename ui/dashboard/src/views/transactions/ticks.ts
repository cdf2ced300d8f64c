// Round times for a scale with a few labels.
const LABELS_MAX = 6;

export interface ScaleTick {
  at_ms: number;
  /** with as many digits as distinguish it from its neighbours: `0.05 ms` */
  label: string;
}

/** From 0, in steps of 1, 2 or 5 times a power of ten; few enough to stand apart. */
export function scaleTicks(length_ms: number): ScaleTick[] {
  if (!(length_ms > 0)) return [];
  const power = 10 ** Math.floor(Math.log10(length_ms / LABELS_MAX));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((width) => length_ms / width <= LABELS_MAX)!;
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return Array.from({ length: Math.floor(length_ms / step + 1e-9) + 1 }, (_, count) => {
    const at_ms = count * step;
    return { at_ms, label: step < 1_000 ? `${at_ms.toFixed(digits)} ms` : `${at_ms / 1_000} s` };
  });
}
