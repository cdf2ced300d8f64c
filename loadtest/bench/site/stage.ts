// A stage: the people and the things of one site of a contender. It outlives rounds, and mixes.

import type { Verdict } from './ledger.ts';
import type { Kind, Mix } from './question.ts';
import type { Readers } from './readers.ts';
import type { Counts } from './visitors.ts';

export interface Action {
  kind: Kind;
  /** Resolves when all of its requests have ended; `onAnswer` is called when the person has what they wanted. Does not reject. */
  run(onAnswer: () => void): Promise<void>;
}

export interface Stage {
  /** null: nobody looks on */
  readers: Readers | null;
  /** The next one, drawn by that generator. */
  draw(random: () => number): Action;
  /** From now on requests are counted there. */
  countIn(counts: Counts): void;
  /** Begins a round of that mix. */
  begin(mix: Mix): Promise<void>;
  end(): Promise<Verdict[]>;
}
