// A small chart of one or two figures over time: lines, an area under a single line, and the end of the scale.
import type { Drawing } from '../../chart/drawing.ts';
import { roundCeiling } from '../../components/figures.ts';
import type { Span } from '../../store/span.ts';
import type { TelemetryStore } from '../../store/telemetryStore.ts';
import { bucketWidth, eachBucket } from './buckets.ts';

type Read = (store: TelemetryStore, bucket: Span) => number | null;

const TOP_PX = 14;
const BOTTOM_PX = 2;

interface Line {
  read: Read;
  /** shown at the right end if there are two lines: below the first, above the second */
  name?: string;
}

interface Options {
  /** logarithmic instead of from 0: for figures that span decades */
  isLog?: boolean;
  /** formats a figure on the scale */
  words(value: number): string;
}

/** The line has gaps where reports are missing. Lines are distinguished by name and by weight: the first is heavier. */
export function drawLines(lines: readonly Line[], { isLog = false, words }: Options): (drawing: Drawing) => void {
  const points = lines.map((): number[] => []);
  return (drawing) => {
    const { store, axis, time } = drawing;
    for (const list of points) list.length = 0;
    let highest = 0;
    let lowest = Infinity;
    eachBucket(axis.span, bucketWidth(time.ms_per_px), store.newest_ms ?? 0, (bucket) => {
      lines.forEach(({ read }, index) => {
        const value = read(store, bucket);
        points[index]!.push((bucket.from_ms + bucket.to_ms) / 2, value ?? Number.NaN);
        if (value === null) return;
        highest = Math.max(highest, value);
        if (value > 0) lowest = Math.min(lowest, value);
      });
    });
    const scale = isLog ? logScale(lowest, highest) : linearScale(highest);
    drawScaleLines(drawing, scale);
    for (let index = lines.length - 1; index >= 0; index--) drawLine(drawing, points[index]!, scale, index === 0, lines.length === 1);
    drawScaleWords(drawing, scale, words);
    if (lines.length > 1) drawNames(drawing, lines, points, scale);
  };
}

interface Scale {
  /** 0 at the bottom, 1 at the top */
  share(value: number): number;
  /** figures with a grid line, from the lowest; the first and the last have labels */
  lines: number[];
}

function linearScale(highest: number): Scale {
  const top = roundCeiling(highest);
  return { share: (value) => value / top, lines: [top] };
}

function logScale(lowest: number, highest: number): Scale {
  const from = Math.floor(Math.log10(Math.min(lowest, 1)));
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(highest, 1e-3))));
  const lines: number[] = [];
  for (let power = from; power <= to; power++) lines.push(10 ** power);
  return { share: (value) => Math.max(0, (Math.log10(value) - from) / (to - from)), lines };
}

const yOf = ({ height }: Drawing, scale: Scale, value: number): number =>
  height - BOTTOM_PX - scale.share(value) * (height - TOP_PX - BOTTOM_PX);

function drawScaleLines(drawing: Drawing, scale: Scale): void {
  const { context, palette, time } = drawing;
  context.fillStyle = palette.line;
  for (const value of scale.lines) context.fillRect(time.left, Math.round(yOf(drawing, scale, value)), time.right - time.left, 1);
}

/** Drawn over the curves, on a background of their own, so that no curve crosses them. */
function drawScaleWords(drawing: Drawing, scale: Scale, words: (value: number) => string): void {
  const { context, palette, time } = drawing;
  context.font = `12px ${palette.mono}`;
  context.textBaseline = 'bottom';
  context.textAlign = 'left';
  const y = (value: number) => Math.round(yOf(drawing, scale, value));
  for (const value of new Set([scale.lines[0]!, scale.lines.at(-1)!])) {
    const text = words(value);
    context.fillStyle = palette.surface;
    context.fillRect(time.left, y(value) - TOP_PX + 1, context.measureText(text).width + 3, TOP_PX - 1);
    context.fillStyle = palette.inkFaint;
    context.fillText(text, time.left, y(value));
  }
}

function drawLine(drawing: Drawing, points: readonly number[], scale: Scale, isFirst: boolean, hasArea: boolean): void {
  const { context, palette, time, height } = drawing;
  context.lineWidth = isFirst ? 1.75 : 1;
  context.lineJoin = 'round';
  context.strokeStyle = isFirst ? palette.accentInk : palette.inkSoft;
  context.fillStyle = palette.accentSoft;
  const close = (from: number, to: number) => {
    if (hasArea) {
      context.save();
      context.lineTo(time.x(points[to]!), height);
      context.lineTo(time.x(points[from]!), height);
      context.fill();
      context.restore();
    }
  };
  for (const isArea of hasArea ? [true, false] : [false]) {
    let from = -1;
    context.beginPath();
    for (let index = 0; index < points.length; index += 2) {
      const value = points[index + 1]!;
      if (Number.isNaN(value)) {
        if (isArea && from >= 0) close(from, index - 2);
        if (isArea) context.beginPath();
        from = -1;
        continue;
      }
      const [x, y] = [time.x(points[index]!), yOf(drawing, scale, value)];
      if (from < 0) context.moveTo(x, y);
      else context.lineTo(x, y);
      if (from < 0) from = index;
    }
    if (isArea && from >= 0) close(from, points.length - 2);
    if (!isArea) context.stroke();
  }
}

const NAME_PX = 13;
const NAME_GAP_PX = 8;

/** Names of the lines at their ends, on a background of their own: the first line's below it, others above. Where two would overprint, one moves left. */
function drawNames(drawing: Drawing, lines: readonly Line[], points: readonly (readonly number[])[], scale: Scale): void {
  const { context, palette, time } = drawing;
  context.font = `600 12px ${palette.sans}`;
  context.textAlign = 'right';
  context.textBaseline = 'top';
  const drawn: { left: number; top: number }[] = [];
  lines.forEach(({ name = '' }, index) => {
    const end = endOf(points[index]!);
    if (end === null) return;
    const y = yOf(drawing, scale, end.value);
    const top = index === 0 ? Math.min(y + 3, drawing.height - NAME_PX) : Math.max(y - 2 - NAME_PX, TOP_PX);
    const beside = drawn.filter((other) => Math.abs(other.top - top) < NAME_PX);
    const right = Math.min(time.right - 2, time.x(end.at_ms), ...beside.map(({ left }) => left - NAME_GAP_PX));
    const width = context.measureText(name).width;
    drawn.push({ left: right - width, top });
    context.fillStyle = palette.surface;
    context.fillRect(right - width - 2, top, width + 4, NAME_PX);
    context.fillStyle = palette.inkSoft;
    context.fillText(name, right, top);
  });
}

/** The newest point that is known. */
function endOf(points: readonly number[]): { at_ms: number; value: number } | null {
  for (let index = points.length - 2; index >= 0; index -= 2) {
    if (!Number.isNaN(points[index + 1]!)) return { at_ms: points[index]!, value: points[index + 1]! };
  }
  return null;
}
