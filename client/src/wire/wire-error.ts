// WireError: the `Error` message of a shard.

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
}
