// Transactions that rely on warranties: those of the simulation's workloads, and looks at a few records. Two drivers run this, so each answers
// from memory what the other one changes. Now and then a driver stands still between two looks of one turn (SIGSTOP), for less or for more than
// the term: nothing has told it then what has changed meanwhile, so only its clock can.

import type { Claret } from '@claret/client';
import type { Chance } from '../../../kit/random.ts';
import { elsewhere } from '../../workloads/elsewhere.ts';
import { pairs } from '../../workloads/pairs.ts';
import { promised } from '../../workloads/promised.ts';
import type { Running as Simulated } from '../../workloads/workload.ts';
import { tell } from '../ledger.ts';
import { WARRANTY_TERM_MS } from '../store.ts';
import type { Begin } from '../workload.ts';

const RECORDS = 4;
const LOOK_SHARE = 0.5;
const CHANGE_SHARE = 0.1;
const STILL_SHARE = 0.03;
const STILL_MS: readonly [number, number] = [0.2 * WARRANTY_TERM_MS, 1.8 * WARRANTY_TERM_MS];

const nameOf = (number: number) => `look:${number}`;

export const warranted: Begin = ({ relying, chance }) => {
  const begun = [promised, elsewhere, pairs].map((workload): Simulated => ('run' in workload ? workload : workload.begin(chance)));
  let told = 0;
  return {
    async run() {
      if (chance.happens(CHANGE_SHARE)) return change(relying, chance);
      if (chance.happens(LOOK_SHARE)) return look(relying, chance);
      try {
        return await chance.pick(begun).run(relying, chance);
      } finally {
        const violations = begun.flatMap((running) => running.judge?.([]) ?? []);
        for (const { rule, text } of violations.slice(told)) tell({ failed: `${rule}: ${text}` });
        told = violations.length;
      }
    },
  };
};

const change = (claret: Claret, chance: Chance): Promise<unknown> =>
  claret.transact('Change', [claret.on.register(nameOf(chance.below(RECORDS))).set(chance.below(1_000))]);

async function look(claret: Claret, chance: Chance): Promise<void> {
  const reads = Array.from({ length: RECORDS }, (_, number) => claret.on.register(nameOf(number)).get());
  await claret.transact('Look', reads);
  if (chance.happens(STILL_SHARE)) standStill(chance.between(...STILL_MS));
  await claret.transact('Look', reads);
}

function standStill(ms: number): void {
  tell({ standsStillMs: ms });
  process.kill(process.pid, 'SIGSTOP');
}
