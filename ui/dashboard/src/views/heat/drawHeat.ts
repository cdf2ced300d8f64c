// Draws the heatmap's cells.

import type { Drawing } from '../../chart/drawing.ts';
import type { HeatScale } from '../../chart/heatRamp.ts';
import type { HeatGrid } from './heatGrid.ts';

const GAP_PX = 1;

/** `selectedRow`: -1 for none. `outlined`: the pointed cell; its row may be -1 too. */
export function drawHeat(
  { context, palette, time, width, ratio }: Drawing,
  grid: HeatGrid,
  scale: HeatScale,
  rowHeight: number,
  selectedRow: number,
  outlined: { row: number; from_ms: number } | null,
): void {
  const crisp = (x: number) => Math.round(x * ratio) / ratio;
  const left = (column: number) => Math.max(time.left, crisp(time.x(grid.from_ms + column * grid.column_ms)));
  if (selectedRow >= 0) {
    context.fillStyle = palette.accentSoft;
    context.fillRect(0, selectedRow * rowHeight, width, rowHeight);
  }
  for (let column = 0; column < grid.columns; column += 1) {
    const x = left(column);
    const cellWidth = Math.min(time.right, left(column + 1)) - x - GAP_PX;
    if (cellWidth <= 0) continue;
    for (let row = 0; row < grid.rows; row += 1) {
      const step = scale.step(grid.at(row, column));
      if (step < 0) continue;
      context.fillStyle = palette.heat[step]!.colour;
      context.fillRect(x, row * rowHeight + GAP_PX, cellWidth, rowHeight - 2 * GAP_PX);
    }
  }
  if (outlined === null || outlined.row < 0) return;
  const column = Math.round((outlined.from_ms - grid.from_ms) / grid.column_ms);
  const x = left(column);
  context.strokeStyle = palette.ink;
  context.lineWidth = 2;
  context.strokeRect(x, outlined.row * rowHeight + GAP_PX, Math.max(2, left(column + 1) - x - GAP_PX), rowHeight - 2 * GAP_PX);
}
