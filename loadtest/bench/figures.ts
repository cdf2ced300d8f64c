// Rewrites the summary and redraws the figures of a results folder of `paper` or `mediator`: npm run bench -- figures FOLDER

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Row as MediatorRow } from './mediator/raw.ts';
import { report as reportMediator } from './mediator/report.ts';
import { RawFile, type Row as PaperRow } from './paper/raw.ts';
import { report as reportPaper } from './paper/report.ts';

const [given, ...more] = process.argv.slice(2);
if (given === undefined || more.length > 0 || !existsSync(join(resolve(given), 'raw.jsonl'))) {
  console.error(
    given === undefined
      ? 'npm run bench -- figures FOLDER: the folder with the raw.jsonl of `npm run bench -- paper` or `mediator`'
      : `there is no raw.jsonl in ${given}`,
  );
  process.exit(2);
}
const folder = resolve(given);
const rows = new RawFile<PaperRow | MediatorRow>(folder).peek();
const isMediator = rows[0]?.kind === 'run' && 'benchmark' in rows[0];
for (const path of isMediator
  ? await reportMediator(folder, rows as MediatorRow[])
  : await reportPaper(folder, rows as PaperRow[], undefined))
  console.log(path);
