import { afterEach, describe, expect, it } from 'vitest';
import type { Claret, ConnectOptions } from './claret.ts';
import { inProcessCluster, type InProcessCluster } from './testing.ts';

let cluster: InProcessCluster;
afterEach(() => cluster.stop());

async function started(options: Partial<ConnectOptions> = {}): Promise<Claret> {
  cluster = await inProcessCluster();
  return cluster.connect(options);
}

describe('transactions that read the same record at once', () => {
  it('send the read once', async () => {
    const claret = await started({ combining: 'on' });
    await claret.transact('Fill', [claret.on.set('s').add('a')]);
    const before = { ...claret.counters };
    const sizes = await Promise.all(Array.from({ length: 64 }, () => claret.transaction('Read', async (tx) => {
      const size = await tx.set('s').size();
      return size;
    })));
    expect(new Set(sizes)).toEqual(new Set([1]));
    console.log(claret.counters, before, cluster.shards[0]!.counters());
    expect(claret.counters.neverSent).toBe(63);
    expect(cluster.shards[0]!.counters().sharedHolders).toBe(0);
  });
});
