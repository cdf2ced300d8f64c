// Placing: what Redis clients only observed has no timestamp. There has to be one at which all its results are right, behind all that was
// acknowledged before it began, and before all that began after it ended, on the same records. If no change lies between those timestamps that the
// results would have shown, the observation gets one of them, and the history check takes it for any other attempt. If its records have been so
// more than once, nobody knows which time it saw: it is judged by the linearizability check alone.
//
//   result   there is no such timestamp
import type { HistoryAttempt } from '@claret/client';
import { acknowledgedNs, accessesOf, type Access, type Committed } from './committed.ts';
import { modelOf } from './models/index.ts';
import { apply, execute, wereSeen, type States } from './replay.ts';
import { callText, type Violation } from './violation.ts';

/** Timestamps from the first on, below the second; null: without an end. */
interface Span {
  readonly from: bigint;
  readonly to: bigint | null;
}

/** The greatest timestamps of the parts before, by record. */
export type LastTimes = ReadonlyMap<string, bigint>;

interface Look {
  readonly reader: HistoryAttempt;
  readonly access: Access;
}

interface Change {
  readonly committed: Committed;
  readonly access: Access;
}

class Placed {
  readonly reader: HistoryAttempt;
  readonly spans: readonly Span[];
  readonly records: readonly string[];
  at = 0n;

  constructor(reader: HistoryAttempt, spans: readonly Span[]) {
    this.reader = reader;
    this.spans = spans;
    this.records = accessesOf(reader).map(({ record }) => record);
  }
}

export class Placing {
  readonly #states: Readonly<States>;
  readonly #last: LastTimes;
  readonly #taken: ReadonlySet<bigint>;
  readonly #changes = new Map<string, Change[]>();
  readonly violations: Violation[] = [];

  /** `committed`: in timestamp order; `states`, `last`: before all of them */
  constructor(committed: readonly Committed[], states: Readonly<States>, last: LastTimes) {
    this.#states = states;
    this.#last = last;
    this.#taken = new Set(committed.map(({ at }) => at));
    for (const one of committed) {
      for (const access of one.accesses) {
        if (!access.changes) continue;
        const ofRecord = this.#changes.get(access.record);
        if (ofRecord === undefined) this.#changes.set(access.record, [{ committed: one, access }]);
        else ofRecord.push({ committed: one, access });
      }
    }
  }

  /** Those that have one place alone, with a timestamp, and those that have several. */
  place(readers: readonly HistoryAttempt[]): { placed: HistoryAttempt[]; ambiguous: HistoryAttempt[] } {
    const looks = new Map<string, Look[]>();
    for (const reader of readers) {
      for (const access of accessesOf(reader)) {
        const ofRecord = looks.get(access.record);
        if (ofRecord === undefined) looks.set(access.record, [{ reader, access }]);
        else ofRecord.push({ reader, access });
      }
    }
    const spans = new Map<HistoryAttempt, Span[]>();
    for (const [record, ofRecord] of looks) {
      for (const [reader, found] of this.#spansOf(record, ofRecord)) {
        const before = spans.get(reader);
        spans.set(reader, before === undefined ? found : common(before, found));
      }
    }
    return this.#placeAll(readers.map((reader) => new Placed(reader, spans.get(reader) ?? [])));
  }

