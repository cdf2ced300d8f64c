// Firmness: for how long grants are certain not to end, whatever waits for their end. Caches of pages can rely on that, which know nothing of
// recalls. The shard counts from when a question arrives, the client from before it leaves.

import type { Environment } from '../environment/environment.ts';
import type { FirmWanted } from '../wire/warranty-writer.ts';
import type { Grant } from './grant.ts';
import { promisedMs } from './promised-ms.ts';

/** Nothing is asked as long as so much of what is wanted is left. */
const ENOUGH = 0.75;
/** A session that breaks gives no answer. */
const ANSWER_MS = 1_000;

interface Question {
  readonly grant: Grant;
  readonly askedMs: number;
  readonly answered: (() => void)[];
}

export class Firmness {
  readonly #environment: Environment;
  readonly #ask: (wanted: FirmWanted) => void;
  /** by the grant's number: one at a time */
  readonly #questions = new Map<number, Question>();

  constructor(environment: Environment, ask: (wanted: FirmWanted) => void) {
    this.#environment = environment;
    this.#ask = ask;
  }

  /** Until when the grant is firm, on the steady clock; in the past: it is not. */
  async until(grant: Grant, forMs: number, mayAsk: boolean): Promise<number> {
    const nowMs = this.#environment.monotonicMs();
    if (mayAsk && grant.firmUntilMs - nowMs < ENOUGH * forMs) await this.#answerFor(grant, forMs, nowMs);
    return grant.firmUntilMs;
  }

  #answerFor(grant: Grant, forMs: number, nowMs: number): Promise<void> {
    let question = this.#questions.get(grant.number);
    if (question === undefined) {
      question = { grant, askedMs: nowMs, answered: [] };
      this.#questions.set(grant.number, question);
      this.#ask({ grant: grant.number, forMs });
    }
    const { answered } = question;
    return new Promise((resolve) => {
      const timer = this.#environment.setTimeout(resolve, ANSWER_MS);
      answered.push(() => {
        this.#environment.clearTimeout(timer);
        resolve();
      });
    });
  }

  onFirm(number: number, forUs: number): void {
    const question = this.#questions.get(number);
    if (question === undefined) return;
    this.#questions.delete(number);
    const { grant, askedMs, answered } = question;
    if (forUs > 0) grant.firmUntilMs = Math.max(grant.firmUntilMs, askedMs + promisedMs(forUs / 1000));
    for (const resolve of answered) resolve();
  }

  /** The session has ended, or time was lost: no answer can be trusted. */
  forget(): void {
    const questions = [...this.#questions.values()];
    this.#questions.clear();
    for (const { answered } of questions) for (const resolve of answered) resolve();
  }
}
