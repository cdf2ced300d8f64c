// The time lines of the axis: on round instants, far enough apart to be legible.

const STEPS_MS = [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000];

export interface AxisTick {
  at_ms: number;
  label: string;
}

/** `least_ms`: the span of time that a label covers. */
export function axisTicks(from_ms: number, to_ms: number, least_ms: number): AxisTick[] {
  const step_ms = STEPS_MS.find((step) => step >= least_ms) ?? STEPS_MS.at(-1)!;
  const ticks: AxisTick[] = [];
  for (let at_ms = Math.ceil(from_ms / step_ms) * step_ms; at_ms <= to_ms; at_ms += step_ms) {
    ticks.push({ at_ms, label: clockTime(at_ms, step_ms < 1_000) });
  }
  return ticks;
}

const pad = (value: number) => String(value).padStart(2, '0');

/** 14:03:20 in the viewer's time zone; with tenths if they are needed to tell instants apart. */
export function clockTime(at_ms: number, hasTenths = false): string {
  const date = new Date(at_ms);
  const time = `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
  return hasTenths ? `${time}.${Math.floor(date.getMilliseconds() / 100)}` : time;
}

/** "60 s", "2 min 30 s", "450 ms" */
export function durationWords(duration_ms: number): string {
  if (duration_ms < 1_000) return `${Math.round(duration_ms)} ms`;
  const seconds = Math.round(duration_ms / 1_000);
  if (seconds <= 90) return `${duration_ms < 9_950 && seconds * 1_000 !== duration_ms ? (duration_ms / 1_000).toFixed(1) : seconds} s`;
  const rest = seconds % 60;
  return rest === 0 ? `${seconds / 60} min` : `${Math.floor(seconds / 60)} min ${rest} s`;
}

/** 14:03:20.125 */
export const instantWords = (at_ms: number): string => `${clockTime(at_ms)}.${String(Math.floor(at_ms) % 1_000).padStart(3, '0')}`;
