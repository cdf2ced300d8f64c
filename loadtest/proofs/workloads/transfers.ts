// Transfers between counters on several shards, one-shot and interactive, with readers of all of them: the sum never changes.
import type { Claret } from '@claret/client';
import type { Chance } from '../../kit/random.ts';
import type { Workload } from './workload.ts';
import { perform } from './workload.ts';

export const ACCOUNTS = 6;
export const account = (number: number) => `account:${number}`;

/** Moves money from one account to another, or sometimes to the same. */
export function transfer(claret: Claret, chance: Chance): Promise<unknown> {
  const counter = (number: number) => claret.on.counter(account(number));
  const [from, to] = [chance.below(ACCOUNTS), chance.below(ACCOUNTS)];
  const amount = 1 + chance.below(9);
  const looks = chance.happens(0.3) ? [counter(from).value()] : [];
  return perform(claret, chance, 'Transfer', [...looks, counter(from).add(-amount), counter(to).add(amount)]);
}

export const transfers: Workload = {
  name: 'transfers',
  run(claret, chance) {
    if (!chance.happens(0.1)) return transfer(claret, chance);
    const all = Array.from({ length: ACCOUNTS }, (_, i) => claret.on.counter(account(i)).value());
    return perform(claret, chance, 'Audit', all);
  },
};