  /** Each gets the least place, which leaves most to those that follow: so one that finds none cannot be placed. */
  #placeAll(all: readonly Placed[]): { placed: HistoryAttempt[]; ambiguous: HistoryAttempt[] } {
    const places: Placed[] = [];
    const ofRecord = new Map<string, Placed[]>();
    for (const one of all.toSorted((a, b) => a.reader.call - b.reader.call)) {
      const sharing = one.records.map((record) => ofRecord.get(record) ?? []);
      const before = sharing.flat().filter(({ reader }) => reader.return < one.reader.call);
      const at = this.#firstIn(one.spans, greatest(before.map((other) => other.at)));
      if (at === undefined) {
        this.#blame(one);
        continue;
      }
      one.at = at;
      places.push(one);
      one.records.forEach((record, i) => (sharing[i]!.length > 0 ? sharing[i]!.push(one) : ofRecord.set(record, [one])));
    }
    const placed = places.filter(({ spans }) => spans.length === 1).map(({ reader, at }) => ({ ...reader, order: String(at) }));
    return { placed, ambiguous: places.filter(({ spans }) => spans.length > 1).map(({ reader }) => reader) };
  }

  #blame({ reader, records }: Placed): void {
    const text = `no time in real time's order gives what ${reader.process} saw from ${reader.call} to ${reader.return} ns: ${reader.ops.map(callText).join('; ')}`;
    this.violations.push({ rule: 'result', text: text + this.#around(reader, records), attempts: [reader.id] });
  }

  /** When the record had the state that each look saw, as far as real time allows. */
  #spansOf(record: string, looks: readonly Look[]): Map<HistoryAttempt, Span[]> {
    const changes = this.#changes.get(record) ?? [];
    const found = new Map(looks.map(({ reader }) => [reader, [] as Span[]]));
    const windows = looks.map((look) => ({ look, ...windowOf(changes, look.reader) })).sort((a, b) => a.first - b.first);
    const model = this.#states.get(record)?.clone() ?? modelOf(looks[0]!.access.type);
    let next = 0;
    let active: typeof windows = [];
    for (let done = 0; done <= changes.length; done++) {
      while (next < windows.length && windows[next]!.first <= done) active.push(windows[next++]!);
      active = active.filter(({ last }) => last >= done);
      const span = {
        from: changes[done - 1]?.committed.at ?? (this.#last.get(record) ?? 0n) + 1n,
        to: changes[done]?.committed.at ?? null,
      };
      for (const { look } of active) {
        if (wereSeen(look.access, execute(model, look.access))) extend(found.get(look.reader)!, span);
      }
      const change = changes[done];
      if (change === undefined) break;
      const results = execute(model, change.access);
      apply(model, change.access, results?.map((result, i) => change.access.operations[i]!.result ?? result) ?? null);
    }
    return found;
  }

  /** The changes of its records that are not ruled out by real time alone, and the last before them. */
  #around(reader: HistoryAttempt, records: readonly string[]): string {
    const lines = records.flatMap((record) => {
      const changes = this.#changes.get(record) ?? [];
      const { first, last } = windowOf(changes, reader);
      return changes.slice(Math.max(0, first - 2), last + 1).map(({ committed: { at, attempt, acknowledgedNs: endNs }, access }) => {
        return `\n    @${at} ${attempt.process} ${attempt.call} to ${endNs} ns: ${access.operations.map(callText).join('; ')}`;
      });
    });
    return lines.join('');
  }

  /** The first free timestamp in these spans that is not below `least`. */
  #firstIn(spans: readonly Span[], least: bigint): bigint | undefined {
    for (const { from, to } of spans) {
      let at = from < least ? least : from;
      while (this.#taken.has(at)) at++;
      if (to === null || at < to) return at;
    }
    return undefined;
  }
}

/** It sees the first of the changes, so many at least and so many at most. */
function windowOf(changes: readonly Change[], { call, return: end }: HistoryAttempt): { first: number; last: number } {
  const first = changes.findLastIndex(({ committed }) => acknowledgedNs(committed.attempt) < call) + 1;
  const later = changes.findIndex(({ committed }) => committed.attempt.call > end);
  return { first, last: later < 0 ? changes.length : later };
}

const greatest = (all: readonly bigint[]): bigint => all.reduce((most, one) => (one > most ? one : most), 0n);

/** Adds the span behind the others, or to the last one. */
function extend(spans: Span[], { from, to }: Span): void {
  const last = spans.at(-1);
  if (last !== undefined && last.to === from) spans[spans.length - 1] = { from: last.from, to };
  else spans.push({ from, to });
}

/** Both in order. */
function common(some: readonly Span[], others: readonly Span[]): Span[] {
  return some.flatMap((one) =>
    others.flatMap((other) => {
      const from = other.from > one.from ? other.from : one.from;
      const to = one.to === null || (other.to !== null && other.to < one.to) ? other.to : one.to;
      return to !== null && from >= to ? [] : [{ from, to }];
    }),
  );
}
