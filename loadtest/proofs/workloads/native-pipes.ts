// Pipelines of natives on one register, beside transactions that read two registers on end: each client sets and gets without awaiting,
// and a get sees its client's earlier set, or a later one. Natives wait for the readers of two shards that have voted, and readers come
// all the time; still no native waits for long (simulation/native-waits.ts).
import type { Claret } from '@claret/client';
import type { Chance } from '../../kit/random.ts';
import type { Workload } from './workload.ts';
import { throwFirst, together } from './workload.ts';

const REGISTERS = 3;
const PIPE_MAX = 6;
const COUNTERS = 4;
const READERS = 4;
/** Together they take longer than a native may wait. */
const READS = 80;
/** Much longer than a read takes where nothing fails. */
const READ_TIMEOUT_MS = 250;
const CROWD_SHARE = 0.01;

const register = (claret: Claret, number: number) => claret.on.register(`pipe:${number}`);

export const nativePipes: Workload = {
  name: 'native-pipes',
  inARow: READS,
  run: (claret, chance) => (chance.happens(CROWD_SHARE) ? crowd(claret, chance) : pipe(claret, chance)),
};

function pipe(claret: Claret, chance: Chance): Promise<unknown> {
  const own = register(claret, chance.below(REGISTERS));
  const operations = Array.from({ length: 2 + chance.below(PIPE_MAX - 1) }, () =>
    chance.happens(0.5) ? own.set(`value ${chance.below(2 ** 32)}`) : own.get(),
  );
  return together(claret, operations);
}

/**
 * Readers of one register side by side. Each also writes on another shard, so that it has voted most of the time. The crowd ends early if a
 * stream is slow.
 */
async function crowd(claret: Claret, chance: Chance): Promise<void> {
  const own = register(claret, chance.below(REGISTERS));
  let isSlow = false;
  const read = async () => {
    for (let i = 0; i < READS && !isSlow; i++) {
      const operations = [own.get(), claret.on.counter(`reads:${chance.below(COUNTERS)}`).add(1)];
      await claret.transact('Read', operations, { timeoutMs: READ_TIMEOUT_MS }).catch((error: unknown) => {
        isSlow = true;
        throw error;
      });
    }
  };
  throwFirst(await Promise.allSettled(Array.from({ length: READERS }, read)));
}
