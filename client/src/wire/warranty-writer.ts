// What a client says of warranties, as fields of a frame.

import type { Wide } from './wide.ts';
import { FIXED64, LENGTH, VARINT, type FrameWriter } from './writer.ts';

/** The client no longer relies on the grant. */
export interface Returned {
  grant: number;
  /** operations that it has answered */
  uses: number;
}

/** The grant is not to end for so long. */
export interface FirmWanted {
  grant: number;
  forMs: number;
}

export interface Used {
  /** the greatest timestamp at which the client has used any warranty, or may still use one */
  upTo: Wide;
  /** since it was told last: operations that warranties have answered, and transactions that committed without a message */
  answers: number;
  commits: number;
}

export function writeReturned(out: FrameWriter, { grant, uses }: Returned): void {
  out.tag(30, LENGTH);
  const mark = out.begin();
  out.tag(1, VARINT);
  out.varint(grant);
  if (uses > 0) {
    out.tag(2, VARINT);
    out.varint(uses);
  }
  out.end(mark);
}

export function writeFirmWanted(out: FrameWriter, { grant, forMs }: FirmWanted): void {
  out.tag(32, LENGTH);
  const mark = out.begin();
  out.tag(1, VARINT);
  out.varint(grant);
  out.tag(2, VARINT);
  out.varint(forMs);
  out.end(mark);
}

export function writeUsed(out: FrameWriter, { upTo, answers, commits }: Used): void {
  out.tag(31, LENGTH);
  const mark = out.begin();
  out.tag(1, FIXED64);
  out.fixed64(upTo.high, upTo.low);
  if (answers > 0) {
    out.tag(2, VARINT);
    out.varint(answers);
  }
  if (commits > 0) {
    out.tag(3, VARINT);
    out.varint(commits);
  }
  out.end(mark);
}
