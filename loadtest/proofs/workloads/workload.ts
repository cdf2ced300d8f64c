// A workload: one file of this folder with the next transaction of a worker. To add one, write the file and its line in index.ts.
// It draws all random numbers from `chance` and uses few records, so that transactions conflict. It needs no rules of its own: the
// history check judges the results.
import type { Claret, Description, HistoryAttempt, Tx } from '@claret/client';
import type { Conditions } from '@claret/core';
import type { Chance } from '../../kit/random.ts';
import type { Reply } from '../redis/raw-client.ts';
import type { TypesInUse } from './types/types-in-use.ts';
import type { Violation } from './violation.ts';

/** The process in which a transaction runs. */
export interface Around {
  readonly process: string;
  /** its steady clock */
  monotonicMs(): number;
  /** Puts into the history what it has told somebody who is not a client; times by its clock. */
  told(attempt: HistoryAttempt): void;
  /** Connects a Redis client to the door of any gateway. Rejects if that one lets nobody in. */
  enterDoor(chance: Chance): Promise<DoorConnection>;
}

/** A reply to a command, with its times by the process's clock. Undefined: the connection has ended before. */
export interface TimedReply {
  readonly callMs: number;
  readonly endMs: number;
  readonly reply: Reply | undefined;
}

/** A Redis client's connection to a door. It closes when the door does not answer. */
export interface DoorConnection {
  readonly isOpen: boolean;
  /** Sends all of them at once. */
  ask(commands: readonly (readonly string[])[]): Promise<TimedReply>[];
}

export interface Running {
  /**
   * Runs one transaction; rejects with its error. A deliberate error of the body is a `Deliberate`. Only the simulation knows what is around
   * it: other tools run no workload that needs that.
   */
  run(claret: Claret, chance: Chance, around?: Around): Promise<unknown>;
  /** Violations beyond those of the history check, at the end; `history` is its last part (lull.ts), with the final reads. */
  judge?(history: readonly HistoryAttempt[]): Violation[];
  /** The data types that have to be installed, and are changed while it runs. */
  readonly types?: TypesInUse;
}

interface Named {
  readonly name: string;
  /** if `run` may run more than one transaction: how many, one after another */
  readonly inARow?: number;
  /** the conditions that a run begins with, where it needs certain ones */
  readonly conditions?: Partial<Conditions>;
  /** Its transactions are always forecast and sent whole, and whatever conflicts is hot. Absent: in some runs. */
  readonly combined?: true;
  /** so many app servers at least, instead of one */
  readonly appServersLeast?: number;
  /** A run begins with warranties. */
  readonly warranted?: true;
  /** The shards keep the past. */
  readonly keepsPast?: true;
  /** The gateways have Redis doors. */
  readonly doors?: true;
  /** Operations may be of another type than their record. */
  readonly clashes?: true;
  /** the reads whose changes a watcher receives, if any: sets of marks and registers with one mark */
  readonly watches?: (claret: Claret) => Description<unknown>[];
}

/** A workload without state is always `Running`; another is created for each simulation, with its own random numbers. */
export type Workload = Named & (Running | { begin(chance: Chance): Running });

/** Thrown by a body that deliberately fails. */
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
      // Issued and awaited, or left pending and sent together with later ones.
      if (sending !== 'piped') await issued;
    }
    return undefined;
  });
}

/** Runs the operations as natives, one after another or together; rejects with the first error. */
export async function performNatives(claret: Claret, chance: Chance, operations: readonly Description<unknown>[]): Promise<void> {
  if (chance.happens(0.5)) return together(claret, operations);
  for (const operation of operations) await claret.native.perform(operation);
}

/** Runs the operations as natives that are issued in one turn; rejects with the first error once all have ended. */
export async function together(claret: Claret, operations: readonly Description<unknown>[]): Promise<void> {
  throwFirst(await claret.native.run(operations));
}

/** Throws the first error, if there is one. */
export function throwFirst(outcomes: readonly PromiseSettledResult<unknown>[]): void {
  const failed = outcomes.find(({ status }) => status === 'rejected');
  if (failed !== undefined) throw (failed as PromiseRejectedResult).reason;
}
