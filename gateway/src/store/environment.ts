// The real world of a shard: as the client's, but its wall clock follows the system's when that is set (timestamps are
// taken from it), and its timers keep no process alive.
import { systemEnvironment } from '@claret/client';
import type { Environment } from '@claret/client';

export const shardEnvironment: Environment = {
  ...systemEnvironment,
  wallMs: () => Date.now(),
  setTimeout: (callback, delayMs) => setTimeout(callback, delayMs).unref(),
};
