// The heat ramp: a sequence of colours whose lightness falls evenly (in the dark theme: rises), for counts that span decades. A
// count of zero has no colour; the smallest count above zero has the first colour.

export const HEAT_STEPS = 24;

export interface HeatStep {
  colour: string;
  /** the text colour that is readable on it */
  ink: string;
}

/** From the lowest to the highest heat. */
export function heatRamp(isDark: boolean): readonly HeatStep[] {
  return Array.from({ length: HEAT_STEPS }, (_, step) => {
    const heat = step / (HEAT_STEPS - 1);
    const lightness = isDark ? 30 + 60 * heat : 95 - 61 * heat;
    const chroma = isDark ? 0.055 + 0.4 * heat * (1 - heat) + 0.03 * heat : 0.035 + 0.34 * heat * (1 - heat) + 0.1 * heat;
    const hue = isDark ? 15 + 75 * heat : 85 - 70 * heat;
    return {
      colour: `oklch(${lightness.toFixed(1)}% ${chroma.toFixed(3)} ${hue.toFixed(1)})`,
      ink: lightness > 58.2 ? 'oklch(12% 0.01 30)' : 'oklch(100% 0 0)',
    };
  });
}

/** An idle record looks idle whatever else is shown, and pictures of different times can be compared. */
const END_LEAST = 10_000;

/** A logarithmic scale from 1 to 10,000, or to the least number 1, 2 or 5 times a power of ten that is no less than a greater value. */
export class HeatScale {
  readonly max: number;

  constructor(greatest: number) {
    this.max = Math.max(END_LEAST, niceAbove(greatest));
  }

  /** 0..1; values below 1 map to 0. */
  level(value: number): number {
    return value <= 1 ? 0 : Math.min(1, Math.log(value) / Math.log(this.max));
  }

  /** The index of the ramp's step; -1 for a value of 0. */
  step(value: number): number {
    return value > 0 ? Math.round(this.level(value) * (HEAT_STEPS - 1)) : -1;
  }

  /** The numbers in the legend: the powers of ten, and the scale's end. */
  ticks(): number[] {
    const ticks: number[] = [];
    for (let power = 1; power < this.max; power *= 10) ticks.push(power);
    if (ticks.length > 1 && this.max / ticks.at(-1)! < 3) ticks.pop();
    return [...ticks, this.max];
  }
}

function niceAbove(value: number): number {
  if (!(value > 1)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((factor) => factor * power).find((nice) => nice >= value * (1 - 1e-12))!;
}
