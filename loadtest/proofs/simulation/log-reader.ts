// LogReader: the commits in the shards' logs (docs/wire-format.md, "The log"). Written only for the check, independently of the
// core's reader, so that the two do not share mistakes.
import { NATIVE_LABEL } from '@claret/client';
import { REDIS_LABEL, STEP } from '../history/redis.ts';
import type { HistoryOperation, HistoryValue } from '@claret/client';
import { fieldsOf, NO_BYTES, type Field } from './fields.ts';
import { LoggedTypes, type LoggedSpec } from './types/logged-types.ts';

export interface LoggedAttempt {
  /** hexadecimal, as in a history */
  id: string;
  label: string;
  /** commit timestamp; null: no log says that it is committed */
  at: bigint | null;
  /** from all shards; observations only if it spans several */
  ops: HistoryOperation[];
}

/** A transaction of a batch. Each shard's vote names those that have a part there. */
interface LoggedMember {
  id: string;
  label: string;
  /** its timestamp is so many after that of the batch */
  ticks: bigint;
  /** from all shards */
  ops: HistoryOperation[];
}

interface LoggedVoter extends LoggedAttempt {
  /** of a batch, whose operations are theirs */
  members: LoggedMember[];
}

const COMMIT = 4;
const VOTE = 5;
const OUTCOME = 6;
const NATIVES = 10;
const TYPE = 18;

const utf8 = new TextDecoder();

const doubleOf = (bits: bigint): number => {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
};

function integerOf(zigzag: bigint): HistoryValue {
  const value = (zigzag >> 1n) ^ -(zigzag & 1n);
  return Number.isSafeInteger(Number(value)) ? Number(value) : { integer: String(value) };
}

function valueOf(bytes: Uint8Array): HistoryValue {
  for (const [number, value, text] of fieldsOf(bytes)) {
    if (number === 1) return integerOf(value);
    if (number === 2) return doubleOf(value) + 0; // never -0
    if (number === 3) return utf8.decode(text);
    if (number === 4) return value === 1n;
    if (number === 5) return [...fieldsOf(text)].map(([, , item]) => valueOf(item));
  }
  return null;
}

/** `untold`: the log may not have the result. */
function operationOf(bytes: Uint8Array, types: LoggedTypes, untold = false): HistoryOperation {
  let key = '';
  let spec: LoggedSpec | undefined;
  const args: HistoryValue[] = [];
  let result: HistoryValue = null;
  let isTold = !untold;
  for (const [number, value, text] of fieldsOf(bytes)) {
    if (number === 1) key = utf8.decode(text);
    if (number === 2) spec = types.withCode(Number(value));
    if (number === 3) args.push(valueOf(text));
    if (number === 4) {
      result = valueOf(text);
      isTold = true;
    }
  }
  if (spec === undefined) throw new Error('an entry of the log has an operation without a code');
  const [type, op] = spec.name.split('.') as [string, string];
  const { parameters } = spec;
  const values = args.map((value, i) => (parameters[i] === 'entries' ? byField(value) : value));
  return {
    key,
    type,
    op,
    args: values,
    ...(spec.result !== 'void' && isTold && { result: spec.result === 'entries' ? byField(result) : result }),
  };
}

/**
 * The log orders fields by bytes, histories by UTF-16 units. If a field is given twice the last one counts, so their order is
 * preserved.
 */
const byField = (entries: HistoryValue): HistoryValue =>
  (entries as [string, HistoryValue][]).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));

/** The first entries of a piece of a log; `pick` chooses their number from the total. */
export function cutEntries(log: Uint8Array, pick: (all: number) => number): { bytes: Uint8Array; count: number; dropped: number } {
  const ends = Array.from(fieldsOf(log), ([, , entry]) => entry.byteOffset + entry.length - log.byteOffset);
  const count = pick(ends.length);
  return { bytes: log.subarray(0, count === 0 ? 0 : ends[count - 1]!), count, dropped: ends.length - count };
}

/** The value of a field of a message; 0 if it is not there. */
const numberIn = (fields: readonly Field[], wanted: number): bigint => fields.find(([number]) => number === wanted)?.[1] ?? 0n;

interface Entry {
  id: string;
  at: bigint;
  label: string;
  ops: HistoryOperation[];
  members: LoggedMember[];
  /** of a member of an epoch */
  inEpoch: boolean;
}

