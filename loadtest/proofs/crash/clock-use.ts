// What a run with clocks that jump has done. Without refusals, reads of the past and snapshots it would prove little.

import type { HistoryAttempt } from '@claret/client';
import type { Harm } from './harm.ts';

export class ClockUse {
  /** how often clocks were set beside a round's other harm */
  jumps = 0;
  /** attempts that were refused for the sake of clocks that were apart */
  refused = 0;
  /** answered reads of the past, and transactions that committed on a snapshot */
  pastReads = 0;
  snapshots = 0;

  note(harms: readonly Harm[]): void {
    this.jumps += harms.flatMap(({ blows }) => blows).filter(({ how }) => how === 'clock').length;
  }

  take({ outcome, error, as_of: asOf, snapshot }: HistoryAttempt): void {
    if (error === 'clock_skew') this.refused++;
    if (outcome !== 'ok') return;
    if (asOf !== undefined) this.pastReads++;
    if (snapshot !== undefined) this.snapshots++;
  }
}
