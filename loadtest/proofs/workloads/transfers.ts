// Transfers between counters on several shards, one-shot and interactive, with readers of all of them: the sum never changes.
import type { Workload } from './workload.ts';
import { perform } from './workload.ts';

const ACCOUNTS = 6;
const account = (number: number) => `account:${number}`;

export const transfers: Workload = {
  name: 'transfers',
  run(claret, chance) {
    const counter = (number: number) => claret.on.counter(account(number));
    if (chance.happens(0.1)) {
      const all = Array.from({ length: ACCOUNTS }, (_, i) => counter(i).value());
      return perform(claret, chance, 'Audit', all);
    }
    const [from, to] = [chance.below(ACCOUNTS), chance.below(ACCOUNTS)];
    const amount = 1 + chance.below(9);
    const looks = chance.happens(0.3) ? [counter(from).value()] : [];
    return perform(claret, chance, 'Transfer', [...looks, counter(from).add(-amount), counter(to).add(amount)]);
  },
};
