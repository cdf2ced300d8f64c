// Rewrites the summary and redraws the figures of a results folder of `paper`: npm run bench -- figures FOLDER

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { RawFile } from './paper/raw.ts';
import { report } from './paper/report.ts';

const [given, ...more] = process.argv.slice(2);
if (given === undefined || more.length > 0 || !existsSync(join(resolve(given), 'raw.jsonl'))) {
  console.error(
    given === undefined
      ? 'npm run bench -- figures FOLDER: the folder with the raw.jsonl of `npm run bench -- paper`'
      : `there is no raw.jsonl in ${given}`,
  );
  process.exit(2);
}
const folder = resolve(given);
for (const path of await report(folder, new RawFile(folder).peek(), undefined)) console.log(path);
