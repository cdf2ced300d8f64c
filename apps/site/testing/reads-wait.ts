// For tests of requests that wait: one-shot transactions that read wait for transactions that have yet to vote, instead of passing them.
import type { InProcessCluster } from '@claret/client/testing';

export function readsWait({ shards }: InProcessCluster): void {
  const [wallMs, monotonicMs] = [performance.timeOrigin + performance.now(), performance.now()];
  for (const shard of shards) {
    shard.setConditions({ locks: 'abstract', phasing: true, combining: 'auto', natives: 'wait' }, wallMs, monotonicMs);
  }
}
