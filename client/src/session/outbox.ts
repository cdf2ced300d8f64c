// Outbox: everything for one shard except requests. It is never held back. Outcomes are kept until the shard has acknowledged
// their frame, since an attempt may be forgotten only when every participant has its outcome.

import {
  writeAbandoned,
  writeAborted,
  writeCommitted,
  writeInquiry,
  writeUnwatched,
  writeWatch,
  writeWound,
} from '../wire/client-frame.ts';
import { writeBoards, writeChain, writeTurn, writeWithdrawn, writeWord, type TurnStep } from '../wire/chain-writer.ts';
import { writeFirmWanted, writeReturned, writeUsed, type FirmWanted, type Returned, type Used } from '../wire/warranty-writer.ts';
import { later, type Wide } from '../wire/wide.ts';
import type { FrameWriter } from '../wire/writer.ts';
import type { WatchRequest } from './incoming.ts';
import type { DecidedAttempt, Preparing } from './outgoing.ts';

/** Outcomes that have left in one frame. */
interface InFlight {
  readonly sequence: number;
  readonly attempts: DecidedAttempt[];
}

export class Outbox {
  readonly #committed: number[] = [];
  readonly #committedAt: Wide[] = [];
  readonly #committedAttempts: DecidedAttempt[] = [];
  readonly #aborted: number[] = [];
  readonly #abandoned: number[] = [];
  readonly #watches = new Map<number, WatchRequest>();
  readonly #unwatched: number[] = [];
  readonly #inquiries: { id: Uint8Array; ticket: number }[] = [];
  readonly #withdrawn: { chain: number; n: number; count: number }[] = [];
  readonly #words: { chain: number; members: readonly number[]; answers: number }[] = [];
  readonly #batches: Preparing[] = [];
  #chain = 0;
  #turn: TurnStep | null = null;
  #boards: boolean | null = null;
  readonly #returned: Returned[] = [];
  readonly #firmWanted: FirmWanted[] = [];
  #used: Used | null = null;
  readonly #wounds: { attempt: number; id: Uint8Array; priority: Wide }[] = [];
  /** oldest first */
  #inFlight: InFlight[] = [];

  get empty(): boolean {
    return (
      this.#committed.length === 0 &&
      this.#aborted.length === 0 &&
      this.#abandoned.length === 0 &&
      this.#inquiries.length === 0 &&
      this.#watches.size === 0 &&
      this.#unwatched.length === 0 &&
      this.#wounds.length === 0 &&
      this.#withdrawn.length === 0 &&
      this.#words.length === 0 &&
      this.#batches.length === 0 &&
      this.#chain === 0 &&
      this.#turn === null &&
      this.#boards === null &&
      this.#returned.length === 0 &&
      this.#firmWanted.length === 0 &&
      this.#used === null
    );
  }

  commit(attempt: DecidedAttempt, at: Wide): void {
    this.#committed.push(attempt.number);
    this.#committedAt.push(at);
    this.#committedAttempts.push(attempt);
  }

  abort(attempt: number): void {
    this.#aborted.push(attempt);
  }

  abandon(attempt: number): void {
    this.#abandoned.push(attempt);
  }

  wound(attempt: number, id: Uint8Array, priority: Wide): void {
    this.#wounds.push({ attempt, id, priority });
  }

  withdraw(chain: number, n: number, count: number): void {
    this.#withdrawn.push({ chain, n, count });
  }

  word(chain: number, members: readonly number[], answers: number): void {
    this.#words.push({ chain, members, answers });
  }

  batch(batch: Preparing): void {
    this.#batches.push(batch);
  }

  chain(number: number): void {
    this.#chain = number;
  }

  turn(step: TurnStep): void {
    this.#turn = step;
  }

  boards(wanted: boolean): void {
    this.#boards = wanted;
  }

  giveBack(returned: Returned): void {
    this.#returned.push(returned);
  }

  wantFirm(wanted: FirmWanted): void {
    this.#firmWanted.push(wanted);
  }

  used({ upTo, answers, commits }: Used): void {
    const before = this.#used ?? { upTo, answers: 0, commits: 0 };
    this.#used = { upTo: later(before.upTo, upTo), answers: before.answers + answers, commits: before.commits + commits };
  }

