// WarrantyNotes: what one shard is told of the warranties that it has granted, or asked of them.

import { writeFirmWanted, writeReturned, writeUsed, type FirmWanted, type Returned, type Used } from '../wire/warranty-writer.ts';
import { later } from '../wire/wide.ts';
import type { FrameWriter } from '../wire/writer.ts';
import type { Due } from './due.ts';

export class WarrantyNotes {
  readonly #due: Due;
  readonly #returned: Returned[] = [];
  readonly #firmWanted: FirmWanted[] = [];
  #used: Used | null = null;

  constructor(due: Due) {
    this.#due = due;
  }

  /** The client does not rely on the grant any more. */
  giveBack(returned: Returned): void {
    this.#returned.push(returned);
    this.#due.mark();
  }

  /** How warranties were used; told no later than with the next grant that is given back. */
  used({ upTo, answers, commits }: Used): void {
    const before = this.#used ?? { upTo, answers: 0, commits: 0 };
    this.#used = { upTo: later(before.upTo, upTo), answers: before.answers + answers, commits: before.commits + commits };
    this.#due.mark();
  }

  /** The grant is not to end for a while. Answered by `onFirm`, unless the session breaks. */
  wantFirm(wanted: FirmWanted): void {
    this.#firmWanted.push(wanted);
    this.#due.mark();
  }

  write(out: FrameWriter): void {
    if (this.#used !== null) writeUsed(out, this.#used);
    for (const returned of this.#returned) writeReturned(out, returned);
    for (const wanted of this.#firmWanted) writeFirmWanted(out, wanted);
    this.reset();
  }

  reset(): void {
    this.#returned.length = this.#firmWanted.length = 0;
    this.#used = null;
  }
}
