// The conditions of a spike: the cluster is switched to them, perhaps several times while the spike runs, and at its end back to the earlier
// ones. If someone else switches the cluster meanwhile, that change is kept.
import { completed, differ, type Conditions } from '@claret/client/telemetry';
import type { ClusterConditions } from '../store/cluster-conditions.ts';

export type Switchable = Pick<ClusterConditions, 'local' | 'setEverywhere'>;

export class BorrowedConditions {
  private readonly cluster: Switchable;
  private readonly before: ReturnType<Switchable['local']>;
  /** of the conditions that were set here last */
  private version: number;
  /** one switch at a time */
  private work: Promise<unknown> = Promise.resolve();

  constructor(cluster: Switchable) {
    this.cluster = cluster;
    this.before = cluster.local();
    this.version = this.before.version;
  }

  /** Throws shard_unavailable, conditions_partial. */
  switchTo(wanted: Conditions): Promise<void> {
    return this.inTurn(() => this.change(wanted));
  }

  /** The same, unless somebody else has switched the cluster since the last switch here. */
  switchOn(wanted: Conditions): Promise<void> {
    return this.inTurn(async () => {
      if (this.areOurs) await this.change(wanted);
    });
  }

  /** Restores the conditions from before. Throws shard_unavailable, conditions_partial. */
  giveBack(): Promise<void> {
    return this.inTurn(async () => {
      if (!this.areOurs || this.version === this.before.version) return;
      const { version: _, ...earlier } = this.before;
      await this.change(earlier);
    });
  }

  private get areOurs(): boolean {
    return this.cluster.local().version === this.version;
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.work.then(work);
    this.work = done.catch(() => {});
    return done;
  }

  private async change(wanted: Conditions): Promise<void> {
    const now = this.cluster.local();
    try {
      if (differ(now, completed(wanted, now))) await this.cluster.setEverywhere(wanted);
    } finally {
      this.version = this.cluster.local().version;
    }
  }
}
