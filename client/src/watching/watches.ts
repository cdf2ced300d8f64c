// Watches: subscriptions to changes of records. A change is reported with the newest state; states in between may be left out. A
// watch survives its session. It resumes from the last change seen or, after a restart of the shard, from the beginning. It follows its
// record to another shard.

import type { Cluster } from '../cluster/cluster.ts';
import type { Environment } from '../environment/environment.ts';
import { tell } from '../environment/tell.ts';
import { ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import type { Description } from '../operation/description.ts';
import type { WatchReceiver, WatchRequest } from '../session/incoming.ts';
import type { Session } from '../session/session.ts';
import type { Call } from '../values/call.ts';
import { resultOf } from '../values/result.ts';
import type { Change as WireChange } from '../wire/server-frame.ts';
import { bigOf, type Wide } from '../wire/wide.ts';

/** One record's newest committed state. */
export interface Change<Result = unknown> {
  key: string;
  /** the result of the watched operation; undefined with an error */
  value: Result;
  /** of the newest commit that changed the record, a little more if an older one took effect after it; 0 before the first */
  timestamp: bigint;
  /** the position of the operation in the list that was watched */
  index: number;
  /** set if the watch failed, for example since a record of another type now has the key */
  error?: ClaretError;
}

export type Listener<Result> = (change: Change<Result>) => void;

export interface Watch {
  close(): void;
}

interface WatchEntry extends WatchRequest {
  readonly id: number;
  readonly call: Call;
  /** of the shard that had the record when it was last requested */
  session: Session;
  readonly index: number;
  readonly listener: Listener<never>;
  since: Wide;
  /** the listener has received a state since the watch began, or since the shard restarted */
  notified: boolean;
}

type WatchedCluster = Pick<Cluster, 'sessionOf' | 'findNewer'>;

export class Watches implements WatchReceiver {
  readonly #environment: Environment;
  readonly #cluster: WatchedCluster;
  readonly #entries = new Map<number, WatchEntry>();
  #nextId = 1;

  constructor(environment: Environment, cluster: WatchedCluster) {
    this.#environment = environment;
    this.#cluster = cluster;
  }

  add<Result>(descriptions: readonly Description<Result>[], listener: Listener<Result>, since: bigint): Watch {
    const entries = descriptions.map((call, index): WatchEntry => ({
      id: this.#nextId++,
      call,
      session: this.#cluster.sessionOf(call.key),
      index,
      listener: listener as Listener<never>,
      since: { high: Number(since >> 32n), low: Number(since & 0xffffffffn) },
      notified: false,
    }));
    for (const entry of entries) {
      this.#entries.set(entry.id, entry);
      entry.session.outbox.watches.watch(entry);
    }
    return {
      close: () => {
        for (const entry of entries) if (this.#entries.delete(entry.id)) entry.session.outbox.watches.unwatch(entry.id);
      },
    };
  }

  resumed(shard: number, restarted: boolean): readonly WatchRequest[] {
    const entries = [...this.#entries.values()].filter((entry) => entry.session.shard === shard);
    if (restarted) {
      for (const entry of entries) {
        entry.since = { high: 0, low: 0 };
        entry.notified = false;
      }
    }
    return entries;
  }

  onChange(change: WireChange): void {
    const entry = this.#entries.get(change.id);
    if (entry === undefined) return;
    if (change.error?.code === codes.wrongShard) return void this.#follow(entry);
    const { high, low } = change.timestamp;
    const { since } = entry;
    // The newest state may arrive twice after a resumption.
    if (entry.notified && change.error === null && high === since.high && low === since.low) return;
    entry.notified = true;
    entry.since = { high, low };
    const report: Change<never> = {
      key: entry.call.key,
      value: (change.error === null ? resultOf(entry.call.spec.result, change.value) : undefined) as never,
      timestamp: bigOf({ high, low }),
      index: entry.index,
    };
    if (change.error !== null) report.error = new ClaretError({ ...change.error, key: entry.call.key, operation: entry.call.spec.name });
    tell(this.#environment, entry.listener, report);
  }

  /** Requests the watch from the shard that has its key now. */
  async #follow(entry: WatchEntry): Promise<void> {
    await this.#cluster.findNewer();
    if (!this.#entries.has(entry.id)) return;
    entry.session = this.#cluster.sessionOf(entry.call.key);
    entry.session.outbox.watches.watch(entry);
  }
}
