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
}
