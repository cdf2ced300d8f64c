// Checker: compares the drivers' histories with the store, round by round. At the end of a round nothing is under way. Then every
// record that the round touched is read, and some older ones, by transactions that are part of the history. The round is replayed
// on the models as the earlier rounds left them: an acknowledged change that is missing, half a change, a change that happened
// twice or although it was aborted gives another result. The whole history is kept in a file and checked once more at the end.

import { openSync, closeSync, writeSync } from 'node:fs';
import type { Claret, HistoryAttempt } from '@claret/client';
import { finalReads } from '../history/final-reads.ts';
import type { Chance } from '../../kit/random.ts';
import { checkHistory } from '../history/check.ts';
import { mayChange, recordOf } from '../history/committed.ts';
import type { States } from '../history/replay.ts';
import { mapAtOnce } from '../../kit/at-once.ts';

/** Beside those of the round. */
const OLDER_RECORDS = 16;
/** Indexes that app servers and drivers write together, and of which a history tells a part only. */
const SHARED = /^(?:open|word|ids|nickname):/;

export class Checker {
  /** the whole run, one attempt each line (docs/history.md) */
  readonly path: string;
  /** transactions that changed something and were acknowledged; those of them that were checked; attempts that nobody can tell the end of */
  acknowledged = 0;
  checked = 0;
  undecided = 0;
  readonly #file: number;
  readonly #states: States = new Map();
  /** records of which nobody can tell any more what they should hold */
  readonly #leftOut = new Set<string>();
  /** one operation on each record that the history has told of */
  readonly #records = new Map<string, HistoryAttempt['ops'][number]>();

  constructor(path: string) {
    this.path = path;
    this.#file = openSync(path, 'w');
  }

  /** What to read at the end of a round; `chance` null: everything. */
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
    return finalReads(new Map([...touched, ...chosen].map(([, { key, type }]) => [key, type])));
  }

  /** `attempts`: all of the round, with the reads at its end. What is wrong, a text each. */
  check(attempts: readonly HistoryAttempt[]): string[] {
    for (const attempt of attempts) writeSync(this.#file, `${JSON.stringify(attempt)}\n`);
    const unclear = attempts.filter((attempt) => attempt.outcome === 'unknown' && attempt.order === undefined && mayChange(attempt));
    for (const op of unclear.flatMap(({ ops }) => ops)) this.#leftOut.add(recordOf(op));
    const known = attempts.filter((attempt) => !unclear.includes(attempt));
    const acknowledged = known.filter((attempt) => attempt.outcome === 'ok' && mayChange(attempt));
    this.acknowledged += acknowledged.length;
    this.checked += acknowledged.filter(({ ops }) => !ops.some((op) => this.#leftOut.has(recordOf(op)))).length;
    this.undecided += unclear.length;
    return this.violations(known, this.#states);
  }

  /** Of attempts that came after what `states` say; these are brought to how they leave them. */
  violations(attempts: readonly HistoryAttempt[], states: States): string[] {
    const clear =
      this.#leftOut.size === 0
        ? attempts
        : attempts.map((attempt) => ({ ...attempt, ops: attempt.ops.filter((op) => !this.#leftOut.has(recordOf(op))) }));
    return checkHistory(clear, {}, { states }).violations.map(({ rule, text }) => `${rule}: ${text}`);
  }

  /** A copy: the records as all that was checked has left them. */
  statesNow(): States {
    return new Map([...this.#states].map(([record, model]) => [record, model.clone()]));
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Reads at rest; the client's history tells what they saw. */
export async function readAtRest(claret: Claret, reads: ReturnType<typeof finalReads>): Promise<void> {
  await mapAtOnce(reads.length, (number) => claret.transact('FinalRead', reads[number]!(claret)));
}
