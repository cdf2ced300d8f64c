// Patterns drawn over a mode's colour, so that the mode is recognisable without colour.

import type { Pattern } from './modes.ts';

/** in CSS pixels */
const TILE = 6;
const STRENGTH = 0.42;

/** A fill for a context whose unit is a CSS pixel, crisp at `ratio` device pixels per CSS pixel. */
export function patternTile(
  context: CanvasRenderingContext2D,
  pattern: Pattern,
  colour: string,
  ink: string,
  ratio: number,
): CanvasPattern | string {
  if (pattern === 'plain') return colour;
  const size = Math.max(1, Math.round(TILE * ratio));
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = size;
  const tile = canvas.getContext('2d')!;
  tile.fillStyle = colour;
  tile.fillRect(0, 0, size, size);
  tile.globalAlpha = STRENGTH;
  tile.fillStyle = tile.strokeStyle = ink;
  tile.lineWidth = Math.max(1, Math.round(ratio));
  drawPattern(tile, pattern, size);
  const made = context.createPattern(canvas, 'repeat')!;
  made.setTransform(new DOMMatrix().scale(TILE / size));
  return made;
}

function drawPattern(tile: CanvasRenderingContext2D, pattern: Pattern, size: number): void {
  const line = tile.lineWidth;
  if (pattern === 'level') return tile.fillRect(0, Math.floor(size / 2), size, line);
  if (pattern === 'upright') return tile.fillRect(Math.floor(size / 2), 0, line, size);
  if (pattern === 'dots') {
    const dot = Math.max(1, Math.round(size / 4));
    tile.fillRect(dot >> 1, dot >> 1, dot, dot);
    return tile.fillRect((dot >> 1) + (size >> 1), (dot >> 1) + (size >> 1), dot, dot);
  }
  if (pattern === 'grid') {
    tile.fillRect(0, 0, size, line);
    return tile.fillRect(0, 0, line, size);
  }
  tile.beginPath();
  for (const offset of [-size, 0, size]) {
    if (pattern !== 'falling') {
      tile.moveTo(offset - 1, size + 1);
      tile.lineTo(offset + size + 1, -1);
    }
    if (pattern !== 'rising') {
      tile.moveTo(offset - 1, -1);
      tile.lineTo(offset + size + 1, size + 1);
    }
  }
  tile.stroke();
}
