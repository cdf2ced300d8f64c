// Waits and their blockers, by frame: all of the newest frames, and ever fewer of older ones.
import type { ShardTelemetry, Waiter } from '@claret/client/telemetry';
import { FadingLog } from './fadingLog.ts';

export type ShownWaiter = Waiter & { shard: number };

export interface WaitersAt {
  at_ms: number;
  /** the longest waits first */
  waiters: ShownWaiter[];
}

/** Limit on waiters and blockers in all frames together. */
const KEPT_MAX = 120_000;

interface Entry extends WaitersAt {
  weight: number;
}

export class WaiterSeries {
  private readonly log = new FadingLog<Entry>(KEPT_MAX);

  /** Takes the shards' reports of the newest tick. If a shard reported twice, the later report counts. */
  take(at_ms: number, told: readonly { shard: number; telemetry: ShardTelemetry }[], oldest_ms: number): void {
    const newest = new Map(told.map(({ shard, telemetry }) => [shard, telemetry.waiters]));
    const waiters: ShownWaiter[] = [];
    let weight = 1;
    for (const [shard, ofShard] of newest) {
      for (const waiter of ofShard) {
        waiters.push({ ...waiter, shard });
        weight += 1 + waiter.blockers.length + (waiter.warranty?.holders.length ?? 0);
      }
    }
    waiters.sort((one, other) => other.waitedMs - one.waitedMs);
    this.log.add({ at_ms, waiters, weight }, oldest_ms);
  }

  /** The newest kept frame at or before that time; null if there is none. */
  at(at_ms: number): WaitersAt | null {
    const after = this.log.search(at_ms);
    const exact = this.log.at(after);
    return exact?.at_ms === at_ms ? exact : this.log.at(after - 1);
  }

  clear(): void {
    this.log.clear();
  }
}
