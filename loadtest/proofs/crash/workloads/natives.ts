// Batches of natives (../natives.ts) on few records, each reported before it is sent, and when it has ended. Beside them transactions read
// and lock the same records on both shards without changing them, so that natives wait for votes, and break what has not voted.

import type { Claret, Tx } from '@claret/client';
import type { Chance } from '../../../kit/random.ts';
import { tell } from '../ledger.ts';
import { performBatch, type NativeCall } from '../natives.ts';
import type { Begin } from '../workload.ts';

const COUNTERS = 4;
const SETS = 2;
const BATCH_MAX = 12;
const ADD_MAX = 3;
const BESIDE_SHARE = 0.25;

const counter = (chance: Chance) => `native:counter:${chance.below(COUNTERS)}`;

export const natives: Begin = ({ unrecorded, chance }) => {
  let batches = 0;
  return {
    async run({ epoch }) {
      if (chance.happens(BESIDE_SHARE)) return lock(unrecorded, chance);
      const batch = `${process.pid}-${++batches}`;
      const calls = Array.from({ length: 1 + chance.below(BATCH_MAX) }, (_, i) => draw(chance, epoch, `${batch}-${i}`));
      tell({ natives: { batch, calls } });
      tell({ natives: { batch, calls, ends: await performBatch(unrecorded, calls) } });
      return undefined;
    },
  };
};

/** @param member a text that no other native uses */
function draw(chance: Chance, epoch: number, member: string): NativeCall {
  const kind = chance.next();
  if (kind < 0.4) return { op: 'add', key: counter(chance), n: 1 + chance.below(ADD_MAX) };
  if (kind < 0.7) return { op: 'insert', key: `native:set:${epoch}:${chance.below(SETS)}`, member };
  return kind < 0.85 ? { op: 'value', key: counter(chance) } : { op: 'draw', key: 'native:ids' };
}

/** Leaves all counters as they are. */
function lock(claret: Claret, chance: Chance): Promise<unknown> {
  return claret.transaction('Lock', async (tx: Tx) => {
    await tx.counter(counter(chance)).value();
    tx.counter(counter(chance)).add(0);
  });
}
