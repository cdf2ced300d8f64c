// For tests: whether the shards of a cluster promise results.
import type { Claret } from '@claret/client';
import type { InProcessCluster } from '@claret/client/testing';
import { vi } from 'vitest';

export type Warranties = 'off' | 'auto' | 'on';

/** `clients`: wait until these have heard of it. */
export async function setWarranties(cluster: InProcessCluster, warranties: Warranties, ...clients: readonly Claret[]): Promise<void> {
  const conditions = { locks: 'abstract', phasing: true, combining: 'off', warranties } as const;
  for (const { shard } of cluster.hosts) shard.setConditions(conditions, Date.now(), performance.now());
  const isTold = () => {
    for (const { conditions: told } of clients) if (told?.warranties !== warranties) throw new Error('not told yet');
  };
  await vi.waitFor(isTold, { timeout: 10_000 });
}

/** Transactions that shards have begun. */
export const begunAt = ({ shards }: InProcessCluster): number => shards.reduce((sum, shard) => sum + shard.counters().begun, 0);
