// The files of a results folder that are derived from its rows: the figures and summary.md.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFigure } from '../../kit/figures/write.ts';
import { comfortZones, equilibria } from './figures.ts';
import type { Row } from './raw.ts';
import { Results } from './results.ts';
import { summaryMarkdown } from './summary.ts';

/** Returns the files that it has written. */
export async function report(folder: string, rows: readonly Row[]): Promise<string[]> {
  const results = new Results(rows);
  const figures = [...comfortZones(results), equilibria(results)].filter((figure) => figure !== null);
  const written: string[] = [];
  for (const { name, sheet } of figures) written.push(...(await writeFigure(folder, name, sheet)));
  const summary = join(folder, 'summary.md');
  writeFileSync(
    summary,
    summaryMarkdown(
      results,
      figures.map(({ name }) => `${name}.svg`),
    ),
  );
  return [...written, summary];
}
