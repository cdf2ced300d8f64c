// A read that serves all requests waiting for it.
import type { InProcessCluster } from '@claret/client/testing';
import type { App } from '@claret/site/http.ts';
import { TEST_COST } from '@claret/site/testing/visitor.ts';
import { setWarranties } from '@claret/site/testing/warranties.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import type { Popular } from '../api.ts';
import { buildApp } from '../app.ts';
import { CATEGORIES } from '../data/categories.ts';
import { startWorld, type World } from '../testing/world.ts';

let world: World;
let app: App;
beforeAll(async () => {
  world = await startWorld();
  app = await buildApp({ claret: world.claret, password_cost: TEST_COST });
});
afterAll(async () => {
  await app.close();
  await world.stop();
});

/** The shards take no frame before the function that is returned is called. */
function standStill({ hosts }: InProcessCluster): () => void {
  const held: (() => void)[] = [];
  const spies = hosts.map((host) => {
    const take = host.take.bind(host);
    return vi.spyOn(host, 'take').mockImplementation((peer, frame) => void held.push(() => take(peer, frame)));
  });
  return () => {
    for (const spy of spies) spy.mockRestore();
    for (const take of held) take();
  };
}

test('Popular categories are read once for all requests that wait, also if the first visitor has disconnected', async () => {
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const letGo = standStill(world.cluster);

  const readsUnderWay = async () => (await app.inject('/readyz')).json<{ gate: { at_work: { read: number } } }>().gate.at_work.read;
  const gone = new AbortController();
  const first = fetch(`${address}/api/popular`, { signal: gone.signal }).catch(() => undefined);
  await vi.waitFor(async () => expect(await readsUnderWay()).toBe(1));
  const second = fetch(`${address}/api/popular`);
  await vi.waitFor(async () => expect(await readsUnderWay()).toBe(2));
  gone.abort();
  await first;
  await vi.waitFor(async () => expect(await readsUnderWay()).toBe(1));
  letGo();
  const answer = await second;
  expect([answer.status, await answer.json()]).toMatchObject([200, { categories: expect.any(Array) }]);
});

test('With warranties, popular categories are exact, and need no message while nothing changes', async () => {
  const countIn = async (category_id: string): Promise<number> => {
    const { categories } = (await app.inject('/api/popular')).json<Popular>();
    expect(categories.toSorted((a, b) => b.open_count - a.open_count)).toEqual(categories);
    expect(categories).toHaveLength(CATEGORIES.length);
    return categories.find((one) => one.category_id === category_id)!.open_count;
  };
  await setWarranties(world.cluster, 'auto', world.claret);
  const seller = await world.person('popular_seller');
  for (let n = 0; n < 5; n++) {
    expect(await countIn('bears')).toBe(n);
    // A promise ends after its term, which a busy machine may take to get here.
    await vi.waitFor(async () => {
      const sent = world.claret.counters.operations;
      expect(await countIn('bears')).toBe(n);
      expect(world.claret.counters.operations).toBe(sent);
    });
    await world.auction(seller, { category_id: 'bears' });
  }
});
