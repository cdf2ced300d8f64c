// rawmix (loadtest/workloads/rawmix.ts), and transactions for which crashes are most visible: transfers over shards, whose sum
// never changes; writes to many records at once; every operation of every data type, so that each goes through log and checkpoint;
// large records; bodies on hot records that are forecast; jobs with ids.

import type { Claret } from '@claret/client';
import { readAtRest } from '../at-rest.ts';
import { HotForecast } from '../../workloads/hot-forecast.ts';
import { mixed } from '../../workloads/mixed.ts';
import { stock } from '../../workloads/stock.ts';
import { transfers } from '../../workloads/transfers.ts';
import { wide } from '../../workloads/wide.ts';
import type { Running as Simulated } from '../../workloads/workload.ts';
import { Rawmix } from '../../../workloads/rawmix.ts';
import type { Begin } from '../workload.ts';
import { runJob } from './jobs.ts';
import { runLarge, uneven } from './large.ts';

const SETS = 16;
const BESIDE = [transfers, transfers, wide, mixed, mixed, stock] as Simulated[];
const BESIDE_SHARE = 0.5;
const JOBS_SHARE = 0.2;
const LARGE_SHARE = 0.02;
const CROWD_SHARE = 0.25;

export const rawmix: Begin = ({ claret, endpoints, chance }) => {
  const crowd = new HotForecast({ natives: false, apart: false });
  let epoch = -1;
  let mix: Rawmix;
  return {
    run(round) {
      if (chance.happens(JOBS_SHARE)) return runJob(claret, endpoints, chance, round);
      if (chance.happens(LARGE_SHARE)) return runLarge(claret, chance);
      if (chance.happens(CROWD_SHARE)) return crowd.run(claret, chance);
      if (chance.happens(BESIDE_SHARE)) return chance.pick(BESIDE).run(claret, chance);
      if (round.epoch !== epoch) mix = new Rawmix({ alpha: 0.8, update: 0.5, name: `rawmix:${round.epoch}`, sets: SETS }, chance.next);
      epoch = round.epoch;
      return mix.run(claret, mix.draw(claret), chance.happens(0.5) ? 'interactive' : 'one-shot');
    },
  };
};

/** Invariants that hold whatever committed, independent of any history: sums of transfers, and records that change together. */
export async function unbalanced(claret: Claret): Promise<string[]> {
  const numbers = Array.from({ length: 8 }, (_, i) => i);
  const balances = await readAtRest(
    claret,
    'Audit',
    numbers.slice(0, 6).map((i) => claret.on.counter(`account:${i}`).value()),
  );
  const sides = await readAtRest(
    claret,
    'Compare',
    numbers.map((i) => claret.on.counter(`wide:${i}`).value()),
  );
  const sum = balances.reduce<bigint>((total, balance) => total + BigInt(balance), 0n);
  return [
    ...(sum === 0n ? [] : [`money is not conserved: the accounts hold ${balances.join(', ')}, together ${sum}`]),
    ...(await uneven(claret)),
    ...(new Set(sides.map(String)).size === 1 ? [] : [`half a transaction: counters that only change together hold ${sides.join(', ')}`]),
  ];
}
