// Reads of the past (docs/rules.md, section 16): what was observed as of an earlier moment.
//
//   past   the result is that of all that had committed at that moment or before, and of nothing later
//
// Such a read asked for an old state, so it has no place in real time: the other rules do not see it.

import type { HistoryAttempt, HistoryOperation } from '@claret/client';
import { accessesOf, type Access, type Committed } from './committed.ts';
import { FRESH, type Model } from './model.ts';
import { modelOf } from './models/index.ts';
import { apply, execute, wereSeen, type States } from './replay.ts';
import { callText, excerpt, type Violation } from './violation.ts';

export const isOfThePast = ({ as_of }: HistoryAttempt): boolean => as_of !== undefined;

interface Change {
  readonly at: bigint;
  readonly access: Access;
}

/** What changed a record in one part, in the order of timestamps. */
interface Changes {
  /** the state before the first */
  readonly before: Model;
  readonly changes: readonly Change[];
}

interface Look {
  readonly at: bigint;
  readonly reader: HistoryAttempt;
  readonly access: Access;
}

/** For a history that is checked in parts, it keeps the last part's changes: a read may ask for a moment of that part. */
export class AsOf {
  /** of the last part, by record */
  #last = new Map<string, Changes>();
  /** the last change of each record in the parts before that one */
  readonly #forgotten = new Map<string, bigint>();
  /** reads that were judged, and reads of moments whose changes are forgotten */
  judged = 0;
  beyond = 0;

  /**
   * @param attempts of the part, with the reads of the past
   * @param committed in timestamp order, without them
   * @param states before all of them
   */
  check(
    attempts: readonly HistoryAttempt[],
    committed: readonly Committed[],
    states: Readonly<States>,
    ignored: ReadonlySet<string>,
  ): Violation[] {
    const present = changesIn(committed, states);
    const violations = [...looksIn(attempts, ignored)].flatMap(([record, looks]) => this.#judge(record, looks, present, committed, states));
    for (const [record, { changes }] of this.#last) this.#forgotten.set(record, changes.at(-1)!.at);
    this.#last = present;
    return [...violations, ...attempts.flatMap(toldAnotherTime)];
  }

  #judge(
    record: string,
    looks: readonly Look[],
    present: ReadonlyMap<string, Changes>,
    committed: readonly Committed[],
    states: Readonly<States>,
  ): Violation[] {
    const parts = [this.#last.get(record), present.get(record)].filter((part) => part !== undefined);
    const model = (parts[0]?.before ?? states.get(record) ?? modelOf(looks[0]!.access.type)).clone();
    const changes = parts.flatMap((part) => part.changes);
    const forgotten = this.#forgotten.get(record) ?? 0n;
    let next = 0;
    return looks
      .toSorted((a, b) => (a.at < b.at ? -1 : 1))
      .flatMap((look) => {
        if (look.at < forgotten) {
          this.beyond++;
          return [];
        }
        for (; next < changes.length && changes[next]!.at <= look.at; next++) change(model, changes[next]!.access);
        this.judged++;
        return differences(look, model).map((text) => {
          const position = committed.findLastIndex(({ at }) => at <= look.at);
          return violation(look, `${text}${position < 0 ? '' : `\n${excerpt(committed, position, record)}`}`);
        });
      });
  }
}

/** By record; copies the states of those that change. */
function changesIn(committed: readonly Committed[], states: Readonly<States>): Map<string, Changes> {
  const byRecord = new Map<string, { before: Model; changes: Change[] }>();
  for (const { at, accesses } of committed) {
    for (const access of accesses.filter(({ changes }) => changes)) {
      const { record, type } = access;
      let ofRecord = byRecord.get(record);
      if (ofRecord === undefined) byRecord.set(record, (ofRecord = { before: states.get(record)?.clone() ?? modelOf(type), changes: [] }));
      ofRecord.changes.push({ at, access });
    }
  }
  return byRecord;
}

/** The answered reads, by record. */
function looksIn(attempts: readonly HistoryAttempt[], ignored: ReadonlySet<string>): Map<string, Look[]> {
  const byRecord = new Map<string, Look[]>();
  for (const reader of attempts) {
    if (reader.as_of === undefined || reader.outcome !== 'ok') continue;
    for (const access of accessesOf(reader, ignored)) {
      const ofRecord = byRecord.get(access.record) ?? [];
      ofRecord.push({ at: BigInt(reader.as_of), reader, access });
      byRecord.set(access.record, ofRecord);
    }
  }
  return byRecord;
}

/** As the replay does: with the results that were seen. */
function change(model: Model, access: Access): void {
  const results = execute(model, access);
  apply(model, access, results?.map((result, i) => access.operations[i]!.result ?? result) ?? null);
}

function differences({ access }: Look, model: Model): string[] {
  return access.operations.flatMap((operation: HistoryOperation) => {
    const results = execute(model, { ...access, operations: [operation] });
    if (wereSeen({ ...access, operations: [operation] }, results)) return [];
    const [result] = results ?? [];
    const instead = results === null || result === FRESH ? 'should have been refused' : `it was ${JSON.stringify(result)}`;
    return [`${callText(operation)}, but ${instead}`];
  });
}

function toldAnotherTime(attempt: HistoryAttempt): Violation[] {
  const { as_of: asOf, order, outcome } = attempt;
  if (asOf === undefined || outcome !== 'ok' || order === asOf) return [];
  return [{ rule: 'timestamp', text: `${nameOf(attempt)}: was told the timestamp ${order}`, attempts: [attempt.id] }];
}

const violation = ({ reader }: Look, text: string): Violation => ({
  rule: 'past',
  text: `${nameOf(reader)}: ${text}`,
  attempts: [reader.id],
});

const nameOf = ({ id, label, process, as_of: asOf }: HistoryAttempt): string => `${label} ${id} of ${process}, as of ${asOf}`;
