// Draws the results of a run, after the paper's figures 5 to 10: each as SVG, and as PNG for viewers without SVG.

import type { AuthorsPeaks } from '../authors.ts';
import type { Results } from '../results.ts';
import { conflicts } from './conflicts.ts';
import { distributions } from './distributions.ts';
import type { Figure, FigureOf } from './figure.ts';
import { styleOf } from '../../../kit/figures/look.ts';
import { overTime } from './over-time.ts';
import { writeFigure } from '../../../kit/figures/write.ts';
import { latency, mix, retwis, rubis, skew } from './throughput.ts';

const FIGURES: readonly FigureOf[] = [latency, mix, skew, rubis, conflicts, retwis, distributions, overTime];

/** The figures whose rows are present. Throws for a condition without a style. */
export function figuresOf(results: Results, authors: AuthorsPeaks): Figure[] {
  for (const { condition } of results.cells) styleOf(condition);
  return FIGURES.map((figureOf) => figureOf(results, authors)).filter((figure) => figure !== null);
}

/** Returns the files that it has written into the folder. */
export async function drawFigures(folder: string, results: Results, authors: AuthorsPeaks): Promise<string[]> {
  const written: string[] = [];
  for (const { name, sheet } of figuresOf(results, authors)) written.push(...(await writeFigure(folder, name, sheet)));
  return written;
}
