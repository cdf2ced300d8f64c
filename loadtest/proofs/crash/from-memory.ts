// What clients were told from memory. A run in which that hardly happens would prove nothing about warranties.

import type { HistoryAttempt } from '@claret/client';

export class FromMemory {
  /** results seen by transactions that committed; those of them that came from memory */
  results = 0;
  answers = 0;
  /** transactions that committed without a message to any shard */
  commits = 0;

  take({ outcome, ops }: HistoryAttempt): void {
    if (outcome !== 'ok') return;
    const seen = ops.filter(({ result }) => result !== undefined);
    const answered = seen.filter(({ via }) => via === 'warranty').length;
    this.results += seen.length;
    this.answers += answered;
    if (answered > 0 && answered === ops.length) this.commits++;
  }
}
