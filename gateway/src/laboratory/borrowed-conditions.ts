// Conditions that a spike runs under: the cluster gets them for as long as the spike lasts, and then those it had before. Whoever
// switches the cluster meanwhile has decided otherwise: that stays.
import type { ClusterConditions } from '../store/cluster-conditions.ts';
import type { Conditions } from '@claret/core';

export type Switchable = Pick<ClusterConditions, 'local' | 'setEverywhere'>;

/** Returns what puts the conditions back. Throws shard_unavailable, conditions_partial: then nothing is left to be put back. */
export async function borrowConditions(cluster: Switchable, { locks, phasing, combining }: Conditions): Promise<() => Promise<void>> {
  const before = cluster.local();
  if (before.locks === locks && before.phasing === phasing && before.combining === combining) return async () => {};
  let borrowed = before.version;
  const putBack = async () => {
    if (cluster.local().version !== borrowed || borrowed === before.version) return;
    const { version: _, draining: __, ...earlier } = before;
    await cluster.setEverywhere(earlier);
  };
  try {
    await cluster.setEverywhere({ locks, phasing, combining });
    borrowed = cluster.local().version;
  } catch (error) {
    borrowed = cluster.local().version;
    await putBack().catch(() => {});
    throw error;
  }
  return putBack;
}
