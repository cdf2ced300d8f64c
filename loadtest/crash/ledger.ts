// What a driver tells of its work, line by line, over a pipe (file descriptor 3): what it told before it was killed is there. The ledger
// takes it down: which attempts ended and how, and which may have committed without anybody having been told.

import { writeSync } from 'node:fs';
import type { HistoryAttempt } from '@claret/client';
import type { BidTold } from './bids.ts';

/** One line. */
export type Told =
  /** connected: it takes orders */
  | { ready: true }
  /** everything that it began in that round has ended */
  | { resting: number }
  /** a history's line (docs/history.md); `open`: it may commit from now on */
  | { attempt: HistoryAttempt; open: boolean }
  | { bid: BidTold }
  /** an error that no transaction may end with */
  | { failed: string };

const LEDGER_FD = 3;

/** The driver's side. Returns once the line is in the pipe, where no kill reaches it. */
export function tell(told: Told): void {
  let rest = Buffer.from(`${JSON.stringify(told)}\n`);
  while (rest.length > 0) rest = rest.subarray(writeSync(LEDGER_FD, rest));
}

/** The runner's side: the attempts of one round. */
export class Ledger {
  /** whose end was told */
  readonly ended: HistoryAttempt[] = [];
  readonly #open = new Map<string, HistoryAttempt>();

  take(attempt: HistoryAttempt, open: boolean): void {
    // JSON has no infinity.
    const told = { ...attempt, return: attempt.return ?? Infinity };
    if (open) return void this.#open.set(told.id, told);
    this.#open.delete(told.id);
    this.ended.push(told);
  }

  /** Of processes that were killed: nobody was told how they ended. */
  get open(): readonly HistoryAttempt[] {
    return [...this.#open.values()];
  }
}
