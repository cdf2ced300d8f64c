import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLog } from './open-log.ts';
import { readAll } from './sample.ts';
import { logContract, optionsOf } from './testing.ts';

for (const durability of ['sync', 'async'] as const) {
  logContract(`LocalLog (${durability})`, async () => {
    const dir = await mkdtemp(join(tmpdir(), 'claret-log-'));
    return {
      async open() {
        const { log, kept } = await openLog({ ...optionsOf(dir), durability });
        return { log, kept: await readAll(kept) };
      },
      remove: () => rm(dir, { recursive: true, force: true }),
    };
  });
}
