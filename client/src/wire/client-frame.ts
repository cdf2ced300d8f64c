// ClientFrame, field by field: the half of claret.proto that a client writes. A frame is written all at once when it is flushed:
// header, outcomes, then requests.

import type { Call } from '../values/call.ts';
import { LABEL_BYTES_MAX } from '../values/limits.ts';
import { isNamed, type OperationSpec } from '../values/operation-spec.ts';
import type { Kind, Scalar, WireValue } from '../values/values.ts';
import type { Wide } from './wide.ts';
import { FIXED64, LENGTH, VARINT, type FrameWriter } from './writer.ts';

export type { Wide } from './wide.ts';

/** The version of the protocol that this client speaks. */
export const PROTOCOL = 1;

export interface Header {
  sequence: number;
  acknowledged: number;
  incarnation: Wide;
  forgottenBelow: number;
}

/** The length of an attempt's id. */
export const ID_BYTES = 16;

export interface Begin {
  /** the attempt's id stands in `ids`, from `idAt` on */
  ids: Uint8Array;
  idAt: number;
  label: string;
  priority: Wide;
  retries: number;
  /** attempts of its transaction that natives have broken */
  breaks: number;
  home: number;
  expiresInMs: number;
  exclusive: readonly string[];
  /** the time since its transaction began; left out if it is negligible */
  ageUs: number;
  /** the parts of `ageUs`; only at the home shard, for a transaction that did not run at once */
  before: Before | null;
  /** the id of its transaction, if it has one; only at the home shard */
  transaction: Uint8Array | null;
  /** of a member of an epoch: the shard that manages it; null: it takes locks */
  epochManager: number | null;
}

/** The parts of a transaction's time before its attempt began, in microseconds. Negligible parts are left out. */
export interface Before {
  /** in attempts that were thrown away, without their waits for locks */
  thrownAwayUs: number;
  /** between attempts */
  backingOffUs: number;
  /** until fewer transactions of its client ran */
  queuedUs: number;
}

/** The answer of a transaction with an id, which its home shard keeps. */
export interface Answer {
  bytes: Uint8Array;
  /** counted from its commit; 0: the shard's own default */
  keepMs: number;
}

/** the field of a frame that holds a Request */
const FRAME_REQUEST = 9;

/** A shorter time is not sent, since histograms have hardly a bucket for it. */
export const TIME_US_TOLD = 64;

export function writeHeader(out: FrameWriter, header: Header): void {
  out.tag(1, VARINT);
  out.varint(header.sequence);
  if (header.acknowledged > 0) {
    out.tag(2, VARINT);
    out.varint(header.acknowledged);
  }
  const { high, low } = header.incarnation;
  if (high !== 0 || low !== 0) {
    out.tag(4, VARINT);
    out.varint64(high, low);
  }
  if (header.forgottenBelow > 0) {
    out.tag(8, VARINT);
    out.varint(header.forgottenBelow);
  }
}

/**
 * @param session the random number that names it; null: its natives are not settled once it is lost
 * @param resumes the lost session of this client whose natives are to be settled
 * @param warranties the client keeps their rules
 */
export function writeHello(out: FrameWriter, name: string, session: Wide | null, resumes: Wide | null, warranties = false): void {
  out.tag(3, LENGTH);
  const mark = out.begin();
  out.tag(1, VARINT);
  out.varint(PROTOCOL);
  if (name !== '') {
    out.tag(2, LENGTH);
    // A shard keeps no more of it either.
    out.text(name.slice(0, LABEL_BYTES_MAX));
  }
  if (session !== null) {
    out.tag(4, FIXED64);
    out.fixed64(session.high, session.low);
  }
  if (resumes !== null) {
    out.tag(5, FIXED64);
    out.fixed64(resumes.high, resumes.low);
  }
  if (warranties) {
    out.tag(6, VARINT);
    out.varint(1);
  }
  out.end(mark);
}

