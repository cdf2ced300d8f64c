// Identity: the things that make one transaction safe to send again: its id, how long its home shard keeps its answer under that
// id, what to do while another attempt of it is under way, and what the home shard has said (docs/decisions/0017).

import { ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import { KEEP_MS_MAX } from '../values/limits.ts';
import { homeSlotOf, transactionIdBytes } from './transaction-id.ts';

/** While another attempt of the transaction is in progress, the transaction retries after a random pause, which doubles. */
const PAUSE_FIRST_US = 2_000;
const PAUSE_LONGEST_US = 100_000;

export interface IdentityOptions {
  id: string;
  /** 0: the shard's own default */
  keepMs: number;
  inProgress: 'wait' | 'refuse';
}

export class Identity {
  readonly bytes: Uint8Array;
  readonly keepMs: number;
  /** it does not wait for another client's attempt */
  readonly refuses: boolean;
  #pauses = 0;
  #wasLetIn = false;
  #isLetIn = false;
  #isUndone = false;
  #failure: { thrown: unknown } | null = null;

  /** Throws `ClaretError` for options that are not valid. */
  constructor({ id, keepMs, inProgress }: IdentityOptions) {
    this.bytes = transactionIdBytes(id);
    if (!Number.isInteger(keepMs) || keepMs < 0 || keepMs > KEEP_MS_MAX) {
      throw new ClaretError({ code: codes.outOfRange, message: `keepMs is an integer up to ${KEEP_MS_MAX}` });
    }
    this.keepMs = keepMs;
    this.refuses = inProgress === 'refuse';
  }

  get slot(): number {
    return homeSlotOf(this.bytes);
  }

  // ---- what the home shard has said ----

  attemptBegins(): void {
    this.#isLetIn = false;
  }

  /** The home shard has let the present attempt begin. */
  letIn(): void {
    this.#wasLetIn = this.#isUndone = this.#isLetIn = true;
  }

  /** The home shard says that another attempt is in progress. Returns false if the transaction is to end with that. */
  waitsForOther(): boolean {
    this.#isUndone = false;
    return !this.refuses || this.#wasLetIn;
  }

  /** It has said that the transaction has not committed, and that no other client runs it. */
  get isUndone(): boolean {
    return this.#isUndone;
  }

  /**
   * The transaction fails for good. Returns false if the home shard has to be asked first: what was met may be the transaction's own effects, if
   * another call with the id has committed. That an earlier attempt was let in says nothing: others may have come since.
   */
  mayFail(thrown: unknown): boolean {
    if (this.#isLetIn || this.#failure !== null) return true;
    this.#failure = { thrown };
    return false;
  }

  /** With what the transaction fails once the home shard has let an attempt begin, which does nothing else; null: it goes on. */
  get failure(): { readonly thrown: unknown } | null {
    return this.#failure;
  }

  nextPauseUs(random: number): number {
    return (0.5 + random / 2) * Math.min(PAUSE_LONGEST_US, PAUSE_FIRST_US * 2 ** Math.min(this.#pauses++, 20));
  }
}
