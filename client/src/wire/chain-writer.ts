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

/** @param ends it commits without a word */
export function endMember(out: FrameWriter, mark: number, ends: boolean): void {
  if (ends) {
    out.tag(4, VARINT);
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
  out.tag(22, LENGTH);
  const mark = out.begin();
  out.tag(1, VARINT);
  out.varint(chain);
  writePacked(out, 2, members);
  out.tag(3, VARINT);
  out.varint(answers);
  out.end(mark);
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
