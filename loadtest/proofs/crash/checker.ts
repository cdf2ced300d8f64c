// Checker: compares the drivers' histories with the store, round by round. At the end of a round no transaction is in flight. Then
// every record that the round touched is read, and some older ones, by transactions that are part of the history. The round is
// replayed on the models as the earlier rounds left them: an acknowledged change that is lost, partial, applied twice, or applied
// although it was aborted yields another result. The whole history is kept in a file and checked once more at the end.

import { openSync, closeSync, writeSync } from 'node:fs';
import type { Claret, HistoryAttempt } from '@claret/client';
import { readAtRest } from './at-rest.ts';
import { finalReads, type OwnReads } from '../history/final-reads.ts';
import type { Chance } from '../../kit/random.ts';
import { AsOf, isOfThePast } from '../history/as-of.ts';
import { checkHistory, type Before } from '../history/check.ts';
import { mayChange, recordOf } from '../history/committed.ts';
import type { States } from '../history/replay.ts';
import { Snapshots } from '../history/snapshots.ts';
import { mapAtOnce } from '../../kit/at-once.ts';

/** In addition to the records of the round. */
const OLDER_RECORDS = 16;
/** Indexes that app servers and drivers both write, so that a history covers them only in part. */
const SHARED = /^(?:open|word|ids|nickname):/;

export class Checker {
  /** the whole run, one attempt per line (docs/history.md) */
  readonly path: string;
  /** acknowledged transactions that changed something; those of them that were checked; attempts with an unknown outcome */
  acknowledged = 0;
  checked = 0;
  undecided = 0;
  readonly #file: number;
  readonly #own: OwnReads | undefined;
  readonly #states: States = new Map();
  readonly #before: Before = { states: this.#states, snapshots: new Snapshots(), asOf: new AsOf() };
  /** records whose state has become unknown */
  readonly #leftOut = new Set<string>();
  /** one operation on each record that the history has mentioned */
  readonly #records = new Map<string, HistoryAttempt['ops'][number]>();

  /** `own`: how records of installed types are read */
  constructor(path: string, own?: OwnReads) {
    this.#own = own;
    this.path = path;
    this.#file = openSync(path, 'w');
  }

  /** The reads at the end of a round; `chance` null: all records. */
  reads(attempts: readonly HistoryAttempt[], chance: Chance | null): ReturnType<typeof finalReads> {
    const touched = new Map(
      attempts
        .flatMap(({ ops }) => ops)
        .filter(({ key }) => !SHARED.test(key))
        .map((op) => [recordOf(op), op]),
    );
    const older = [...this.#records].filter(([record]) => !touched.has(record));
    for (const [record, op] of touched) this.#records.set(record, op);
    const chosen = chance === null ? older : older.length === 0 ? [] : Array.from({ length: OLDER_RECORDS }, () => chance.pick(older));
    return finalReads(new Map([...touched, ...chosen].map(([, { key, type }]) => [key, type])), this.#own);
  }

  /** `attempts`: all of the round, with the reads at its end. Returns violations, one text each. */
  check(attempts: readonly HistoryAttempt[]): string[] {
    for (const attempt of attempts) writeSync(this.#file, `${JSON.stringify(attempt)}\n`);
    const unclear = attempts.filter((attempt) => attempt.outcome === 'unknown' && attempt.order === undefined && mayChange(attempt));
    for (const op of unclear.flatMap(({ ops }) => ops)) this.#leftOut.add(recordOf(op));
    const known = attempts.filter((attempt) => !unclear.includes(attempt));
    const acknowledged = known.filter((attempt) => attempt.outcome === 'ok' && mayChange(attempt));
    this.acknowledged += acknowledged.length;
    this.checked += acknowledged.filter(({ ops }) => !ops.some((op) => this.#leftOut.has(recordOf(op)))).length;
    this.undecided += unclear.length;
    return this.#violations(known, this.#before);
  }

  /** Checks attempts that came after `states`; updates `states` to their result. What they read of the past is left out. */
  violations(attempts: readonly HistoryAttempt[], states: States): string[] {
    return this.#violations(
      attempts.filter((attempt) => !isOfThePast(attempt)),
      { states },
    );
  }

  #violations(attempts: readonly HistoryAttempt[], before: Before): string[] {
    const clear =
      this.#leftOut.size === 0
        ? attempts
        : attempts.map((attempt) => ({ ...attempt, ops: attempt.ops.filter((op) => !this.#leftOut.has(recordOf(op))) }));
    return checkHistory(clear, {}, before).violations.map(({ rule, text }) => `${rule}: ${text}`);
  }

  /** A copy of the records' states after everything checked so far. */
  statesNow(): States {
    return new Map([...this.#states].map(([record, model]) => [record, model.clone()]));
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Reads while no transaction is in flight; the client's history records the results. */
export async function readFinally(claret: Claret, reads: ReturnType<typeof finalReads>): Promise<void> {
  await mapAtOnce(reads.length, (number) => readAtRest(claret, 'FinalRead', reads[number]!(claret)));
}
