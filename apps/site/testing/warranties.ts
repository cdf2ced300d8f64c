// For tests: whether the shards of a cluster promise results.
import type { Claret } from '@claret/client';
import type { InProcessCluster } from '@claret/client/testing';
import { COST_HEADER, readCost } from '@claret/ui/site/cost.ts';
import { expect, vi } from 'vitest';

import type { Answer } from './visitor.ts';

export type Warranties = 'off' | 'auto';

/** `clients`: wait until these have heard of it. */
export async function setWarranties(cluster: InProcessCluster, warranties: Warranties, ...clients: readonly Claret[]): Promise<void> {
  const conditions = { locks: 'abstract', phasing: true, combining: 'off', warranties } as const;
  for (const { shard } of cluster.hosts) shard.setConditions(conditions, Date.now(), performance.now());
  const isTold = () => {
    for (const { conditions: told } of clients) if (told?.warranties !== warranties) throw new Error('not told yet');
  };
  await vi.waitFor(isTold);
}

/** Transactions that shards have begun. */
export const begunAt = ({ shards }: InProcessCluster): number => shards.reduce((sum, shard) => sum + shard.counters().begun, 0);

/**
 * The answer of the first request that costs `site` no message, by the shards' counters, the client's and the answer's own. A promise ends
 * after its term, which a busy machine may take to get here, so a request that had to ask is made again.
 */
export function answerFromMemory(cluster: InProcessCluster, site: Claret, request: () => Promise<Answer>): Promise<Answer> {
  return vi.waitFor(async () => {
    const [begun, { natives, commits }] = [begunAt(cluster), { ...site.counters }];
    const answer = await request();
    expect([begunAt(cluster) - begun, site.counters.natives - natives, site.counters.commits - commits]).toEqual([0, 0, 0]);
    const cost = readCost(String(answer.raw.headers[COST_HEADER] ?? ''));
    expect(cost.length).toBeGreaterThan(0);
    for (const { operations, warranted } of cost) expect([operations > 0, warranted]).toEqual([true, operations]);
    return answer;
  });
}
