// SpreadingHost: the part of a shard's host for commands of Redis clients on several shards, each of which is a transaction that a client runs
// (resp/spreads.ts).
import type { Environment } from '@claret/client';
import type { Shard, WantedOperation } from '@claret/core';

export class SpreadingHost {
  /** Called for each transaction that is to be run, after the turn that wanted it. */
  onWanted: (number: number) => void = () => {};
  private readonly shard: Shard;
  private readonly environment: Environment;
  private readonly wake: () => void;

  constructor(shard: Shard, environment: Environment, wake: () => void) {
    this.shard = shard;
    this.environment = environment;
    this.wake = wake;
  }

  /** Tells of those that are wanted. To be called after each turn, once the door is open. */
  tell(): void {
    for (const number of this.shard.wantedSpreads()) this.onWanted(number);
  }

  /** Before each attempt. */
  restart(number: number): void {
    this.shard.restartSpread(number);
  }

  /** See Shard.stepSpread. */
  step(number: number, results?: unknown[]): WantedOperation[] | undefined {
    return this.shard.stepSpread(number, results);
  }

  /** See Shard.endSpread. */
  end(number: number, error: string, isUnknown: boolean): void {
    this.shard.endSpread(number, error, isUnknown, this.environment.wallMs(), this.environment.monotonicMs());
    this.wake();
  }
}