/** Attempt `attempts[i]` is committed at `at[i]`. */
export function writeCommitted(out: FrameWriter, attempts: readonly number[], at: readonly Wide[]): void {
  writePacked(out, 5, attempts);
  out.tag(6, LENGTH);
  const mark = out.begin();
  for (const { high, low } of at) out.fixed64(high, low);
  out.end(mark);
}

export function writeAborted(out: FrameWriter, attempts: readonly number[]): void {
  writePacked(out, 7, attempts);
}

/** Attempts that voted here and whose outcome the client could not find out. The shards settle them. */
export function writeAbandoned(out: FrameWriter, attempts: readonly number[]): void {
  writePacked(out, 16, attempts);
}

export function writeUnwatched(out: FrameWriter, ids: readonly number[]): void {
  writePacked(out, 11, ids);
}

export function writePacked(out: FrameWriter, field: number, values: readonly number[]): void {
  out.tag(field, LENGTH);
  const mark = out.begin();
  for (const value of values) out.varint(value);
  out.end(mark);
}

/** Opens a Request, as field `field` of the message that is open. `out.end` closes it with the returned mark. */
export function beginRequest(out: FrameWriter, attempt: number, sentBefore: number, field = FRAME_REQUEST): number {
  out.tag(field, LENGTH);
  const mark = out.begin();
  out.tag(1, VARINT);
  out.varint(attempt);
  if (sentBefore > 0) {
    out.tag(3, VARINT);
    out.varint(sentBefore);
  }
  return mark;
}

/** In the Request that is open: it is granted whole or not at all. */
export function writeWhole(out: FrameWriter): void {
  out.tag(7, VARINT);
  out.varint(1);
}

function writeTime(out: FrameWriter, field: number, us: number): void {
  if (us < TIME_US_TOLD) return;
  out.tag(field, VARINT);
  out.varint(us);
}

export function writeBegin(out: FrameWriter, begin: Begin): void {
  out.tag(2, LENGTH);
  const mark = out.begin();
  out.tag(1, LENGTH);
  out.bytes(begin.ids, begin.idAt, begin.idAt + ID_BYTES);
  if (begin.label !== '') {
    out.tag(2, LENGTH);
    out.text(begin.label);
  }
  out.tag(3, VARINT);
  out.varint64(begin.priority.high, begin.priority.low);
  if (begin.retries > 0) {
    out.tag(4, VARINT);
    out.varint(begin.retries);
  }
  if (begin.home > 0) {
    out.tag(5, VARINT);
    out.varint(begin.home);
  }
  if (begin.expiresInMs > 0) {
    out.tag(6, VARINT);
    out.varint(begin.expiresInMs);
  }
  for (const key of begin.exclusive) {
    out.tag(7, LENGTH);
    out.text(key);
  }
  if (begin.ageUs >= TIME_US_TOLD) {
    out.tag(8, VARINT);
    out.varint(begin.ageUs);
  }
  if (begin.transaction !== null) {
    out.tag(9, LENGTH);
    out.bytes(begin.transaction);
  }
  if (begin.breaks > 0) {
    out.tag(13, VARINT);
    out.varint(begin.breaks);
  }
  if (begin.epochManager !== null) {
    out.tag(14, VARINT);
    out.varint(begin.epochManager + 1);
  }
  if (begin.before !== null) {
    writeTime(out, 10, begin.before.thrownAwayUs);
    writeTime(out, 11, begin.before.backingOffUs);
    writeTime(out, 12, begin.before.queuedUs);
  }
  out.end(mark);
}

/** The limits of the vote of an attempt that relies on warranties of other shards. */
export interface VoteLimits {
  /** the vote has a greater timestamp than this */
  notBefore: Wide;
  /** and no greater one than this */
  notAfter: Wide;
  /** it is cast no later than at this time of the shard's steady clock; at least 1 */
  notAfterUs: number;
}

/**
 * @param participants empty if this shard is the only one
 * @param observesOnly the attempt changes nothing on any shard
 * @param answer only at the home shard of a transaction with an id
 * @param warranted readings that warranties have answered
 */
