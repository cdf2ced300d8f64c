// Snapshot transactions beside serializable ones and natives, on a few records of every type: some only read, in several steps; others also
// change what they have read, or other records. The history check judges what they saw and what they changed (../history/snapshots.ts).
import type { Claret, Description } from '@claret/client';
import type { Chance } from '../../kit/random.ts';
import { drawnOperations, randomCall } from '../history/testing-calls.ts';
import { Deliberate, perform, performNatives, type Workload } from './workload.ts';

const RECORDS_PER_TYPE = 2;
const REGISTERS = 3;
const OPERATIONS_MAX = 5;

const drawn = (claret: Claret, chance: Chance, most: number): Description<unknown>[] =>
  Array.from({ length: 1 + chance.below(most) }, () => {
    const { key, name, args } = randomCall(chance, drawnOperations, RECORDS_PER_TYPE, false);
    return claret.describe(key, name, args);
  });

const registerOf = (chance: Chance): string => `snapshots:${chance.below(REGISTERS)}`;

/** Operations in steps: those of one step are issued together, and awaited before the next. */
function inSteps(claret: Claret, chance: Chance): Promise<unknown> {
  const steps = Array.from({ length: 1 + chance.below(3) }, () => drawn(claret, chance, OPERATIONS_MAX));
  const throws = chance.happens(0.03);
  const body = async (tx: Parameters<Parameters<Claret['transaction']>[1]>[0]) => {
    for (const step of steps) await Promise.all(step.map((operation) => tx.perform(operation)));
    if (throws) throw new Deliberate('Snapshot');
  };
  return claret.transaction('Snapshot', body, { isolation: 'snapshot' });
}

/** Reads some registers and writes what follows from that to one of them: the first committer wins. */
function increase(claret: Claret, chance: Chance): Promise<unknown> {
  const [from, to] = [registerOf(chance), registerOf(chance)];
  const body = async (tx: Parameters<Parameters<Claret['transaction']>[1]>[0]) => {
    const seen = await tx.register(from).get();
    const own = to === from ? seen : await tx.register(to).get();
    tx.register(to).set(Number(own ?? 0) + 1);
  };
  return claret.transaction('Increase', body, chance.happens(0.8) ? { isolation: 'snapshot' } : {});
}

/** A write of several records, and then a look at them: it is acknowledged, but shards may not have learned of its commit. */
async function writeAndLook(claret: Claret, chance: Chance): Promise<void> {
  const keys = Array.from({ length: REGISTERS }, (_, i) => `snapshots:${i}`);
  const value = chance.below(2 ** 32);
  await claret.transact(
    'WriteAll',
    keys.map((key) => claret.on.register(key).set(value)),
  );
  const order = chance.happens(0.5) ? keys : keys.toReversed();
  const body = async (tx: Parameters<Parameters<Claret['transaction']>[1]>[0]) => {
    for (const key of order) await tx.register(key).get();
  };
  await claret.transaction('LookAtAll', body, { isolation: 'snapshot' });
}

export const snapshots: Workload = {
  name: 'snapshots',
  inARow: 2,
  run(claret, chance) {
    if (chance.happens(0.15)) return writeAndLook(claret, chance);
    const share = chance.next();
    if (share < 0.35) return inSteps(claret, chance);
    if (share < 0.6) return increase(claret, chance);
    if (share < 0.7) return claret.transact('Snapshot', drawn(claret, chance, OPERATIONS_MAX), { isolation: 'snapshot' });
    if (share < 0.8) return performNatives(claret, chance, drawn(claret, chance, 2));
    return perform(claret, chance, 'Write', drawn(claret, chance, OPERATIONS_MAX));
  },
};
