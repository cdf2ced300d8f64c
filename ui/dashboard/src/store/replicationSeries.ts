// Who owned the shards of a replicated cluster, and who stood by: once a second, and when the owners or the standbys have changed.
import type { Replication } from '@claret/client/telemetry';
import { FadingLog } from './fadingLog.ts';

export interface ReplicationAt extends Replication {
  at_ms: number;
}

/** Limit on owners and followed shards in all entries together. */
const KEPT_MAX = 60_000;
const EVERY_MS = 1_000;

interface Entry extends ReplicationAt {
  weight: number;
}

export class ReplicationSeries {
  private readonly log = new FadingLog<Entry>(KEPT_MAX);

  /** Takes what the newest frame says; undefined: nothing. */
  take(at_ms: number, told: Replication | undefined, oldest_ms: number): void {
    if (told === undefined) return;
    const { newest } = this;
    if (newest !== null && at_ms - newest.at_ms < EVERY_MS && gatewaysOf(newest) === gatewaysOf(told)) return;
    const weight = told.standbys.reduce((sum, { follows }) => sum + 1 + follows.length, 1 + told.owners.length);
    this.log.add({ ...told, at_ms, weight }, oldest_ms);
  }

  /** Null: the cluster is not replicated, or nothing is known yet. */
  get newest(): ReplicationAt | null {
    return this.log.at(this.log.length - 1);
  }

  /** The newest entry at or before that time; null if there is none. */
  at(at_ms: number): ReplicationAt | null {
    const after = this.log.search(at_ms);
    const exact = this.log.at(after);
    return exact?.at_ms === at_ms ? exact : this.log.at(after - 1);
  }

  clear(): void {
    this.log.clear();
  }
}

const gatewaysOf = ({ owners, standbys }: Replication): string =>
  JSON.stringify([
    owners.map(({ address, incarnation, present }) => [address, incarnation, present]),
    standbys.map(({ address }) => address),
  ]);
