// Members of epochs through real shards: the results, what they meet, and where they go when no epoch takes them.

import { afterEach, expect, test, vi } from 'vitest';
import type { Claret } from '../claret.ts';
import type { Receipt } from '../reports/receipt.ts';
import { CalmEnvironment } from '../testing/calm-environment.ts';
import { inProcessCluster, type InProcessCluster } from '../testing/in-process-cluster.ts';
import { keyOn } from '../testing/keys.ts';
import { steered } from '../transaction/steered-options.ts';

let cluster: InProcessCluster;

async function start(shards: number): Promise<Claret> {
  cluster = await inProcessCluster({ shards, environment: new CalmEnvironment() });
  return cluster.connect();
}

afterEach(() => cluster.stop());

/** The lists that went by epochs, or tried: on a busy machine one may wait for too long, and take locks instead. 0: none has committed by them. */
const listsByEpochs = ({ counters: { epochCommits, epochsMissed } }: Claret) => (epochCommits > 0 ? epochCommits + epochsMissed : 0);

const keys = (stem: string, count: number) => Array.from({ length: count }, (_, i) => `${stem}${i}`);

test('a list of writes over all shards is there as a whole', async () => {
  const claret = await start(3);
  await claret.writeOnly(
    'Import',
    keys('row', 200).map((key) => claret.on.register(key).set(key)),
    steered({ way: 'epoch' }),
  );
  const rows = await claret.readOnly(
    'Rows',
    keys('row', 200).map((key) => claret.on.register(key).get()),
    steered({ way: 'epoch' }),
  );
  expect(rows).toEqual(keys('row', 200));
  expect(listsByEpochs(claret)).toBeGreaterThanOrEqual(2);
});

test('a list on one shard is a member of epochs that another shard manages', async () => {
  const claret = await start(2);
  const mine = keyOn(1, 'alone');
  for (let n = 0; n < 5; n++) await claret.writeOnly('Alone', [claret.on.register(mine).set(n)], steered({ way: 'epoch' }));
  expect(listsByEpochs(claret)).toBeGreaterThanOrEqual(5);
});

test('lists on the same records, at once, leave what the last of them has written everywhere', async () => {
  const claret = await start(2);
  const list = keys('hot', 40);
  await Promise.all(
    keys('writer', 100).map((writer) =>
      claret.writeOnly(
        'Write',
        list.map((key) => claret.on.register(key).set(writer)),
        steered({ way: 'epoch' }),
      ),
    ),
  );
  const seen = await claret.readOnly(
    'Read',
    list.map((key) => claret.on.register(key).get()),
    steered({ way: 'epoch' }),
  );
  expect(new Set(seen).size).toBe(1);
  expect(listsByEpochs(claret)).toBeGreaterThanOrEqual(101);
});

test('operations that answer and change are decided when it is their turn', async () => {
  const claret = await start(2);
  const won = await Promise.all(
    keys('runner', 20).map(async (runner) => {
      const results = await claret.transact(
        'Race',
        [claret.on.register('a').compareAndSet(null, runner), claret.on.register('b').compareAndSet(null, runner)],
        steered({ way: 'epoch' }),
      );
      return results[0] && results[1] ? runner : null;
    }),
  );
  const winners = won.filter((runner) => runner !== null);
  expect(winners).toHaveLength(1);
  expect(await claret.transact('Look', [claret.on.register('a').get(), claret.on.register('b').get()])).toEqual([winners[0], winners[0]]);
});

test('an operation that the state refuses ends its list without an effect', async () => {
  const claret = await start(2);
  const list = [claret.on.register('note').set('paid'), claret.on.boundedCounter('purse').decrement(5)];
  await expect(claret.transact('Pay', list, steered({ way: 'epoch' }))).rejects.toMatchObject({ code: 'below_bound' });
  expect(await claret.transact('Look', [claret.on.register('note').get()])).toEqual([null]);
  await claret.transact('Fill', [claret.on.boundedCounter('purse').increment(7)]);
  await claret.transact('Pay', list, steered({ way: 'epoch' }));
  expect(await claret.transact('Look', [claret.on.boundedCounter('purse').value()])).toEqual([2]);
});

test('transactions that take locks beside them see each list as a whole', async () => {
  const claret = await start(2);
  let done = false;
  const writers = Promise.all(
    [1, 2, 3].map(async (writer) => {
      for (let i = 0; i < 60; i++) {
        const text = `${writer}-${i}`;
        await claret.writeOnly(
          'Pair',
          [claret.on.register('left').set(text), claret.on.register('right').set(text)],
          steered({ way: 'epoch' }),
        );
      }
    }),
  ).then(() => (done = true));
  let looks = 0;
  while (!done) {
    const [left, right] = await claret.transaction('Compare', async (tx) => [
      await tx.register('left').get(),
      await tx.register('right').get(),
    ]);
    expect(left).toBe(right);
    looks++;
  }
  await writers;
  expect(looks).toBeGreaterThan(3);
});

test('a list that meets a lock at every epoch goes by locks', async () => {
  const claret = await start(2);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  let holds = () => {};
  const began = new Promise<void>((resolve) => (holds = resolve));
  const holder = claret.transaction('Hold', async (tx) => {
    await tx.register('a').get();
    holds();
    await held;
  });
  await began;
  const list = claret.writeOnly('Write', [claret.on.register('a').set('x'), claret.on.register('b').set('x')], steered({ way: 'epoch' }));
  await vi.waitFor(() => expect(claret.counters.epochsMissed).toBe(1));
  release();
  await list;
  await holder;
  expect(claret.counters.epochsMissed).toBe(1);
  expect(claret.counters.epochCommits).toBe(0);
  expect(await claret.transact('Look', [claret.on.register('b').get()])).toEqual(['x']);
});

test('a receipt tells for how long a list was a member of an epoch', async () => {
  const claret = await start(2);
  const receipts: Receipt[] = [];
  const observed = claret.observed((receipt) => receipts.push(receipt));
  for (const way of ['epoch', 'locks'] as const) {
    await observed.writeOnly(
      'Write',
      keys('k', 20).map((key) => claret.on.register(key).set(way)),
      steered({ way }),
    );
  }
  expect(receipts).toMatchObject([{ epoch_us: expect.any(Number) }, { epoch_us: null }]);
  expect(receipts[0]!.epoch_us).toBeGreaterThan(0);
  expect(receipts[0]!.epoch_us! / 1_000).toBeLessThanOrEqual(receipts[0]!.duration_ms + 0.001);
});

test('a list that is too large for one message goes by locks', async () => {
  const claret = await start(2);
  const text = 'x'.repeat(60_000);
  const rows = keys('large', 40);
  await claret.writeOnly(
    'Large',
    rows.map((key) => claret.on.register(key).set(text)),
    steered({ way: 'epoch' }),
  );
  const fields = Object.fromEntries(keys('field', 20).map((name) => [name, 'y'.repeat(3_000)]));
  await claret.writeOnly(
    'LargeFields',
    rows.map((key) => claret.on.dict(`${key}:dict`).set(fields)),
    steered({ way: 'epoch' }),
  );
  expect(claret.counters).toMatchObject({ epochsMissed: 0, epochCommits: 0 });
  expect(await claret.native.register('large39').get()).toBe(text);
  expect((await claret.native.dict('large39:dict').all())['field19']).toBe('y'.repeat(3_000));
});
