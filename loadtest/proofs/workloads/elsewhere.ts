// Transactions that read two records and write a third. By warranties they send something only to the shard of the third, where nobody knows what
// they have read. Some of them wait in between. Others write without having read anything: they rely on nothing, so they wait for as long as it takes.
import type { Workload } from './workload.ts';
import { perform } from './workload.ts';

const RECORDS = 6;
const FAR = 1_000;
/** the characters of a text that go on */
const TAIL = 4;

const name = (number: number) => `elsewhere:${number % RECORDS}`;

export const elsewhere: Workload = {
  name: 'elsewhere',
  warranted: true,
  conditions: { combining: 'off' },
  run(claret, chance) {
    const first = chance.below(RECORDS);
    const [one, other, third] = [first, first + 1 + chance.below(2), first + 3 + chance.below(3)].map(name) as [string, string, string];
    if (chance.happens(0.7)) {
      const reads = [one, other, third].map((key) => claret.on.register(key).get());
      return perform(claret, chance, 'Look', chance.happens(0.5) ? reads : reads.slice(1));
    }
    const letter = chance.below(10);
    if (chance.happens(0.4)) return claret.transact('Set', [claret.on.register(one).set(letter)]);
    const pause = chance.happens(0.3) ? `far:${chance.below(FAR)}` : null;
    return claret.transaction('Elsewhere', async (tx) => {
      const left = String(await tx.register(one).get());
      if (pause !== null) await tx.counter(pause).value();
      const right = String(await tx.register(other).get());
      return tx.finish(tx.register(third).set(`${left.slice(-TAIL)}${right.slice(-TAIL)}${letter}`));
    });
  },
};
