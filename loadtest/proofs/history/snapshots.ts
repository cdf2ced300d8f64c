// Snapshots: what transactions with `isolation: 'snapshot'` saw and changed (docs/rules.md, section 17).
//
//   snapshot   their results are those of all that had committed at the snapshot's time or before, and of nothing later; and nothing of these
//              records is missing that was acknowledged before the transaction began
//   overtaken  nothing was committed between the snapshot and the commit with which a change of theirs does not commute
//
// The other rules judge such an attempt without its reads: as one that has made its changes at its commit.

import type { HistoryAttempt, HistoryOperation } from '@claret/client';
import { accessesOf, type Access, type Committed } from './committed.ts';
import { FRESH, Refusal, sameValue, type Model } from './model.ts';
import { changes, modelOf } from './models/index.ts';
import { execute, type States } from './replay.ts';
import { callText, excerpt, nameOf, type Violation } from './violation.ts';

/** Not of an identifier: that is new each time. */
const isRead = ({ type, op }: HistoryOperation): boolean => !changes(type, op) && type !== 'UIdGenerator';

/** The attempt without what it has read of a snapshot. */
export const withoutSnapshot = (attempt: HistoryAttempt): HistoryAttempt =>
  attempt.snapshot === undefined ? attempt : { ...attempt, ops: attempt.ops.filter((operation) => !isRead(operation)) };

interface Change {
  readonly by: Committed;
  readonly access: Access;
  /** the state before it, in timestamp order */
  readonly before: Model;
}

interface LastChange {
  at: bigint;
  /** of those that were acknowledged */
  acknowledgedAt: bigint;
}

/** For a history that is checked in parts, it keeps what later parts need of the earlier ones. */
export class Snapshots {
  /** of earlier parts, by record */
  readonly #last = new Map<string, LastChange>();

  /**
   * @param attempts with their snapshots
   * @param committed without these, in timestamp order
   * @param states before all of them
   */
  check(
    attempts: readonly HistoryAttempt[],
    committed: readonly Committed[],
    states: Readonly<States>,
    ignored: ReadonlySet<string>,
  ): Violation[] {
    const readers = attempts.filter(({ snapshot, outcome }) => snapshot !== undefined && outcome === 'ok');
    const violations = readers.length === 0 ? [] : this.#judge(readers, committed, states, ignored);
    for (const { at, acknowledgedNs, accesses } of committed) {
      for (const { record, changes: isChange } of accesses) {
        if (!isChange) continue;
        const last = this.#last.get(record) ?? { at: 0n, acknowledgedAt: 0n };
        if (at > last.at) last.at = at;
        if (acknowledgedNs < Infinity && at > last.acknowledgedAt) last.acknowledgedAt = at;
        this.#last.set(record, last);
      }
    }
    return violations;
  }

  #judge(readers: readonly HistoryAttempt[], committed: readonly Committed[], states: Readonly<States>, ignored: ReadonlySet<string>) {
    const violations: Violation[] = [];
    const bySnapshot = readers.toSorted((a, b) => (BigInt(a.snapshot!) < BigInt(b.snapshot!) ? -1 : 1));
    const models = new Map<string, Model>();
    const modelFor = (record: string, type: string): Model => {
      let model = models.get(record);
      if (model === undefined) models.set(record, (model = states.get(record)?.clone() ?? modelOf(type)));
      return model;
    };
    const snapshotOf = new Map(readers.map(({ id, snapshot }) => [id, BigInt(snapshot!)]));
    // By record; of those on which a snapshot transaction may have been overtaken.
    const changed = new Map<string, Change[]>();
    const history = { committed, changesOf: changesByRecord(committed) };
    for (const { attempt, accesses } of committed) {
      if (snapshotOf.has(attempt.id)) for (const { record } of accesses) changed.set(record, []);
    }
    let next = 0;
    const read = (until: bigint | null) => {
      for (; next < bySnapshot.length; next++) {
        const reader = bySnapshot[next]!;
        if (until !== null && BigInt(reader.snapshot!) >= until) return;
        violations.push(...this.#read(reader, history, modelFor, ignored));
      }
    };
    committed.forEach((by, position) => {
      read(by.at);
      const since = snapshotOf.get(by.attempt.id);
      for (const access of by.accesses) {
        const model = modelFor(access.record, access.type);
        const own = answered(access, model);
        if (own.operations.length === 0) continue;
        const before = changed.get(access.record);
        if (before !== undefined && since !== undefined) {
          const first = before.find((one) => one.by.at > since && !commute(one, own));
          if (first !== undefined) violations.push(overtaken(committed, position, access.record, first));
        }
        before?.push({ by, access: own, before: model.clone() });
        commit(model, own);
      }
    });
    read(null);
    return violations;
  }

