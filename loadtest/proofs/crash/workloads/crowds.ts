// Transactions on a few hot records that lie on both shards (../crowds.ts): bodies that are forecast, and lists. They are wide members, which
// commit in batches. Each is reported before it begins, and when it has ended.

import { ClaretError, type Claret, type Tx } from '@claret/client';
import { Deliberate } from '../../workloads/workload.ts';
import { sideOf, type CrowdEnd } from '../crowds.ts';
import { tell } from '../ledger.ts';
import type { Begin } from '../workload.ts';

const SETS = 2;
const LIST_SHARE = 0.4;
const FAILS_SHARE = 0.05;

export const crowds: Begin = ({ crowd, chance }) => {
  let marks = 0;
  const one = async (set: number) => {
    const mark = `${process.pid}-${++marks}`;
    tell({ crowd: { mark, set } });
    const transaction = chance.happens(LIST_SHARE) ? list(crowd, set, mark) : body(crowd, set, mark, chance.happens(FAILS_SHARE));
    const end = await endOf(transaction);
    tell({ crowd: { mark, set, end } });
    if (end !== 'done') return;
    const [left, right] = (await transaction.catch(() => [])) as [number, number];
    if (left !== right) tell({ crowd: { unequal: `${mark} saw ${left} and ${right} in the counters of set ${set}` } });
  };
  return {
    async run({ epoch }) {
      await one(epoch * SETS + chance.below(SETS));
      const { batches, batchMembers } = crowd.counters;
      tell({ crowd: { process: process.pid, batches, batchMembers } });
    },
  };
};

/** Returns the counts of both sides, which are always equal. */
async function list(claret: Claret, set: number, mark: string): Promise<number[]> {
  const { on } = claret;
  const [left, right] = [sideOf(set, 0), sideOf(set, 1)];
  const counts = await claret.transact('CrowdList', [
    on.counter(left.count).value(),
    on.counter(right.count).value(),
    ...[left, right].flatMap(({ marks, count }) => [on.set(marks).add(mark), on.counter(count).add(1)]),
  ]);
  return counts.slice(0, 2).map(Number);
}

/** The same, by a body that goes by the counts. */
function body(claret: Claret, set: number, mark: string, fails: boolean): Promise<number[]> {
  const [left, right] = [sideOf(set, 0), sideOf(set, 1)];
  return claret.transaction('CrowdBody', async (tx: Tx) => {
    const counts = [await tx.counter(left.count).value(), await tx.counter(right.count).value()].map(Number);
    if (fails) throw new Deliberate('crowd');
    const sides = counts[0]! % 2 === 0 ? [left, right] : [right, left];
    for (const side of sides) {
      await tx.set(side.marks).add(mark);
      await tx.counter(side.count).add(1);
    }
    return counts;
  });
}

async function endOf(transaction: Promise<unknown>): Promise<CrowdEnd> {
  try {
    await transaction;
    return 'done';
  } catch (error) {
    if (error instanceof Deliberate) return 'none';
    if (!(error instanceof ClaretError)) throw error;
    if (error.commitState === 'applied') return 'done';
    return error.commitState === 'unknown' ? 'unknown' : 'none';
  }
}
