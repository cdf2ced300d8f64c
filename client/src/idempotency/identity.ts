// Identity: the things that make one transaction safe to send again: its id, how long its home shard keeps its answer under that
// id, and what to do while another attempt of it is under way (docs/decisions/0017).

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

  nextPauseUs(random: number): number {
    return (0.5 + random / 2) * Math.min(PAUSE_LONGEST_US, PAUSE_FIRST_US * 2 ** Math.min(this.#pauses++, 20));
  }
}
