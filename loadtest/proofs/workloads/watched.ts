// Unique marks, added to sets and registers on several shards and reported to a watcher (watcher.ts): each reported mark can be
// traced to the transaction that made it.
import type { Claret, Description } from '@claret/client';
import type { Workload } from './workload.ts';
import { perform } from './workload.ts';

const SETS = 6;
const REGISTERS = 4;
/** The watcher reads this many members of a set: later marks go only to registers. */
const MEMBERS_MAX = 1_000;
const SET_MARKS_MAX = 2 * MEMBERS_MAX;
const IN_SET = 0.3;

const keys = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}:${i}`);

/** The reads that the watcher subscribes to. */
export const watchedReads = ({ on }: Pick<Claret, 'on'>): Description<unknown>[] => [
  ...keys('marks', SETS).map((key) => on.set(key).members(MEMBERS_MAX, null)),
  ...keys('mark', REGISTERS).map((key) => on.register(key).get()),
];

export const watched: Workload = {
  name: 'watched',
  watches: watchedReads,
  begin() {
    let marks = 0;
    return {
      run(claret, chance) {
        const mark = `m${++marks}`;
        const sets = keys('marks', SETS)
          .filter(() => marks < SET_MARKS_MAX && chance.happens(IN_SET))
          .map((key) => claret.on.set(key).add(mark));
        const register = claret.on.register(`mark:${chance.below(REGISTERS)}`);
        const operations = chance.happens(0.5) || sets.length === 0 ? [register.set(mark), ...sets] : sets;
        return perform(claret, chance, 'Mark', operations);
      },
    };
  },
};
