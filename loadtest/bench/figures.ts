// Rewrites the summary and redraws the figures of a results folder of `paper`, `warranties` or `aloha`: npm run bench -- figures FOLDER

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { draw as drawAloha } from './aloha/figure.ts';
import type { RawRow as AlohaRow } from './aloha/row.ts';
import { RawFile, type Row as PaperRow } from './paper/raw.ts';
import { report as reportPaper } from './paper/report.ts';
import { report as reportWarranties } from './warranties/figures.ts';
import type { Row as WarrantiesRow } from './warranties/raw.ts';

const [given, ...more] = process.argv.slice(2);
if (given === undefined || more.length > 0 || !existsSync(join(resolve(given), 'raw.jsonl'))) {
  console.error(
    given === undefined
      ? 'npm run bench -- figures FOLDER: the folder with the raw.jsonl of `npm run bench -- paper`, `warranties` or `aloha`'
      : `there is no raw.jsonl in ${given}`,
  );
  process.exit(2);
}
const folder = resolve(given);
const rows = new RawFile<PaperRow | WarrantiesRow | AlohaRow>(folder).peek();
const [run] = rows;

function report(): Promise<string[]> {
  if (run?.kind !== 'run' || !('benchmark' in run)) return reportPaper(folder, rows as PaperRow[], undefined);
  return run.benchmark === 'aloha' ? drawAloha(folder, rows as AlohaRow[]) : reportWarranties(folder, rows as WarrantiesRow[]);
}

for (const path of await report()) console.log(path);