export function writePrepare(
  out: FrameWriter,
  participants: readonly number[],
  observesOnly: boolean,
  answer: Answer | null = null,
  limits: VoteLimits | null = null,
  warranted = 0,
  snapshot: Wide | null = null,
): void {
  out.tag(5, LENGTH);
  const mark = out.begin();
  if (participants.length > 0) writePacked(out, 1, participants);
  if (warranted > 0) {
    out.tag(8, VARINT);
    out.varint(warranted);
  }
  if (snapshot !== null) {
    out.tag(9, FIXED64);
    out.fixed64(snapshot.high, snapshot.low);
  }
  if (limits !== null) {
    out.tag(2, FIXED64);
    out.fixed64(limits.notAfter.high, limits.notAfter.low);
    out.tag(6, FIXED64);
    out.fixed64(limits.notBefore.high, limits.notBefore.low);
    out.tag(7, VARINT);
    out.varint(limits.notAfterUs);
  }
  if (observesOnly) {
    out.tag(3, VARINT);
    out.varint(1);
  }
  if (answer !== null) {
    if (answer.bytes.length > 0) {
      out.tag(4, LENGTH);
      out.bytes(answer.bytes);
    }
    if (answer.keepMs > 0) {
      out.tag(5, VARINT);
      out.varint(answer.keepMs);
    }
  }
  out.end(mark);
}

/**
 * Writes an Operation as field `field` of the message that is open.
 * @param intent it asks for the lock alone
 * @param warrant 1: the client would keep the result under a warranty; 2: it wants the digest in any case
 * @param expect the digest that the result has to have; null: any
 * @param at the time as of which a native observes; null: now
 * @param ageUs of the snapshot transaction for which a native observes; null: it does not
 * @param guess the result that it has to have; undefined: any
 */
export function writeOperation(
  out: FrameWriter,
  field: number,
  call: Call,
  intent = false,
  warrant: 0 | 1 | 2 = 0,
  expect: Uint8Array | null = null,
  at: Wide | null = null,
  ageUs: number | null = null,
  guess?: WireValue,
): void {
  out.tag(field, LENGTH);
  const mark = out.begin();
  out.tag(1, LENGTH);
  out.text(call.key);
  writeName(out, call.spec);
  const { parameters } = call.spec;
  for (let i = 0; i < parameters.length; i++) writeValue(out, OPERATION_ARGUMENT, parameters[i]!, call.args[i]);
  if (intent) {
    out.tag(6, VARINT);
    out.varint(1);
  }
  if (warrant > 0) {
    out.tag(7, VARINT);
    out.varint(warrant);
  }
  if (expect !== null) {
    out.tag(8, LENGTH);
    out.bytes(expect);
  }
  if (at !== null) {
    out.tag(9, FIXED64);
    out.fixed64(at.high, at.low);
  }
  if (ageUs !== null) {
    out.tag(10, VARINT);
    out.varint(ageUs + 1);
  }
  if (guess !== undefined) writeValue(out, OPERATION_GUESS, call.spec.result, guess);
  out.end(mark);
}

function writeName(out: FrameWriter, spec: OperationSpec): void {
  if (isNamed(spec)) {
    out.tag(4, LENGTH);
    out.text(spec.name);
  } else {
    out.tag(2, VARINT);
    out.varint(spec.code);
  }
}

export const REQUEST_OPERATION = 4;
export const NATIVE_OPERATION = 2;

const OPERATION_ARGUMENT = 3;
const OPERATION_GUESS = 11;

/**
 * Opens a message of natives, numbered from `first`. The client has the answers to all below `below`. `out.end` closes it with the returned
 * mark.
 */
export function beginNatives(out: FrameWriter, first: number, below: number): number {
  out.tag(17, LENGTH);
  const mark = out.begin();
  out.tag(1, VARINT);
  out.varint(first);
  out.tag(3, VARINT);
  out.varint(below);
  return mark;
}

