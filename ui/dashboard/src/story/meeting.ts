// Where transactions meet: the hottest record, the two kinds of transactions and the two operations there that are most often in each
// other's way, and those that most often hold it together. From telemetry alone, over one span under one mode.
import type { ConflictRow, Span, TelemetryStore } from '../store/telemetryStore.ts';
import { watched_ms } from '../store/watched.ts';
import { leader, type Ranked } from './steady.ts';

/** With fewer than one conflict in this many commits, nothing is said to be in the way. */
const COMMITS_PER_CONFLICT = 50;
const RECORDS_COMPARED = 8;

export type Two = readonly [string, string];

export interface Meeting {
  /** null: no record is hot */
  record: { key: string; type: string } | null;
  /** the labels of transactions in each other's way; null: hardly any are */
  labels: Two | null;
  /** their operations at the record, the one that holds it first */
  inTheWay: Two | null;
  /** operations at the record that hold it together, as far as sampled transactions show */
  together: Two | null;
}

export const NOWHERE: Meeting = { record: null, labels: null, inTheWay: null, together: null };

/**
 * `before`: what was found last under the same mode, which stays unless something else clearly leads. `run`: the load that the span is part
 * of, under all its modes; it decides on the record, so that one record is seen under each of them.
 */
export function meetingIn(store: TelemetryStore, span: Span, run: Span, before: Meeting): Meeting {
  const record = hottest(store, run, before.record?.key ?? null);
  const rows = store.conflicts.rows(span).filter(({ outcome }) => outcome !== 'again');
  if (record === null) return { ...NOWHERE, labels: areMany(store, span, rows) ? labelsOf(rows, before.labels) : null };
  const there = rows.filter(
    ({ holderOperation, comerOperation }) => isOf(record.type, holderOperation) && isOf(record.type, comerOperation),
  );
  const blocked = areMany(store, span, rows);
  const labels = blocked ? labelsOf(there, before.labels) : null;
  return {
    record,
    labels,
    inTheWay: blocked ? operationsOf(there, before.inTheWay) : null,
    together: togetherAt(store, span, record.key, before.together),
  };
}

const isOf = (type: string, operation: string): boolean => operation.startsWith(`${type}.`);

/** `before`: the one that was found last; null: none. */
export function hottest(store: TelemetryStore, span: Span, before: string | null): Meeting['record'] {
  const { records } = store;
  const by = (name: 'conflicts' | 'operations') =>
    records.lanes(span, name, RECORDS_COMPARED).map((lane) => ({ id: lane.key, count: lane.sum(span, name), lane }));
  const found = leader(by('conflicts'), before) ?? leader(by('operations'), before);
  return found && { key: found.id, type: found.lane.type };
}

function areMany(store: TelemetryStore, span: Span, rows: readonly ConflictRow[]): boolean {
  const seconds = watched_ms(store.totals, span) / 1_000;
  const all = rows.reduce((sum, { count }) => sum + count, store.conflicts.leftOut(span));
  const commits = store.totals.sum(span, 'committed');
  return seconds > 0 && all / seconds >= Math.max(1, commits / seconds / COMMITS_PER_CONFLICT);
}

const idOf = (pair: Two) => JSON.stringify(pair);

function labelsOf(rows: readonly ConflictRow[], before: Two | null): Two | null {
  return most(
    rows.map(({ holderLabel, comerLabel, count }) => ({ pair: inOrder(holderLabel, comerLabel), count })),
    before,
  );
}

function operationsOf(rows: readonly ConflictRow[], before: Two | null): Two | null {
  return most(
    rows.map(({ holderOperation, comerOperation, count }) => ({ pair: inOrder(holderOperation, comerOperation), count })),
    before,
  );
}

/** Either may hold first: both directions count. */
const inOrder = (one: string, other: string): Two => (one <= other ? [one, other] : [other, one]);

function most(counted: readonly { pair: Two; count: number }[], before: Two | null): Two | null {
  const sums = new Map<string, Ranked & { pair: Two }>();
  for (const { pair, count } of counted) {
    const id = idOf(pair);
    const sum = sums.get(id) ?? { id, count: 0, pair };
    sum.count += count;
    sums.set(id, sum);
  }
  return leader([...sums.values()], before && idOf(before))?.pair ?? null;
}

/** Operations that were granted beside others, with the operation itself: which the others were is not sampled. */
function togetherAt(store: TelemetryStore, span: Span, key: string, before: Two | null): Two | null {
  const seen: { pair: Two; count: number }[] = [];
  for (const { attempts } of store.samples.list(span, { key })) {
    for (const { operations } of attempts.flatMap(({ requests }) => requests)) {
      for (const { key: at, operation, beside } of operations)
        if (at === key && beside > 0) seen.push({ pair: [operation, operation], count: beside });
    }
  }
  return most(seen, before);
}
