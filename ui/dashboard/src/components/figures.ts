// Figures for people: only significant digits, and a dash if nothing was measured.
import { formatCount } from '@claret/ui/kit';

export const NOTHING = '–';

/** A rate or a mean: "12,345", "45.6", "0.31". */
export function figureWords(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return NOTHING;
  if (Math.abs(value) >= 100) return formatCount(Math.round(value));
  if (value === 0) return '0';
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** The same where there is little room: "9,877", "61K", "1.9M". */
export function shortFigureWords(value: number | null): string {
  if (value === null || !(Math.abs(value) >= 10_000)) return figureWords(value);
  const maximumFractionDigits = Math.abs(value) < 1_000_000 ? 0 : 1;
  return new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits }).format(value);
}

/** A duration in ms: "0.4 ms", "14 ms", "2.1 s"; "<0.1 ms" for less, unless it is 0. */
export function msWords(value_ms: number | null): string {
  if (value_ms === null || !Number.isFinite(value_ms)) return NOTHING;
  if (value_ms > 0 && value_ms < 0.05) return '<0.1 ms';
  if (value_ms >= 1_000) return `${(value_ms / 1_000).toFixed(value_ms >= 10_000 ? 0 : 1)} s`;
  return `${value_ms >= 10 ? Math.round(value_ms) : value_ms.toFixed(1)} ms`;
}

export const slotWords = (count: number): string => `${formatCount(count)} ${count === 1 ? 'slot' : 'slots'}`;

const KIB = 1_024;
const MIB = KIB * KIB;

/** "0 B", "812 B", "96 KiB", "4.1 MiB". */
export function bytesWords(bytes: number): string {
  if (bytes < KIB) return `${Math.round(bytes)} B`;
  if (bytes < MIB) return `${Math.round(bytes / KIB)} KiB`;
  return bytes < 100 * MIB ? `${(bytes / MIB).toFixed(1)} MiB` : `${formatCount(Math.round(bytes / MIB))} MiB`;
}

/** A part of a whole: "90%"; "over 99%" for nearly all, "100%" only if complete. */
export function shareWords(share: number): string {
  const percent = Math.round(share * 100);
  return percent >= 100 && share < 1 ? 'over 99%' : `${percent}%`;
}

/** A round figure at the end of a scale: "5,000", "0.5". */
export function scaleWords(value: number): string {
  return value >= 1 ? formatCount(value) : String(Number(value.toPrecision(1)));
}

/** The least round figure that is no less than `value`, at which a chart's scale ends: 1, 2, 3, 4, 5, 6, 8, 10, 20, … */
export function roundCeiling(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 3, 4, 5, 6, 8].find((one) => one * power >= value * (1 - 1e-9)) ?? 10;
  return Number((step * power).toPrecision(1));
}