/** Writes a Value as field `field`. */
function writeValue(out: FrameWriter, field: number, kind: Kind, value: unknown): void {
  out.tag(field, LENGTH);
  const mark = out.begin();
  switch (kind) {
    case 'number':
      writeNumber(out, value as number);
      break;
    case 'texts':
    case 'scalars':
      writeList(out, value as Scalar[]);
      break;
    case 'entries':
      writeEntries(out, value as Record<string, Scalar>);
      break;
    case 'scored':
      writePairs(out, value as Pair[], writeScalar);
      break;
    case 'ranked':
      writePairs(out, value as Pair[], writeNumber);
      break;
    case 'ranked_item':
      if (value !== null) writePair(out, value as Pair, writeNumber);
      break;
    default:
      writeScalar(out, value as Scalar | null);
  }
  out.end(mark);
}

/** Writes the content of a Value that is a `number`, whatever it is. */
function writeNumber(out: FrameWriter, value: Scalar): void {
  out.tag(2, FIXED64);
  out.double(value as number);
}

/** Writes the content of a Value. An absent one (null) is empty. A number with a fraction is a `number`, any other an `integer`. */
function writeScalar(out: FrameWriter, value: Scalar | null): void {
  if (typeof value === 'string') {
    out.tag(3, LENGTH);
    out.text(value);
  } else if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    out.tag(2, FIXED64);
    out.double(value);
  } else if (typeof value === 'number' || typeof value === 'bigint') {
    out.tag(1, VARINT);
    out.zigzag(value);
  } else if (typeof value === 'boolean') {
    out.tag(4, VARINT);
    out.varint(value ? 1 : 0);
  }
}

function writeList(out: FrameWriter, items: readonly Scalar[]): void {
  out.tag(5, LENGTH);
  const list = out.begin();
  for (const item of items) {
    out.tag(1, LENGTH);
    const mark = out.begin();
    writeScalar(out, item);
    out.end(mark);
  }
  out.end(list);
}

/** Writes entries as a list of two-item lists. */
const writeEntries = (out: FrameWriter, fields: Record<string, Scalar>): void => writePairs(out, Object.entries(fields), writeScalar);

type Pair = readonly [text: string, second: Scalar];
type Write = (out: FrameWriter, value: Scalar) => void;

function writePairs(out: FrameWriter, pairs: readonly Pair[], writeSecond: Write): void {
  out.tag(5, LENGTH);
  const list = out.begin();
  for (const pair of pairs) {
    out.tag(1, LENGTH);
    const mark = out.begin();
    writePair(out, pair, writeSecond);
    out.end(mark);
  }
  out.end(list);
}

function writePair(out: FrameWriter, [text, second]: Pair, writeSecond: Write): void {
  out.tag(5, LENGTH);
  const list = out.begin();
  out.tag(1, LENGTH);
  let mark = out.begin();
  writeScalar(out, text);
  out.end(mark);
  out.tag(1, LENGTH);
  mark = out.begin();
  writeSecond(out, second);
  out.end(mark);
  out.end(list);
}

export function writeWatch(out: FrameWriter, id: number, call: Call, since: Wide): void {
  out.tag(10, LENGTH);
  const mark = out.begin();
  out.tag(1, VARINT);
  out.varint(id);
  writeOperation(out, 2, call);
  if (since.high !== 0 || since.low !== 0) {
    out.tag(3, FIXED64);
    out.fixed64(since.high, since.low);
  }
  out.end(mark);
}

export function writeInquiry(out: FrameWriter, id: Uint8Array, ticket: number): void {
  out.tag(12, LENGTH);
  const mark = out.begin();
  out.tag(1, LENGTH);
  out.bytes(id);
  out.tag(2, VARINT);
  out.varint(ticket);
  out.end(mark);
}

/** Passes a wound on to another participant of the attempt. */
export function writeWound(out: FrameWriter, attempt: number, id: Uint8Array, priority: Wide): void {
  out.tag(14, LENGTH);
  const mark = out.begin();
  out.tag(1, VARINT);
  out.varint(attempt);
  out.tag(2, LENGTH);
  out.bytes(id);
  out.tag(3, VARINT);
  out.varint64(priority.high, priority.low);
  out.end(mark);
}
