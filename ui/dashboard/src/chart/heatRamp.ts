// The heat ramp: one run of colours whose lightness falls (in the dark: rises) evenly, for counts that span decades. A
// count of nothing has no colour at all; the least that there is has the first one.

export const HEAT_STEPS = 24;

export interface HeatStep {
  colour: string;
  /** what is readable on it */
  ink: string;
}

/** From the least heat to the most. */
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

/** A logarithmic scale from 1 to the next 1, 2 or 5 times a power of ten at or above the greatest value. */
export class HeatScale {
  readonly max: number;

  constructor(greatest: number) {
    this.max = Math.max(10, niceAbove(greatest));
  }

  /** 0..1; what is below 1 is 0. */
  level(value: number): number {
    return value <= 1 ? 0 : Math.min(1, Math.log(value) / Math.log(this.max));
  }

  /** The step of the ramp; -1 for nothing. */
  step(value: number): number {
    return value > 0 ? Math.round(this.level(value) * (HEAT_STEPS - 1)) : -1;
  }

  /** The numbers that its legend shows: powers of ten, and its end. */
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
