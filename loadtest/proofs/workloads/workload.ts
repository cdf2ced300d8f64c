// A workload: one file of this folder with the next transaction of a worker. To add one, write the file and its line in index.ts.
// It draws all random numbers from `chance` and uses few records, so that transactions meet. It needs no rules of its own: the
// history check judges the results.
import type { Claret, Description, HistoryAttempt, Tx } from '@claret/client';
import type { Chance } from '../../kit/random.ts';
import type { Violation } from './violation.ts';

export interface Running {
  /** Runs one transaction; rejects with what it rejected with. What the body throws on purpose is a `Deliberate`. */
  run(claret: Claret, chance: Chance): Promise<unknown>;
  /** What is wrong beyond what the history check finds, at the end; `history` is the last part of it (lull.ts), with the last reads. */
  judge?(history: readonly HistoryAttempt[]): Violation[];
}

interface Named {
  readonly name: string;
  /** where `run` may take more than one transaction: how many of them one after the other */
  readonly inARow?: number;
  /** what a watcher is to be told of all the time, if anything: sets of marks and registers with one */
  readonly watches?: (claret: Claret) => Description<unknown>[];
}

/** One that keeps nothing in mind is always running; another is begun anew for each simulation, with chance of its own. */
export type Workload = Named & (Running | { begin(chance: Chance): Running });

/** Thrown by a body that has changed its mind. */
export class Deliberate extends Error {}

/** How the operations of one transaction are sent. */
const SENDING = ['one-shot', 'interactive', 'piped', 'waiting'] as const;
export type Sending = (typeof SENDING)[number];

/** Runs the operations in one of the ways in which applications send them. */
export function perform(
  claret: Claret,
  chance: Chance,
  label: string,
  operations: readonly Description<unknown>[],
  sending: Sending = chance.pick(SENDING),
): Promise<unknown> {
  if (sending === 'one-shot') return claret.transact(label, operations);
  const throwsAt = chance.happens(0.03) ? chance.below(operations.length) : -1;
  return claret.transaction(label, async (tx: Tx) => {
    const last = operations.length - 1;
    for (const [i, operation] of operations.entries()) {
      if (i === throwsAt) throw new Deliberate(label);
      const issued = tx.perform(operation);
      if (i === last && sending !== 'waiting') return tx.finish(issued);
      // Issued and awaited, or left to travel with what follows.
      if (sending !== 'piped') await issued;
    }
    return undefined;
  });
}
