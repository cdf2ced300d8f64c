// A store that is told what a test needs: a cluster of one shard whose figures, marks and silences are given.
import type { Conditions, Conflict, MarkMessage, ShardTelemetry } from '@claret/client/telemetry';
import { TelemetryStore } from '../store/telemetryStore.ts';
import { SyntheticCluster } from './synthetic.ts';

export const BEGAN_MS = 1_000_000_000_000;
export const KEY = '{auction:42}:bids';
const FRAMES_PER_S = 5;

const NOTHING = { homeCommits: 0, natives: 0, retries: 0, conflicts: [], conflictsLeftOut: 0, hotRecords: [], aborts: {}, latencies: [] };

export const conflict = (holder: string, comer: string, count: number, operations = ['TopK.add', 'TopK.add'] as const): Conflict => ({
  holderLabel: holder,
  comerLabel: comer,
  holderOperation: operations[0],
  comerOperation: operations[1],
  outcome: 'waited',
  count,
});

export class Told {
  readonly store = new TelemetryStore();
  private readonly cluster = new SyntheticCluster({ began_ms: BEGAN_MS, shards: 1, seed: 'told', waiters: 0, samples: 0, hotRecords: 1 });
  private marks = 0;

  constructor(conditions: Conditions) {
    this.cluster.conditions = conditions;
    this.store.take(this.cluster.welcome());
  }

  /** Runs for this many seconds; the figures are those of each frame, which takes a fifth of a second. */
  run(seconds: number, figures: Partial<ShardTelemetry> = {}, silent: number[] = []): this {
    for (let frame = 0; frame < seconds * FRAMES_PER_S; frame += 1) {
      const message = this.cluster.frame();
      const [shard] = message.shards;
      const record = { ...shard!.telemetry.hotRecords[0]!, key: KEY, type: 'TopK', conflicts: 20 };
      Object.assign(shard!.telemetry, NOTHING, { hotRecords: (figures.conflicts ?? []).length > 0 ? [record] : [] }, figures);
      this.store.take({ ...message, silent });
    }
    return this;
  }

  mark(what: MarkMessage['what']): this {
    if ('conditions' in what) this.cluster.conditions = what.conditions;
    this.store.take({ kind: 'mark', id: String((this.marks += 1)), at_ms: this.store.newest_ms ?? BEGAN_MS, what });
    return this;
  }
}
