// A commit's time as a stacked area over time: a layer's height is the share that was spent in its state.
import type { Drawing } from '../../chart/drawing.ts';
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
  eachBucket(axis.span, bucketWidth(time.ms_per_px), store.newest_ms ?? 0, (bucket) => {
    columns.push({ at_ms: (bucket.from_ms + bucket.to_ms) / 2, spending: spendingOf(store, bucket) });
  });
  const y = (share: number) => height - share * (height - TOP_PX);
  context.fillStyle = palette.line;
  context.fillRect(time.left, Math.round(y(1)), time.right - time.left, 1);
  context.font = `12px ${palette.mono}`;
  context.textBaseline = 'bottom';
  context.fillStyle = palette.inkFaint;
  context.fillText('100%', time.left, y(1));
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
  columns.forEach(({ spending }, index) => (below[index]! += spending[layer]?.share ?? 0));
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
