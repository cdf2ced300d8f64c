// Natives whose number of executions is known exactly: each adds one to a counter, or takes one piece from a stock and says whether there
// was one. Sessions that are lost on the way neither lose nor repeat them.
import type { Claret, ClaretError, HistoryAttempt } from '@claret/client';
import type { Chance } from '../../kit/random.ts';
import type { Workload } from './workload.ts';

const RECORDS = 3;
const TOGETHER_MAX = 6;
/** More than half, so that shelves fill up slowly. */
const RESTOCK_CHANCE = 0.6;

const counter = (number: number) => `hits:${number}`;
const shelf = (number: number) => `pieces:${number}`;

/** The least and the greatest value that a record may have, as far as its natives are known. */
interface Bounds {
  least: number;
  most: number;
}

type Tally = Map<string, Bounds>;

/** Counts a native that changes the record by `amount`, if `changed` of its answer. */
async function counted<Result>(
  tally: Tally,
  key: string,
  amount: number,
  native: Promise<Result>,
  changed: (result: Result) => boolean,
): Promise<void> {
  const bounds = tally.get(key)!;
  const widen = (sign: number) => {
    if (amount > 0) bounds.most += sign * amount;
    else bounds.least += sign * amount;
  };
  widen(1); // it may be executed at any time from now on
  try {
    const has = changed(await native);
    if (!has) widen(-1);
    else if (amount > 0) bounds.least += amount;
    else bounds.most += amount;
  } catch (error) {
    if ((error as ClaretError).commitState !== 'unknown') widen(-1);
    throw error;
  }
}

function one(claret: Claret, chance: Chance, tally: Tally): Promise<void> {
  const number = chance.below(RECORDS);
  if (chance.happens(0.5)) return counted(tally, counter(number), 1, claret.native.counter(counter(number)).add(1), () => true);
  const pieces = claret.native.boundedCounter(shelf(number));
  if (chance.happens(RESTOCK_CHANCE)) return counted(tally, shelf(number), 1, pieces.increment(1), () => true);
  return counted(tally, shelf(number), -1, pieces.tryDecrement(1), (taken) => taken);
}

export const nativeResults: Workload = {
  name: 'native-results',
  inARow: TOGETHER_MAX,
  begin() {
    const keys = Array.from({ length: RECORDS }, (_, number) => [counter(number), shelf(number)]).flat();
    const tally: Tally = new Map(keys.map((key) => [key, { least: 0, most: 0 }]));
    return {
      async run(claret, chance) {
        const outcomes = await Promise.allSettled(Array.from({ length: 1 + chance.below(TOGETHER_MAX) }, () => one(claret, chance, tally)));
        const failed = outcomes.find(({ status }) => status === 'rejected');
        if (failed !== undefined) throw (failed as PromiseRejectedResult).reason;
        return undefined;
      },
      judge: (history) => miscounted(history, tally).map((text) => ({ rule: 'tally', text })),
    };
  },
};

/** Compares with the results of the final reads. */
function miscounted(history: readonly HistoryAttempt[], tally: Tally): string[] {
  const reads = history.filter(({ label }) => label === 'FinalRead').flatMap(({ ops }) => ops);
  return reads.flatMap(({ key, op, result }) => {
    const bounds = tally.get(key);
    if (bounds === undefined || op !== 'value') return [];
    const value = Number(result);
    const right = value >= bounds.least && value <= bounds.most;
    return right ? [] : [`${key} is ${value}; by the answers of its natives it is between ${bounds.least} and ${bounds.most}`];
  });
}
