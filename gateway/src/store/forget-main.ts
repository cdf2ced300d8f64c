// Removes data directories of shards (`npm start -- --fresh`). If a gateway runs on one of them, none is removed.
//
//   node forget-main.ts FOLDER …      exit code 2: one is in use
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { EXIT_REFUSED } from '../exit-code.ts';
import { LogRefused } from '../log/log.ts';
import { lockFolder } from '../log/store.ts';

const folders = process.argv.slice(2);
try {
  const locks = await Promise.all(
    folders
      .map((folder) => join(folder, 'log'))
      .filter(existsSync)
      .map(lockFolder),
  );
  for (const folder of folders) await rm(folder, { recursive: true });
  for (const lock of locks) await lock.close();
} catch (error) {
  if (!(error instanceof LogRefused)) throw error;
  process.stderr.write(`nothing was removed: ${error.message}\n`);
  process.exitCode = EXIT_REFUSED;
}
