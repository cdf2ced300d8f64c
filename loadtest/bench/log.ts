// Stores for a log: a synced write of 1, 16 and 256 commits in classic-level, in lmdb, in a bare file, and in the gateway's log.
//
// `one value` puts all commits of a write into one value, `one each` gives every commit its own key. All variants take turns, write
// after write, in one folder; milliseconds are the time until the write is durable, processor time is that of this process,
// including its threads.

import { randomBytes } from 'node:crypto';
import { fdatasync, openSync, write } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openLog } from '@claret/gateway/log/open-log.ts';
import { entry } from '@claret/gateway/log/sample.ts';
import { openStore } from '@claret/gateway/log/store.ts';
import { open as openLmdb } from 'lmdb';
import { readFlags } from '../kit/arguments.ts';
import { ownCpuUs } from '../kit/cpu.ts';
import { median, quantile } from '../kit/statistics.ts';
import { table } from '../kit/table.ts';

const options = readFlags({
  rounds: { type: 'string', default: '200' },
  bytes: { type: 'string', default: '200' },
  dir: { type: 'string', default: tmpdir() },
});

const BATCHES = [1, 16, 256];
const bytes = Number(options.bytes);

type Way = (commits: number) => Promise<unknown>;

let lastKey = 0n;
const nextKey = (): Buffer => {
  const key = Buffer.alloc(8);
  key.writeBigUInt64BE(++lastKey);
  return key;
};

async function openWays(dir: string): Promise<{ ways: Record<string, Way>; close: () => Promise<void> }> {
  const commit = randomBytes(bytes);
  const all = (commits: number): Buffer => Buffer.concat(Array<Buffer>(commits).fill(commit));
  const file = openSync(join(dir, 'file'), 'a');
  const [writeFile, sync] = [promisify(write), promisify(fdatasync)];
  const level = await openStore(join(dir, 'level'));
  const lmdb = openLmdb<Buffer, Buffer>({ path: join(dir, 'lmdb'), encoding: 'binary', keyEncoding: 'binary', compression: false });
  const { log, kept } = await openLog({
    dir: join(dir, 'log'),
    clusterName: 'bench',
    shard: 0,
    shards: 1,
    incarnation: 1,
    durability: 'sync',
    onTrouble: (trouble) => {
      if (trouble !== null) throw new Error(trouble.message);
    },
  });
  for await (const _ of kept); // the log is empty
  let position = 0;
  const ways: Record<string, Way> = {
    'file, fdatasync': async (commits) => {
      await writeFile(file, all(commits));
      await sync(file);
    },
    'classic-level, one value': (commits) => level.put(nextKey(), all(commits), { sync: true }),
    'classic-level, one each': (commits) =>
      level.batch(
        Array.from({ length: commits }, () => ({ type: 'put', key: nextKey(), value: commit })),
        { sync: true },
      ),
    'lmdb, one value': async (commits) => {
      await lmdb.put(nextKey(), all(commits));
      await lmdb.flushed;
    },
    'lmdb, one each': async (commits) => {
      await Promise.all(Array.from({ length: commits }, () => lmdb.put(nextKey(), commit)));
      await lmdb.flushed;
    },
    "the gateway's log": (commits) =>
      new Promise((resolve) => {
        const entries = Buffer.concat(Array.from({ length: commits }, (_, n) => entry(position + 1 + n, bytes)));
        log.append(entries, (position += commits), resolve);
      }),
  };
  return { ways, close: async () => void (await Promise.all([level.close(), lmdb.close(), log.close()])) };
}

const dir = await mkdtemp(join(options.dir, 'claret-bench-log-'));
const { ways, close } = await openWays(dir);
const rows: string[][] = [];
for (const commits of BATCHES) {
  const taken = Object.keys(ways).map((name) => ({ name, ms: [] as number[], cpuUs: 0 }));
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const way of taken) {
      const [cpuUs, startMs] = [ownCpuUs(), performance.now()];
      await ways[way.name]!(commits);
      way.ms.push(performance.now() - startMs);
      way.cpuUs += ownCpuUs() - cpuUs;
    }
  }
  for (const { name, ms, cpuUs } of taken) {
    rows.push([String(commits), name, median(ms).toFixed(2), quantile(ms, 0.99).toFixed(2), (cpuUs / ms.length / commits).toFixed(1)]);
  }
}
await close();
await rm(dir, { recursive: true, force: true });
console.log(table(['commits', 'way', 'median ms', 'p99 ms', 'CPU µs per commit'], rows));
