// Sends operations through the Claret client: as one transaction, with its results and its cost, or one operation as a native.

import { createHash } from 'node:crypto';
import {
  Description,
  performExpecting,
  type Claret,
  type Operation,
  type Receipt,
  type Step,
  type TransactionReport,
  type Tx,
} from '../src/index.ts';
import type { Call } from './arguments.ts';
import type { Context } from './context.ts';
import { shown, toJson } from './format.ts';
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
  const steps = stepsOf(claret, calls);
  if (id === undefined) {
    const expects = steps.some(({ expected }) => expected !== undefined);
    const run = expects
      ? observed.transaction(label, (tx) => perform(tx, steps), { onCommit }).then((done) => done.map(({ value }) => value))
      : observed.transact(
          label,
          steps.map(({ description }) => description),
          { onCommit },
        );
    return { results: await context.bounded(run), report: report!, receipt: receipt! };
  }
  const fingerprint = sha256(
    JSON.stringify(
      steps.map(({ description: { spec, key, args }, expected }) => [spec.name, key, args, ...(expected === undefined ? [] : [expected])]),
      (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value),
    ),
  ).toString('base64');
  const name = claret.transactionId(undefined, sha256(`claret --id ${id}`).subarray(0, ID_BYTES));
  const kept = await context.bounded(observed.transaction(label, (tx) => performAll(tx, steps, fingerprint), { id: name, onCommit }));
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
  const [step] = stepsOf(claret, [call]);
  return context.bounded(claret.native.perform(step!.description, at === undefined ? {} : { at }));
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

const stepsOf = (claret: Claret, calls: readonly Call[]): Step[] =>
  calls.map(({ key, operation: { name, spec }, args, expected }) => ({
    description: spec === undefined ? claret.describe(key, name, args) : new Description(spec, key, args),
    expected,
  }));

/** Throws a problem if an operation has another result than was expected. */
async function perform(tx: Tx, steps: readonly Step[]): Promise<Operation<unknown>[]> {
  const { operations, unmet } = await performExpecting(tx, steps, toJson);
  if (unmet.length === 0) return operations;
  const told = unmet.map(({ step, result }) => ({ index: steps.indexOf(step), result: toJson(result) }));
  const all = told.map(
    ({ index, result }) => `operations[${index}], ${steps[index]!.description.spec.name}, gives ${shown(JSON.stringify(result))}`,
  );
  throw new Problem(EXIT.failed, 'expectation_failed', `Another result was expected: ${all.join('; ')}.`, {
    hint: 'Nothing happened. Decide again on these results.',
    unmet: told,
  });
}

async function performAll(tx: Tx, steps: readonly Step[], fingerprint: string): Promise<Kept> {
  const operations = await perform(tx, steps);
  const results = await Promise.all(operations.map((operation) => (operation.spec.result === 'void' ? null : operation)));
  return { fingerprint, results };
}
