// Time spent by state as a stacked area: a layer's height is the average number of transactions in the state.
import type { Drawing } from '../../chart/drawing.ts';
import { roundCeiling, scaleWords } from '../../components/figures.ts';
import { bucketWidth, eachBucket } from './buckets.ts';
import { causeLook } from './causes.ts';
import { spendingOf, type Spending } from './figuresShown.ts';

const TOP_PX = 14;

interface Column {
  at_ms: number;
  spending: Spending[];
}

export function drawSpending(drawing: Drawing): void {
  const { context, palette, time, height, store, axis } = drawing;
  const columns: Column[] = [];
  let highest = 0;
  eachBucket(axis.span, bucketWidth(time.ms_per_px), store.newest_ms ?? 0, (bucket) => {
    const spending = spendingOf(store, bucket);
    columns.push({ at_ms: (bucket.from_ms + bucket.to_ms) / 2, spending });
    highest = Math.max(
      highest,
      spending.reduce((sum, { per_s }) => sum + (per_s ?? 0), 0),
    );
  });
  const top = roundCeiling(highest);
  const y = (value: number) => height - (value / top) * (height - TOP_PX);
  context.fillStyle = palette.line;
  context.fillRect(time.left, Math.round(y(top)), time.right - time.left, 1);
  context.font = `12px ${palette.mono}`;
  context.textBaseline = 'bottom';
  context.fillStyle = palette.inkFaint;
  context.fillText(scaleWords(top), time.left, y(top));
  const layers = columns.at(-1)?.spending.length ?? 0;
  const below = columns.map(() => 0);
  for (let layer = 0; layer < layers; layer++) drawLayer(drawing, columns, below, layer, y);
}

/** Draws one layer on top of those below; updates `below` for the next layer. */
function drawLayer(
  { context, palette, time, height }: Drawing,
  columns: readonly Column[],
  below: number[],
  layer: number,
  y: (value: number) => number,
): void {
  const look = causeLook(columns.at(-1)!.spending[layer]!.name);
  context.beginPath();
  columns.forEach(({ at_ms }, index) => context.lineTo(time.x(at_ms), y(below[index]!)));
  columns.forEach(({ spending }, index) => (below[index]! += spending[layer]?.per_s ?? 0));
  for (let index = columns.length - 1; index >= 0; index--) context.lineTo(time.x(columns[index]!.at_ms), y(below[index]!));
  context.closePath();
  context.fillStyle = look.colour(palette);
  context.fill();
  if (look.hatch === 0) return;
  context.save();
  context.clip();
  context.strokeStyle = palette.surface;
  context.lineWidth = 1.5;
  context.beginPath();
  for (let x = time.left - height; x < time.right; x += look.hatch) {
    context.moveTo(x, height);
    context.lineTo(x + height, 0);
  }
  context.stroke();
  context.restore();
}
