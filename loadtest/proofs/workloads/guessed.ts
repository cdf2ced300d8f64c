// A few records that bodies read with a guess: the result that they have seen last, or one that is made up. What a body writes follows from what it
// was told, so that a wrong guess which commits shows in the history.
import type { Claret, Description, Tx } from '@claret/client';
import type { Chance } from '../../kit/random.ts';
import type { Workload } from './workload.ts';
import { Deliberate } from './workload.ts';

const RECORDS = 4;
const READS_MAX = 3;

type On = Claret['on'];
type Told = string | number | bigint | boolean | null;

const READS: readonly ((on: On, n: number) => Description<Told>)[] = [
  (on, n) => on.register(`guessed:text:${n}`).get(),
  (on, n) => on.counter(`guessed:count:${n}`).value(),
  (on, n) => on.set(`guessed:members:${n}`).contains('a'),
];

const change = (tx: Tx, n: number, from: number): void => {
  tx.register(`guessed:text:${n}`).set(from);
  tx.counter(`guessed:count:${n}`).add((from % 5) + 1);
  if (from % 2 === 0) tx.set(`guessed:members:${n}`).add('a');
  else tx.set(`guessed:members:${n}`).remove('a');
};

export const guessed: Workload = {
  name: 'guessed',
  conditions: { combining: 'off' },
  begin() {
    const seen = new Map<string, Told>();
    const guessOf = (chance: Chance, name: string): Told | undefined => (chance.happens(0.1) ? chance.below(3) : seen.get(name));
    return {
      run(claret, chance) {
        const reads = Array.from({ length: 1 + chance.below(READS_MAX) }, () => {
          const [kind, n] = [chance.below(READS.length), chance.below(RECORDS)];
          const name = `${kind} ${n}`;
          return { name, read: READS[kind]!(claret.on, n), guess: chance.happens(0.8) ? guessOf(chance, name) : undefined };
        });
        const [target, throws, changes] = [chance.below(RECORDS), chance.happens(0.05), chance.happens(0.6)];
        return claret.transaction('Guess', async (tx) => {
          let sum = 0;
          for (const { name, read, guess } of reads) {
            const told = await tx.perform(read, { guess });
            seen.set(name, told);
            sum += Number(told);
          }
          if (throws) throw new Deliberate('Guess');
          if (changes) change(tx, target, sum + 1);
          return sum;
        });
      },
    };
  },
};
