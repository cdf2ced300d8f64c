// WireError: the `Error` message of a shard.

import type { Wide } from './wide.ts';

export interface WireError {
  code: string;
  message: string;
  key: string;
  operation: string;
  blockingOperation: string;
  blockingLabel: string;
  retryable: boolean;
  cause: string;
  /** The obstacle will be gone after this time, and not before; 0: unknown. */
  retryAfterMs: number;
  /** of a snapshot's refusal: one at this time or later will not meet the obstacle; zero: it says nothing of snapshots */
  at: Wide;
}
