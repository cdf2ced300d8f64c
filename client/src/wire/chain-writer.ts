// The messages of chains that a client writes, field by field.

import type { Call } from '../values/call.ts';
import { writeOperation, writePacked } from './client-frame.ts';
import type { Wide } from './wide.ts';
import { FIXED64, LENGTH, VARINT, type FrameWriter } from './writer.ts';

/** the field of a Member that holds its Request */
export const MEMBER_REQUEST = 3;

/** Opens a Member. `endMember` closes it with the returned mark. */
export function beginMember(out: FrameWriter, chain: number, n: number): number {
  out.tag(20, LENGTH);
  const mark = out.begin();
  out.tag(1, VARINT);
  out.varint(chain);
  out.tag(2, VARINT);
  out.varint(n);
  return mark;
}

/**
 * @param ends it commits without a word
 * @param turn in which a member with parts at several shards is sent; null: it has one part
 * @param timed its answers tell the shard's time
 */
export function endMember(out: FrameWriter, mark: number, ends: boolean, turn: Wide | null, timed: boolean): void {
  if (ends) {
    out.tag(4, VARINT);
    out.varint(1);
  }
  if (turn !== null) {
    out.tag(5, FIXED64);
    out.fixed64(turn.high, turn.low);
  }
  if (timed) {
    out.tag(6, VARINT);
    out.varint(1);
  }
  out.end(mark);
}

/** @param count of members withdrawn from the chain so far, with this one */
export function writeWithdrawn(out: FrameWriter, chain: number, n: number, count: number): void {
  out.tag(21, LENGTH);
  const mark = out.begin();
  out.tag(1, VARINT);
  out.varint(chain);
  out.tag(2, VARINT);
  out.varint(n);
  out.tag(3, VARINT);
  out.varint(count);
  out.end(mark);
}

/** @param answers received from the chain, with results */
export function writeWord(out: FrameWriter, chain: number, members: readonly number[], answers: number): void {
  out.end(beginNamed(out, 22, chain, members, answers));
}

/** Opens a Word or a Batch, as field `field` of the frame. */
function beginNamed(out: FrameWriter, field: number, chain: number, members: readonly number[], answers: number): number {
  out.tag(field, LENGTH);
  const mark = out.begin();
  out.tag(1, VARINT);
  out.varint(chain);
  writePacked(out, 2, members);
  out.tag(3, VARINT);
  out.varint(answers);
  return mark;
}

export interface BatchSpan {
  readonly first: number;
  readonly last: number;
}

/** the field of a Batch that holds its Request */
export const BATCH_REQUEST = 4;

/**
 * Opens a Batch, whose Request is to be written next. It is closed with the returned mark.
 * @param members those at this shard
 * @param answers see `writeWord`
 * @param span the numbers of its first and its last member, at whatever shards
 */
export function beginBatch(out: FrameWriter, chain: number, members: readonly number[], answers: number, span: BatchSpan): number {
  const mark = beginNamed(out, 27, chain, members, answers);
  out.tag(5, VARINT);
  out.varint(span.first);
  out.tag(6, VARINT);
  out.varint(span.last);
  return mark;
}

/** The session's chain has this number now. */
export function writeChain(out: FrameWriter, chain: number): void {
  out.tag(28, VARINT);
  out.varint(chain);
}

/** What a client asks of the sequencer of turns. */
export type TurnStep = 'want' | 'back';

export function writeTurn(out: FrameWriter, step: TurnStep): void {
  out.tag(29, VARINT);
  out.varint(step === 'want' ? 1 : 2);
}

/** @param at 0 and 0: the result is wanted as it is now */
export function writePeek(out: FrameWriter, ticket: number, call: Call, at: Wide): void {
  out.tag(25, LENGTH);
  const mark = out.begin();
  out.tag(1, VARINT);
  out.varint(ticket);
  writeOperation(out, 2, call);
  if (at.high !== 0 || at.low !== 0) {
    out.tag(3, FIXED64);
    out.fixed64(at.high, at.low);
  }
  out.end(mark);
}

/** Whether the session is to receive boards from now on. */
export function writeBoards(out: FrameWriter, wanted: boolean): void {
  out.tag(26, VARINT);
  out.varint(wanted ? 1 : 0);
}
