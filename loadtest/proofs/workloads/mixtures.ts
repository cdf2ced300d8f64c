// Mixtures: bodies that saw results of two moments. They are allowed to attempts that are over without their client's knowing it yet: one whose
// chain a shard has just broken (client/API.md, "What a body sees"), or whose locks were lost with a session. Such a body goes on as if nothing
// were wrong. By the end of its transaction the client must have learnt of it.
import type { Claret } from '@claret/client';

interface Mixture {
  readonly transaction: Watched;
  readonly text: string;
  /** the attempts, chains and sessions that the client had lost then */
  readonly lost: number;
}

/** A transaction whose bodies are watched. */
export interface Watched {
  readonly claret: Claret;
}

/** Not those whose forecast proved wrong: it may have been wrong since it was a mixture. */
const lostBy = ({ counters: { chainsBroken, batchesAborted, sessionsLost, aborts, outs } }: Claret): number =>
  chainsBroken + batchesAborted + sessionsLost + aborts - outs;

export class Mixtures {
  /** those for which nothing broke */
  readonly wrong: string[] = [];
  #seen: Mixture[] = [];

  saw(transaction: Watched, text: string): void {
    this.#seen.push({ transaction, text, lost: lostBy(transaction.claret) });
  }

  async watch<Result>(claret: Claret, run: (transaction: Watched) => Promise<Result>): Promise<Result> {
    const transaction = { claret };
    try {
      return await run(transaction);
    } finally {
      if (this.#seen.length > 0) this.#ended(transaction);
    }
  }

  #ended(ended: Watched): void {
    for (const { transaction, text, lost } of this.#seen) {
      if (transaction === ended && lostBy(transaction.claret) === lost) this.wrong.push(text);
    }
    this.#seen = this.#seen.filter(({ transaction }) => transaction !== ended);
  }
}
