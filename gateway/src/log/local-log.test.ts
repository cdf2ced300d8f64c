import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogOptions } from './log.ts';
import { openLog } from './open-log.ts';
import { logContract, readAll } from './testing.ts';

const optionsOf = (dir: string): LogOptions => ({
  ...{ dir, clusterName: 'test', shard: 0, shards: 2, incarnation: 1, durability: 'sync' },
  onTrouble: (trouble) => {
    throw new Error(JSON.stringify(trouble));
  },
});

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
