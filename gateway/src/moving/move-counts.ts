// What became of the moves in which the own shard gave slots, since this start, and for how long it held slots.
import type { MoveState } from './slot-giver.ts';

/** How a move can end. */
export const MOVE_OUTCOMES = ['done', 'called_off', 'failed'] as const;
export type MoveOutcome = (typeof MOVE_OUTCOMES)[number];

/** Upper bounds of the counts of times; one more count has no bound. A hold is called off after 400 ms, but may take longer to hand over. */
export const HELD_BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export class MoveCounts {
  readonly outcomes: Record<MoveOutcome, number> = { done: 0, called_off: 0, failed: 0 };
  /** slots that other shards have taken */
  slotsGiven = 0;
  readonly heldCounts = new Array<number>(HELD_BOUNDS_S.length + 1).fill(0);
  heldSeconds = 0;

  ended({ phase, slots }: Readonly<MoveState>): void {
    this.outcomes[phase as MoveOutcome]++;
    if (phase === 'done') this.slotsGiven += slots.last - slots.first + 1;
  }

  held(heldMs: number): void {
    const seconds = heldMs / 1_000;
    const bucket = HELD_BOUNDS_S.findIndex((bound) => seconds <= bound);
    this.heldCounts[bucket < 0 ? HELD_BOUNDS_S.length : bucket]!++;
    this.heldSeconds += seconds;
  }
}
