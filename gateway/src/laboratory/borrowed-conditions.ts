// Switches the cluster to the conditions of a spike, and back to the earlier ones at its end. If someone else switches the cluster
// meanwhile, that change is kept.
import { completed, differ } from '../store/cluster-conditions.ts';
import type { ClusterConditions } from '../store/cluster-conditions.ts';
import type { Conditions } from '@claret/core';

export type Switchable = Pick<ClusterConditions, 'local' | 'setEverywhere'>;

/** Returns a function that restores the earlier conditions. Throws shard_unavailable, conditions_partial, and restores them itself then. */
export async function borrowConditions(cluster: Switchable, wanted: Conditions): Promise<() => Promise<void>> {
  const before = cluster.local();
  if (!differ(before, completed(wanted, before))) return async () => {};
  let borrowed = before.version;
  const restore = async () => {
    if (cluster.local().version !== borrowed || borrowed === before.version) return;
    const { version: _, draining: __, ...earlier } = before;
    await cluster.setEverywhere(earlier);
  };
  try {
    await cluster.setEverywhere(wanted);
    borrowed = cluster.local().version;
  } catch (error) {
    borrowed = cluster.local().version;
    await restore().catch(() => {});
    throw error;
  }
  return restore;
}
