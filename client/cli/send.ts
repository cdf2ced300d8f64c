// Sends operations through the Claret client: as one transaction, with its results and its cost, or one operation as a native.

import { createHash } from 'node:crypto';
import { Description, type Claret, type Receipt, type TransactionReport, type Tx } from '../src/index.ts';
import type { Call } from './arguments.ts';
import type { Context } from './context.ts';
import { EXIT, Problem, usageProblem } from './problem.ts';

export interface Sent {
  /** one for each operation; undefined or null for those without a result */
  results: unknown[];
  report: TransactionReport;
  receipt: Receipt;
}

export interface SendOptions {
  label: string;
  /** makes the transaction safe to send again; checked by `checkId` */
  id?: string | undefined;
}

const ID_LENGTH_MAX = 255;
const ID_BYTES = 16;
const LABEL_BYTES_MAX = 64;

/** Throws a usage problem. */
export function checkLabel(label: string): string {
  if (Buffer.byteLength(label) > LABEL_BYTES_MAX) throw usageProblem(`A label has at most ${LABEL_BYTES_MAX} bytes.`);
  return label;
}

/** Throws a usage problem. */
export function checkId(id: string | undefined): string | undefined {
  if (id !== undefined && (id === '' || id.length > ID_LENGTH_MAX))
    throw usageProblem(`--id takes a text of 1 to ${ID_LENGTH_MAX} characters.`);
  return id;
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The answer that a shard keeps under an id. The fingerprint reveals that another transaction is sent with the same id. */
interface Kept {
  fingerprint: string;
  results: unknown[];
}

/** Throws a problem. */
export async function send(context: Context, calls: readonly Call[], { label, id }: SendOptions): Promise<Sent> {
  let report: TransactionReport | undefined;
  let receipt: Receipt | undefined;
  const claret = await context.bounded(context.claret());
  const observed = claret.observed((value) => (receipt = value));
  const onCommit = (value: TransactionReport) => (report = value);
  const described = describeAll(claret, calls);
  if (id === undefined) {
    const results = await context.bounded(observed.transact(label, described, { onCommit }));
    return { results, report: report!, receipt: receipt! };
  }
  const fingerprint = sha256(
    JSON.stringify(
      described.map(({ spec, key, args }) => [spec.name, key, args]),
      (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value),
    ),
  ).toString('base64');
  const name = claret.transactionId(undefined, sha256(`claret --id ${id}`).subarray(0, ID_BYTES));
  const kept = await context.bounded(observed.transaction(label, (tx) => performAll(tx, described, fingerprint), { id: name, onCommit }));
  if (kept.fingerprint !== fingerprint) {
    throw new Problem(EXIT.failed, 'idempotency_key_reused', `The id '${id}' was used before, for another transaction.`, {
      hint: 'Nothing happened. Each transaction has an id of its own.',
    });
  }
  return { results: kept.results, report: report!, receipt: receipt! };
}

/** Executes one operation outside any transaction, as of that moment if there is one, and returns its result. Throws a problem. */
export async function sendNative(context: Context, call: Call, at?: Date | bigint): Promise<unknown> {
  const claret = await context.bounded(context.claret());
  const [described] = describeAll(claret, [call]);
  return context.bounded(claret.native.perform(described!, at === undefined ? {} : { at }));
}

const AGO = /^(\d{1,9})(ms|s|m)$/;
const UNIT_MS = { ms: 1, s: 1_000, m: 60_000 };

/** A timestamp, a time, or how long ago. Throws a usage problem. */
export function momentFrom(text: string): Date | bigint {
  const ago = AGO.exec(text);
  if (ago !== null) return new Date(Date.now() - Number(ago[1]) * UNIT_MS[ago[2] as keyof typeof UNIT_MS]);
  if (/^\d{1,20}$/.test(text)) return BigInt(text);
  const date = new Date(text);
  if (!Number.isNaN(date.getTime())) return date;
  throw usageProblem(`--at takes how long ago ('10s'), a time ('2026-11-27T15:00:00Z') or a timestamp, not '${text}'.`);
}

const describeAll = (claret: Claret, calls: readonly Call[]): Description<unknown>[] =>
  calls.map(({ key, operation: { name, spec }, args }) =>
    spec === undefined ? claret.describe(key, name, args) : new Description(spec, key, args),
  );

async function performAll(tx: Tx, described: readonly Description<unknown>[], fingerprint: string): Promise<Kept> {
  const operations = described.map((each) => tx.perform(each));
  const results = await Promise.all(operations.map((operation) => (operation.spec.result === 'void' ? null : operation)));
  return { fingerprint, results };
}
