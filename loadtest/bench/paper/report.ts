// The files of a results folder that are derived from its rows: raw.csv, the figures, summary.md.

import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AuthorsPeaks } from './authors.ts';
import { drawFigures } from './figures/draw.ts';
import { csvOf, type Row } from './raw.ts';
import { Results } from './results.ts';
import { summaryEntries } from './summary-json.ts';
import { summaryMarkdown } from './summary.ts';

/** Returns the files that it has written. */
export async function report(folder: string, rows: readonly Row[], json: string | undefined): Promise<string[]> {
  const results = new Results(rows);
  const authors = AuthorsPeaks.read();
  const written: string[] = [];
  const write = (path: string, text: string) => {
    writeFileSync(path, text);
    written.push(path);
  };
  write(join(folder, 'raw.csv'), csvOf(results.cells));
  const drawn = await drawFigures(folder, results, authors);
  written.push(...drawn);
  const pictures = drawn.filter((path) => path.endsWith('.svg')).map((path) => basename(path));
  write(join(folder, 'summary.md'), summaryMarkdown(results, authors, pictures));
  if (json !== undefined) write(json, `${JSON.stringify(summaryEntries(results, authors), null, 2)}\n`);
  return written;
}
