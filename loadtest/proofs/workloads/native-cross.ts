// Transfers between counters on several shards, which natives read: one after another, in a pipeline, and together. The sum of the
// accounts never changes, and no read may see a transfer on one shard and miss it on another one later.
import type { Claret, HistoryAttempt } from '@claret/client';
import type { Chance } from '../../kit/random.ts';
import { account, ACCOUNTS, transfer } from './transfers.ts';
import type { Violation } from './violation.ts';
import type { Workload } from './workload.ts';
import { performNatives } from './workload.ts';

const READS_MAX = 4;

export const nativeCross: Workload = {
  name: 'native-cross',
  inARow: READS_MAX,
  run(claret, chance) {
    return chance.happens(0.5) ? transfer(claret, chance) : performNatives(claret, chance, readsOf(claret, chance));
  },
  judge: unbalanced,
};

/** Reads that alternate between two accounts, so that a client sees one before and after the other. */
function readsOf(claret: Claret, chance: Chance) {
  const [one, other] = [chance.below(ACCOUNTS), chance.below(ACCOUNTS)];
  const count = 2 + chance.below(READS_MAX - 1);
  return Array.from({ length: count }, (_, i) => claret.on.counter(account(i % 2 === 0 ? one : other)).value());
}

function unbalanced(history: readonly HistoryAttempt[]): Violation[] {
  const values = history
    .filter(({ label, outcome }) => label === 'FinalRead' && outcome === 'ok')
    .flatMap(({ ops }) => ops.filter(({ key }) => key.startsWith('account:')).map(({ result }) => Number(result)));
  const sum = values.reduce((total, value) => total + value, 0);
  return sum === 0 ? [] : [{ rule: 'sum', text: `the accounts hold ${values.join(', ')}, together ${sum}` }];
}
