// Who waited for whom, frame by frame: the newest frames all, of older ones the fewer the older.
import type { ShardTelemetry, Waiter } from '../../../telemetry/frame.ts';
import { FadingLog } from './fadingLog.ts';

export type ShownWaiter = Waiter & { shard: number };

export interface WaitersAt {
  at_ms: number;
  /** the longest waits first */
  waiters: ShownWaiter[];
}

/** Waiters and blockers, in all frames. */
const KEPT_MAX = 120_000;

interface Entry extends WaitersAt {
  weight: number;
}

export class WaiterSeries {
  private readonly log = new FadingLog<Entry>(KEPT_MAX);

  /** What shards told at the newest tick. Of a shard that told twice the later one counts. */
  take(at_ms: number, told: readonly { shard: number; telemetry: ShardTelemetry }[], oldest_ms: number): void {
    const newest = new Map(told.map(({ shard, telemetry }) => [shard, telemetry.waiters]));
    const waiters: ShownWaiter[] = [];
    let weight = 1;
    for (const [shard, ofShard] of newest) {
      for (const waiter of ofShard) {
        waiters.push({ ...waiter, shard });
        weight += 1 + waiter.blockers.length;
      }
    }
    waiters.sort((one, other) => other.waitedMs - one.waitedMs);
    this.log.add({ at_ms, waiters, weight }, oldest_ms);
  }

  /** The newest frame kept at or before that time; null before the first. */
  at(at_ms: number): WaitersAt | null {
    const after = this.log.search(at_ms);
    const exact = this.log.at(after);
    return exact?.at_ms === at_ms ? exact : this.log.at(after - 1);
  }

  clear(): void {
    this.log.clear();
  }
}