  /** REQUIRES: the models have what had committed by then. */
  #read(
    reader: HistoryAttempt,
    { committed, changesOf }: { committed: readonly Committed[]; changesOf: ReadonlyMap<string, readonly Committed[]> },
    modelFor: (record: string, type: string) => Model,
    ignored: ReadonlySet<string>,
  ): Violation[] {
    const at = BigInt(reader.snapshot!);
    const begunNs = reader.begun ?? reader.call;
    return accessesOf({ ...reader, ops: reader.ops.filter(isRead) }, ignored).flatMap(({ record, type, operations }) => {
      const violation = (text: string): Violation => ({
        rule: 'snapshot',
        text: `${reader.label} ${reader.id.slice(0, 8)} of ${reader.process}, as of ${at}, on ${record}: ${text}`,
        attempts: [reader.id],
      });
      const last = this.#last.get(record);
      const missed = changesOf.get(record)?.find((one) => one.at > at && one.acknowledgedNs < begunNs);
      if (missed !== undefined)
        return [violation(`${nameOf(missed)} was acknowledged at ${missed.acknowledgedNs} ns; it began at ${begunNs}`)];
      if (last !== undefined && last.acknowledgedAt > at) return [violation('a change of an earlier part is missing')];
      // Nobody knows what it was then.
      if (last !== undefined && last.at > at) return [];
      const model = modelFor(record, type);
      return operations.flatMap((operation) => {
        if (operation.result === undefined || sees(model, operation)) return [];
        const position = committed.findLastIndex((one) => one.at <= at);
        return [violation(`${callText(operation)}\n${position < 0 ? '' : excerpt(committed, position, record)}`)];
      });
    });
  }
}

function changesByRecord(committed: readonly Committed[]): Map<string, Committed[]> {
  const byRecord = new Map<string, Committed[]>();
  for (const one of committed) {
    for (const access of one.accesses) {
      if (!access.changes) continue;
      const ofRecord = byRecord.get(access.record);
      if (ofRecord === undefined) byRecord.set(access.record, [one]);
      else ofRecord.push(one);
    }
  }
  return byRecord;
}

function sees(model: Model, { op, args, result }: HistoryOperation): boolean {
  try {
    return sameValue(model.execute(op, args, []) as never, result);
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** Its changes, with all results: nobody was told those of an attempt that is only known from the logs. */
function answered(access: Access, model: Model): Access {
  const results = access.operations.every(({ result }) => result !== undefined) ? [] : (execute(model, access) ?? []);
  const operations = access.operations.map((operation, i) => {
    const result = operation.result ?? results[i];
    return result === undefined || result === FRESH ? operation : { ...operation, result };
  });
  return { ...access, operations: operations.filter((operation) => !isRead(operation)) };
}

const commit = (model: Model, { operations }: Access): void => {
  for (const { op, args, result } of operations) model.commit(op, args, result);
};

/** In both orders they leave the same. */
function commute({ access: earlier, before }: Change, later: Access): boolean {
  const [one, other] = [before.clone(), before.clone()];
  try {
    commit(one, earlier);
    commit(one, later);
    commit(other, later);
    commit(other, earlier);
  } catch {
    return false; // a model takes only what its type lets in
  }
  return one.equals(other);
}

function overtaken(committed: readonly Committed[], position: number, record: string, first: Change): Violation {
  const by = committed[position]!;
  return {
    rule: 'overtaken',
    text: `${nameOf(by)}, of the snapshot ${by.attempt.snapshot}, changes ${record} after ${nameOf(first.by)}\n${excerpt(committed, position, record)}`,
    attempts: [first.by.attempt.id, by.attempt.id],
  };
}
