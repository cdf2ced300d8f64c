import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Claret } from './claret.ts';
import { inProcessCluster, type InProcessCluster } from './testing.ts';
import { slotOf } from './topology.ts';

/** A key on that shard of two. */
export function keyOn(shard: number, name: string): string {
  for (let i = 0; ; i++) {
    const key = `${name}:${i}`;
    if (Math.floor((slotOf(key) * 2) / 16384) === shard) return key;
  }
}

let cluster: InProcessCluster;
let claret: Claret;

beforeEach(async () => {
  cluster = await inProcessCluster({ shards: 2 });
  claret = await cluster.connect({ name: 'test' });
});

afterEach(async () => {
  await cluster.stop();
  for (const shard of cluster.shards) expect(shard.counters().attemptsInFlight).toBe(0);
});

describe('a transaction', () => {
  it('sees the state before it and leaves its own behind', async () => {
    const key = keyOn(0, 'page');
    const first = await claret.transaction('Visit', async (tx) => {
      const visits = tx.counter(key);
      visits.add(1);
      return await visits.value();
    });
    expect(first).toBe(0);
    expect(await claret.transact('Read', [claret.on.counter(key).value()])).toEqual([1]);
  });

  it('of one message when its body never awaits', async () => {
    await claret.transact('Warm', [claret.on.counter(keyOn(0, 'x')).value()]);
    const before = claret.counters.frames;
    await claret.transaction('Add', (tx) => {
      tx.counter(keyOn(0, 'x')).add(2);
      tx.set(keyOn(0, 'y')).add('m');
    });
    expect(claret.counters.frames).toBe(before + 1);
  });

  it('ends on the operation given to finish', async () => {
    const key = keyOn(0, 'x');
    await claret.transaction('Add', (tx) => void tx.counter(key).add(5));
    const before = claret.counters.frames;
    const value = await claret.transaction('Read', async (tx) => tx.finish(tx.counter(key).value()));
    expect(value).toBe(5);
    expect(claret.counters.frames).toBe(before + 1);
  });

  it('spans shards', async () => {
    const [a, b] = [keyOn(0, 'a'), keyOn(1, 'b')];
    await claret.transaction('Both', async (tx) => {
      tx.counter(a).add(1);
      await tx.counter(b).value();
      tx.counter(b).add(2);
    });
    expect(await claret.transact('Read', [claret.on.counter(a).value(), claret.on.counter(b).value()])).toEqual([1, 2]);
  });
});
