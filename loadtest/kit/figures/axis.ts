// Axes: map figures to pixels, with legible ticks. Throughput begins at 0; figures that span decades are logarithmic, and their
// titles say so.

import { scaleLinear, scaleLog } from 'd3-scale';

export interface Axis {
  title: string;
  /** within 0..1, from the beginning to the end of the axis */
  place(value: number): number;
  ticks: readonly number[];
  format(value: number): string;
}

export const thousands = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 2 });

/** Linear from 0. */
export function fromZero(title: string, highest: number, { ticks = 5, format = thousands } = {}): Axis {
  const scale = scaleLinear([0, highest > 0 ? highest : 1], [0, 1]).nice(ticks);
  return { title, place: scale, ticks: scale.ticks(ticks), format };
}

/** Linear between the given ticks and a margin beyond, for figures without a natural zero. */
export function steps(title: string, ticks: readonly number[], format = thousands): Axis {
  const [first, last] = [Math.min(...ticks), Math.max(...ticks)];
  const margin = (last - first || 1) * 0.04;
  return { title, place: scaleLinear([first - margin, last + margin], [0, 1]), ticks, format };
}

/** Doubling steps, for numbers of clients. */
export function doubling(title: string, ticks: readonly number[]): Axis {
  const margin = 1.13;
  return { title, place: scaleLog([Math.min(...ticks) / margin, Math.max(...ticks) * margin], [0, 1]).base(2), ticks, format: thousands };
}

/** REQUIRES: 0 < lowest <= highest. Whole decades if there are several; otherwise steps of 1, 2 and 5. */
export function logarithmic(title: string, lowest: number, highest: number): Axis {
  const decade = (value: number) => 10 ** Math.floor(Math.log10(value));
  const fine = highest / lowest < 1_000;
  const below = (value: number) => [5, 2, 1].map((step) => step * decade(value)).find((step) => step <= value)!;
  const above = (value: number) => [1, 2, 5, 10].map((step) => step * decade(value)).find((step) => step >= value)!;
  const from = fine ? below(lowest) : decade(lowest);
  const to = Math.max(fine ? above(highest) : decade(highest * 9.99), from * 10);
  const ticks: number[] = [];
  for (let power = decade(from); power <= to * 1.001; power *= 10) {
    ticks.push(...(fine ? [1, 2, 5] : [1]).map((step) => step * power).filter((tick) => tick >= from * 0.999 && tick <= to * 1.001));
  }
  return { title: `${title}, log scale`, place: scaleLog([from, to], [0, 1]), ticks, format: thousands };
}
