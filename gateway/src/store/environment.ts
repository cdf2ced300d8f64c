// The real environment of a shard. Unlike the client's, its wall clock follows changes of the system's clock (timestamps are taken from
// it), and its timers do not keep the process alive.
import { systemEnvironment } from '@claret/client';
import type { Environment } from '@claret/client';

export const shardEnvironment: Environment = {
  ...systemEnvironment,
  wallMs: () => Date.now(),
  setTimeout: (callback, delayMs) => setTimeout(callback, delayMs).unref(),
};

export const pause = (environment: Environment, ms: number): Promise<void> => new Promise((resolve) => environment.setTimeout(resolve, ms));
