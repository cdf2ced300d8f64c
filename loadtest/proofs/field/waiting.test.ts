// Reports about transactions that wait for each other.
import { connect, type Claret, type Tx } from '@claret/client';
import { steered } from '@claret/client/steered';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { startCluster, type TestCluster } from '../../../gateway/src/testing/cluster.ts';
import { metricsOf } from '../crash/metrics.ts';
import { Chance } from '../../kit/random.ts';

const PATIENT_MS = 150_000;

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster(2, { idleMs: PATIENT_MS });
});
afterAll(() => cluster.close());

const opened: Claret[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((claret) => claret.close(0)));
});

async function client(name: string): Promise<Claret> {
  const claret = await connect({ addresses: cluster.gateways.map(({ member }) => member.grpc), name, timeoutMs: PATIENT_MS });
  opened.push(claret);
  return claret;
}

const waitingAt = async (shard: number): Promise<number> =>
  (await metricsOf(`http://${cluster.gateways[shard]!.member.rest}`))('claret_waiting');

/** A transaction that has done this and stays open. */
async function open(claret: Claret, first: (tx: Tx) => PromiseLike<unknown>) {
  const [begun, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ended = claret.transaction(
    'Open',
    async (tx) => {
      await first(tx);
      begun.resolve();
      await ending.promise;
    },
    steered({ attemptsMax: 1, now: true }),
  );
  ended.catch(() => {});
  await Promise.race([begun.promise, ended]);
  return { end: () => (ending.resolve(), ended) };
}

// cockroachdb/cockroach#45420: the first in a queue left it without a lock and came back behind one that was waiting for it: both for ever.
test('those who wait first may leave the queue, and come back or not: the others get their turn', async () => {
  const [holder, first, second, gone] = await Promise.all(['holder', 'first', 'second', 'gone'].map(client));
  const [held, beside] = [cluster.keyOn(0, 'held'), cluster.keyOn(1, 'beside')];
  const holds = await open(holder!, (tx) => tx.register(held).exchange('holder'));
  const both = (claret: Claret, timeoutMs: number) =>
    claret.transact('Both', [claret.on.register(held).set('both'), claret.on.register(beside).exchange('both')], { timeoutMs });
  const leaves = both(first!, 300);
  const ends = both(gone!, PATIENT_MS);
  const stays = second!.transact('One', [second!.on.register(held).exchange('second')]);
  await expect(leaves).rejects.toMatchObject({ code: 'gave_up', commitState: 'none' });
  const back = both(first!, PATIENT_MS);
  await vi.waitFor(async () => expect(await waitingAt(0)).toBeGreaterThan(1));
  await Promise.all([gone!.close(0), expect(ends).rejects.toThrow()]);
  await holds.end();
  await stays;
  await back;
});

// interuss/dss#742: of a hundred concurrent changes of several records some failed even with fifty retries.
test('many long transactions on the same records all get through', { timeout: 2 * PATIENT_MS }, async () => {
  const claret = await client('crowd');
  const chance = new Chance(742);
  const accounts = Array.from({ length: 12 }, (_, i) => `account:${i}`);
  const one = () => {
    const order = accounts.toSorted(() => chance.next() - 0.5);
    return claret.transaction(
      'Long',
      async (tx) => {
        const seen: number[] = [];
        for (const key of order) seen.push(Number((await tx.register(key).get()) ?? 0));
        for (const [i, key] of order.entries()) tx.register(key).set(seen[i]! + 1);
      },
      { attemptsMax: Infinity },
    );
  };
  const count = 30;
  await Promise.all(Array.from({ length: count }, one));
  const values = await claret.transact(
    'Look',
    accounts.map((key) => claret.on.register(key).get()),
  );
  expect(values).toEqual(accounts.map(() => count));
});
