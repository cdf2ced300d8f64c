// ChainSteps: what one shard is told of the client's chain: its number, what is taken out, what commits; and of turns and boards.

import { writeBoards, writeChain, writeTurn, writeWithdrawn, writeWord, type TurnStep } from '../wire/chain-writer.ts';
import type { FrameWriter } from '../wire/writer.ts';
import type { Due } from './due.ts';
import type { Preparing } from './outgoing.ts';

export class ChainSteps {
  readonly #due: Due;
  readonly #withdrawn: { chain: number; n: number; count: number }[] = [];
  readonly #words: { chain: number; members: readonly number[]; answers: number }[] = [];
  readonly #batches: Preparing[] = [];
  #chain = 0;
  #turn: TurnStep | null = null;
  #boards: boolean | null = null;

  constructor(due: Due) {
    this.#due = due;
  }

  /** A member of a chain does not make the operations that it would make on its results. `count`: see `writeWithdrawn`. */
  withdraw(chain: number, n: number, count: number): void {
    this.#withdrawn.push({ chain, n, count });
    this.#due.mark();
  }

  /** These members commit. `answers`: see `writeWord`. */
  word(chain: number, members: readonly number[], answers: number): void {
    this.#words.push({ chain, members, answers });
    this.#due.mark();
  }

  /** A batch of the chain prepares. */
  batch(batch: Preparing): void {
    this.#batches.push(batch);
    this.#due.mark();
  }

  // A new session has no chain, turn or boards: what follows is lost without one.

  /** The chain has this number now: the shard says how far it got with the one before. */
  begin(number: number): void {
    if (!this.#due.isOpen) return;
    this.#chain = number;
    this.#due.mark();
  }

  /** To the sequencer of turns. */
  turn(step: TurnStep): void {
    if (!this.#due.isOpen) return;
    this.#turn = step;
    this.#due.mark();
  }

  /** Whether the session is to receive boards from now on. */
  boards(wanted: boolean): void {
    if (!this.#due.isOpen) return;
    this.#boards = wanted;
    this.#due.mark();
  }

  // The shard takes the number of the chain first, then withdrawals, words and batches, wherever they are in the frame.
  write(out: FrameWriter, nowMs: number): void {
    if (this.#chain !== 0) writeChain(out, this.#chain);
    for (const { chain, n, count } of this.#withdrawn) writeWithdrawn(out, chain, n, count);
    for (const { chain, members, answers } of this.#words) writeWord(out, chain, members, answers);
    for (const batch of this.#batches) batch.write(out, nowMs);
    if (this.#turn !== null) writeTurn(out, this.#turn);
    if (this.#boards !== null) writeBoards(out, this.#boards);
    this.reset();
  }

  reset(): void {
    this.#withdrawn.length = this.#words.length = this.#batches.length = this.#chain = 0;
    this.#turn = null;
    this.#boards = null;
  }
}
