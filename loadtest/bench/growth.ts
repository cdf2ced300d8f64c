// Growth: the memory of a gateway under a long steady load, minute by minute.
//
// Gateways over loopback with a log run transactions on a fixed number of records at a fixed rate, so that the stored data has a
// constant size. Some transactions have ids, whose responses are kept for a while. Growth of memory without growth of either is a
// leak. Figures are the process's own, from /metrics, each the least of its minute, which excludes most uncollected garbage. V8
// reserves memory for young objects in steps, up to a bound; resident memory without it must not grow. Growth is the slope over the
// second half of the run, by least squares.

import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readFlags } from '../kit/arguments.ts';
import { table } from '../kit/table.ts';
import { withCluster } from '../kit/with-cluster.ts';
import { leastOf, readLevels, slopePerMinute, type Levels } from './growth/levels.ts';
import { SteadyLoad } from './growth/steady-load.ts';

const SAMPLES_PER_MINUTE = 12;

const options = readFlags(
  {
    json: { type: 'string' },
    minutes: { type: 'string', default: '20' },
    shards: { type: 'string', default: '2' },
    clients: { type: 'string', default: '8' },
    pace: { type: 'string', default: '1100' },
    records: { type: 'string', default: '4276' },
    'id-share': { type: 'string', default: '0.2' },
    'keep-s': { type: 'string', default: '120' },
    durability: { type: 'string', default: 'async' },
    seed: { type: 'string', default: '1' },
  },
  { durability: ['sync', 'async', 'none'] },
);
const minutes = Number(options.minutes);

const mebibytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1);

interface Minute {
  minute: number;
  committed: number;
  gateways: Levels[];
}

await withCluster(
  Number(options.shards),
  {},
  async ({ gateways }) => {
    const load = await SteadyLoad.start({
      gateways: gateways.map(({ grpc }) => grpc),
      clients: Number(options.clients),
      transactionsPerSecond: Number(options.pace),
      records: Number(options.records),
      idShare: Number(options['id-share']),
      keepMs: 1000 * Number(options['keep-s']),
      seed: Number(options.seed),
    });
    const measured: Minute[] = [];
    console.log(
      `${options.pace} transactions/s on ${options.records} records, ${options['id-share']} of them with an id whose answer is kept ${options['keep-s']} s\n`,
    );
    console.log('min  committed  of each gateway: resident / heap in use / young space / external MiB');
    for (let minute = 1; minute <= minutes; minute++) {
      const samples: Levels[][] = [];
      for (let sample = 0; sample < SAMPLES_PER_MINUTE; sample++) {
        await sleep(60_000 / SAMPLES_PER_MINUTE);
        samples.push(await Promise.all(gateways.map(({ rest }) => readLevels(rest))));
      }
      const least = gateways.map((_, i) => leastOf(samples.map((sample) => sample[i]!)));
      measured.push({ minute, committed: load.committed, gateways: least });
      const shown = least.map(({ resident, heap, young, external }) => [resident, heap, young, external].map(mebibytes).join(' / '));
      console.log(`${String(minute).padStart(3)}  ${String(load.committed).padStart(9)}  ${shown.join('   ')}`);
    }
    await load.stop();
    const rows = gateways.map((_, i) => {
      const later = measured.slice(Math.floor(minutes / 2));
      const slope = (read: (levels: Levels) => number) =>
        (slopePerMinute(later.map(({ gateways: all }) => read(all[i]!))) / 2 ** 20).toFixed(2);
      const columns = [slope((l) => l.resident), slope((l) => l.young), slope((l) => l.resident - l.young), slope((l) => l.heap)];
      return [`gateway ${i}`, ...columns];
    });
    console.log(
      `\nGrowth over the second half, MiB a minute\n\n${table(['', 'resident', 'young space', 'without it', 'heap in use'], rows)}`,
    );
    if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify({ options, measured }, null, 2)}\n`);
  },
  { durability: options.durability as 'sync' | 'async' | 'none' },
);
