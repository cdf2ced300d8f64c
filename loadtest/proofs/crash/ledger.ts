// The reports of a driver, line by line, over a pipe (file descriptor 3): a line that was written before the driver was killed is
// preserved. The ledger records which attempts ended and how, and which may have committed without a response.

import { writeSync } from 'node:fs';
import { NATIVE_LABEL, type HistoryAttempt } from '@claret/client';
import type { BidTold } from './bids.ts';
import type { CrowdTold } from './crowds.ts';
import type { JobTold } from './jobs.ts';
import type { NativesTold } from './natives.ts';
import type { Outcome } from './outcomes.ts';

/** Of a driver's client so far: its lists that were members of an epoch, and those that no epoch took. */
export interface EpochsTold {
  process: number;
  commits: number;
  missed: number;
}

/** One line. */
export type Told =
  /** connected: it accepts orders */
  | { ready: true }
  /** everything that it began in that round has ended */
  | { resting: number }
  /** a line of a history (docs/history.md); `open`: it may commit from now on */
  | { attempt: HistoryAttempt; open: boolean }
  | { bid: BidTold }
  | { job: JobTold }
  | { natives: NativesTold }
  | { crowd: CrowdTold }
  | { epochs: EpochsTold }
  /** it stops itself (SIGSTOP), and is to be continued after that time */
  | { standsStillMs: number }
  /** an error that no transaction may end with */
  | { failed: string };

const LEDGER_FD = 3;

/** The driver's side. Returns when the line is in the pipe, where it survives a kill. */
export function tell(told: Told): void {
  let rest = Buffer.from(`${JSON.stringify(told)}\n`);
  while (rest.length > 0) rest = rest.subarray(writeSync(LEDGER_FD, rest));
}

/** Determines the outcome of an attempt whose coordinator has ended. */
export type Ask = (attempt: HistoryAttempt) => Promise<Outcome>;

/**
 * A client that lives lets shards forget an attempt as soon as all of them have told it how the attempt ended: from then on one of them may say
 * that it has aborted what has committed.
 */
const ofLivingClient = (outcome: Outcome): Outcome => (typeof outcome === 'bigint' ? outcome : 'undecided');

/** The runner's side: the attempts of one round. */
export class Ledger {
  readonly #ended: HistoryAttempt[] = [];
  readonly #open = new Map<string, HistoryAttempt>();
  /** attempts without a reported outcome: shards remember it only for a while, so they are asked at once */
  readonly #asked: { attempt: HistoryAttempt; outcome: Promise<Outcome> }[] = [];
  readonly #ask: Ask;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** Attempts have an id. A native that is sent again gets another one, and keeps its first as its transaction's. */
  static #nameOf({ id, label, transaction }: HistoryAttempt): string {
    return label === NATIVE_LABEL ? transaction : id;
  }

  take(attempt: HistoryAttempt, open: boolean): void {
    // JSON has no infinity.
    const told = { ...attempt, return: attempt.return ?? Infinity };
    const name = Ledger.#nameOf(told);
    if (open) return void this.#open.set(name, told);
    const { deadline } = this.#open.get(name) ?? {};
    this.#open.delete(name);
    if (told.outcome !== 'unknown' || told.order !== undefined) return void this.#ended.push(told);
    const doubtful = deadline === undefined ? told : { ...told, deadline };
    this.#asked.push({ attempt: doubtful, outcome: this.#ask(doubtful).then(ofLivingClient) });
  }

  /** Number of ended attempts. */
  get count(): number {
    return this.#ended.length + this.#asked.length;
  }

  /** Attempts with a reported outcome. */
  get ended(): readonly HistoryAttempt[] {
    return this.#ended;
  }

  /** A process was killed: its open attempts will not be reported any more. */
  abandon(isItsOwn: (process: string) => boolean): void {
    for (const [name, attempt] of this.#open) {
      if (!isItsOwn(attempt.process)) continue;
      this.#open.delete(name);
      this.#asked.push({ attempt, outcome: this.#ask(attempt) });
    }
  }

  /**
   * All attempts of the round, with the outcomes given by the shards; and reports on attempts that committed at some shards only.
   * `otherwise` determines outcomes that the shards have forgotten. REQUIRES: all processes are at rest.
   */
  async settled(otherwise: Ask): Promise<{ attempts: HistoryAttempt[]; halves: string[] }> {
    this.abandon(() => true);
    const halves: string[] = [];
    const attempts: HistoryAttempt[] = [];
    for (const { attempt, outcome } of this.#asked) {
      const said = await outcome;
      const found = said === 'undecided' ? await otherwise(attempt) : said;
      delete attempt.batch; // it is over
      delete attempt.deadline;
      if (found === null) attempts.push({ ...attempt, outcome: 'fail', error: 'killed' });
      else if (typeof found === 'bigint') attempts.push({ ...attempt, order: String(found) });
      else {
        attempts.push(attempt);
        if (found !== 'undecided') halves.push(found.half);
      }
    }
    return { attempts: [...this.#ended, ...attempts], halves };
  }
}