  inquire(id: Uint8Array, ticket: number): void {
    this.#inquiries.push({ id, ticket });
  }

  watch(request: WatchRequest): void {
    this.#watches.set(request.id, request);
  }

  /** A watch that has not left yet is dropped. */
  unwatch(id: number): void {
    if (!this.#watches.delete(id)) this.#unwatched.push(id);
  }

  /** Writes everything into frame number `sequence`, but watches only until the frame has `bytesMax`. */
  write(out: FrameWriter, sequence: number, bytesMax: number, nowMs: number): void {
    if (this.#committed.length > 0) {
      writeCommitted(out, this.#committed, this.#committedAt);
      this.#inFlight.push({ sequence, attempts: this.#committedAttempts.slice() });
      this.#committed.length = this.#committedAt.length = this.#committedAttempts.length = 0;
    }
    if (this.#aborted.length > 0) {
      writeAborted(out, this.#aborted);
      this.#aborted.length = 0;
    }
    if (this.#abandoned.length > 0) {
      writeAbandoned(out, this.#abandoned);
      this.#abandoned.length = 0;
    }
    for (const { id, ticket } of this.#inquiries) writeInquiry(out, id, ticket);
    this.#inquiries.length = 0;
    if (this.#unwatched.length > 0) writeUnwatched(out, this.#unwatched);
    this.#unwatched.length = 0;
    for (const { attempt, id, priority } of this.#wounds) writeWound(out, attempt, id, priority);
    this.#wounds.length = 0;
    this.#writeWarranties(out);
    this.#writeChains(out, nowMs);
    this.#writeWatches(out, bytesMax);
  }

  #writeWarranties(out: FrameWriter): void {
    if (this.#used !== null) writeUsed(out, this.#used);
    for (const returned of this.#returned) writeReturned(out, returned);
    for (const wanted of this.#firmWanted) writeFirmWanted(out, wanted);
    this.#used = null;
    this.#returned.length = this.#firmWanted.length = 0;
  }

  // The shard takes the number of the chain first, then withdrawals, words and batches, wherever they are in the frame.
  #writeChains(out: FrameWriter, nowMs: number): void {
    if (this.#chain !== 0) writeChain(out, this.#chain);
    for (const { chain, n, count } of this.#withdrawn) writeWithdrawn(out, chain, n, count);
    for (const { chain, members, answers } of this.#words) writeWord(out, chain, members, answers);
    for (const batch of this.#batches) batch.write(out, nowMs);
    if (this.#turn !== null) writeTurn(out, this.#turn);
    this.#withdrawn.length = this.#words.length = this.#batches.length = this.#chain = 0;
    this.#turn = null;
    if (this.#boards !== null) writeBoards(out, this.#boards);
    this.#boards = null;
  }

  // A session that has come back requests everything that the process watches. That may be more than a frame can take.
  #writeWatches(out: FrameWriter, bytesMax: number): void {
    for (const [id, { call, since }] of this.#watches) {
      if (out.size >= bytesMax) return;
      this.#watches.delete(id);
      writeWatch(out, id, call, since);
    }
  }

  /** The shard has received every frame up to this number. */
  acknowledge(sequence: number, shard: number): void {
    const inFlight = this.#inFlight;
    let delivered = 0;
    while (delivered < inFlight.length && inFlight[delivered]!.sequence <= sequence) {
      for (const attempt of inFlight[delivered]!.attempts) attempt.outcomeTaken(shard);
      delivered++;
    }
    if (delivered > 0) inFlight.splice(0, delivered);
  }

  /** The session is lost. Empties the outbox and returns the attempts whose outcome may not have arrived. */
  reset(): DecidedAttempt[] {
    const undelivered = [...this.#inFlight.flatMap(({ attempts }) => attempts), ...this.#committedAttempts];
    this.#inFlight = [];
    this.#committed.length = this.#committedAt.length = this.#committedAttempts.length = 0;
    this.#abandoned.length = 0;
    this.#aborted.length = this.#unwatched.length = 0;
    this.#watches.clear();
    this.#inquiries.length = this.#wounds.length = this.#withdrawn.length = this.#words.length = this.#batches.length = this.#chain = 0;
    this.#turn = null;
    this.#boards = null;
    this.#returned.length = this.#firmWanted.length = 0;
    this.#used = null;
    return undelivered;
  }
}