function entryOf(bytes: Uint8Array, types: LoggedTypes): Entry {
  const all = [...fieldsOf(bytes)];
  const inEpoch = all.some(([number]) => number === 24);
  const entry: Entry = { id: '', at: 0n, label: '', ops: [], members: [], inEpoch };
  const members: Uint8Array[] = [];
  for (const [number, value, text] of all) {
    if (number === 1) entry.id = Buffer.from(text).toString('hex');
    if (number === 2) entry.at = value;
    if (number === 4) entry.ops.push(operationOf(text, types, inEpoch));
    if (number === 6) entry.label = utf8.decode(text);
    if (number === 15) members.push(text);
  }
  let next = 0;
  for (const member of members) {
    const fields = [...fieldsOf(member)];
    const bytesIn = (wanted: number): Uint8Array => fields.find(([number]) => number === wanted)?.[2] ?? NO_BYTES;
    const ops = entry.ops.slice(next, (next += Number(numberIn(fields, 3))));
    entry.members.push({ id: Buffer.from(bytesIn(1)).toString('hex'), ticks: numberIn(fields, 2), label: utf8.decode(bytesIn(4)), ops });
  }
  return entry;
}

/**
 * Those of a batch, each at its own timestamp, or the attempt itself. A member that only observes commits like any other, also if it is that of a body
 * that has thrown: the client tells of that as failed.
 */
function transactionsOf(attempt: LoggedVoter, types: LoggedTypes): LoggedAttempt[] {
  const { at, members } = attempt;
  if (members.length === 0) return [attempt];
  const changing = members.filter(({ ops }) => ops.some(({ type, op }) => types.changes(`${type}.${op}`)));
  return changing.map(({ id, label, ticks, ops }) => ({ id, label, at: at === null ? null : at + (ticks << 8n), ops }));
}

/** The attempts in the logs, read as the logs grow. */
export class LogReader {
  readonly #types = new LoggedTypes();
  /** of this part */
  #attempts = new Map<string, LoggedVoter>();
  /** of the previous part, without a commit so far: a late message may still bring one */
  #voted = new Map<string, LoggedVoter>();

  /** Reads further pieces of one log. */
  read(log: Iterable<Uint8Array>): void {
    for (const piece of log) {
      for (const [, , bytes] of fieldsOf(piece)) {
        for (const [kind, , body] of fieldsOf(bytes)) {
          if (kind === COMMIT || kind === VOTE || kind === OUTCOME) this.#take(kind, entryOf(body, this.#types));
          else if (kind === NATIVES) this.#takeNatives(body);
          else if (kind === TYPE) this.#types.take(body);
        }
      }
    }
  }

  get attempts(): Iterable<LoggedAttempt> {
    return [...this.#attempts.values()].flatMap((attempt) => transactionsOf(attempt, this.#types));
  }

  /** Commit timestamps of the part, decimal, by id. */
  get committed(): Map<string, string> {
    const committed = new Map<string, string>();
    for (const { id, at } of this.attempts) if (at !== null) committed.set(id, String(at));
    return committed;
  }

  /** Committed attempts will not be needed again. */
  endPart(): void {
    this.#voted = new Map([...this.#attempts].filter(([, { at }]) => at === null));
    this.#attempts = new Map();
  }

  /**
   * Each native is an attempt of its own, named by its session and number as in the client's history. Those of Redis clients are in no session:
   * those that have the same time are one attempt, named by it.
   */
  #takeNatives(body: Uint8Array): void {
    const fields = [...fieldsOf(body)];
    const operations = fields.filter(([number]) => number === 4).map(([, , bytes]) => bytes);
    const { at } = entryOf(body, this.#types);
    const session = numberIn(fields, 12);
    let number = numberIn(fields, 13);
    for (const bytes of operations) {
      const operation = [...fieldsOf(bytes)];
      const own = at + (numberIn(operation, 6) << 8n);
      number += numberIn(operation, 7);
      const [id, label] = session === 0n ? [`${STEP}${own}`, REDIS_LABEL] : [`native:${session}:${number++}`, NATIVE_LABEL];
      const step = this.#attempts.get(id);
      if (step === undefined) this.#attempts.set(id, { id, label, at: own, ops: [operationOf(bytes, this.#types)], members: [] });
      else step.ops.push(operationOf(bytes, this.#types));
    }
  }

  #take(kind: number, entry: Entry): void {
    const { id, label, ops, members, inEpoch } = entry;
    let attempt = this.#attempts.get(id);
    if (attempt === undefined) {
      attempt = this.#voted.get(id) ?? { id, label: '', at: null, ops: [], members: [] };
      this.#attempts.set(id, attempt);
    }
    if (label !== '') attempt.label = label;
    // A member that an epoch has not taken votes again.
    if (inEpoch) attempt.ops = attempt.ops.filter(({ key }) => ops.every((op) => op.key !== key));
    for (const op of ops) attempt.ops.push(op);
    for (const member of members) {
      const known = attempt.members.find((one) => one.id === member.id);
      if (known === undefined) attempt.members.push(member);
      else known.ops.push(...member.ops);
    }
    if (kind === COMMIT || (kind === OUTCOME && entry.at > 0n)) attempt.at = entry.at;
  }
}
