// Writes a figure as SVG, and as PNG for viewers without SVG.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pngOf } from './png.ts';
import { drawSheet, type Sheet } from './sheet.ts';

/** @param name of the files, without extension. Returns both paths. */
export async function writeFigure(folder: string, name: string, sheet: Sheet): Promise<string[]> {
  const svg = drawSheet(sheet);
  const [svgPath, pngPath] = [join(folder, `${name}.svg`), join(folder, `${name}.png`)];
  writeFileSync(svgPath, svg);
  writeFileSync(pngPath, await pngOf(svg));
  return [svgPath, pngPath];
}
