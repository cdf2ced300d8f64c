// The tally of crowds against a real store: correct reports pass, and each kind of wrong report is found.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Claret } from '@claret/client';
import { inProcessCluster, type InProcessCluster } from '@claret/client/testing';
import { CrowdLedger, sideOf, type CrowdEnd } from './crowds.ts';

let cluster: InProcessCluster;
let claret: Claret;
let sets = 0;
beforeAll(async () => {
  cluster = await inProcessCluster({ shards: 2 });
  claret = await cluster.connect({ name: 'test' });
});
afterAll(() => cluster.stop());

/** A ledger, with a set of marks of its own. */
function tally() {
  const ledger = new CrowdLedger();
  const set = ++sets;
  const store = (mark: string, shards: readonly number[] = [0, 1], times = 1) =>
    claret.transact(
      'Store',
      shards.flatMap((shard) => [
        claret.on.set(sideOf(set, shard).marks).add(mark),
        claret.on.counter(sideOf(set, shard).count).add(times),
      ]),
    );
  const tell = (mark: string, end?: CrowdEnd) => ledger.take({ mark, set, ...(end !== undefined && { end }) });
  return { ledger, store, tell, mismatches: () => ledger.mismatches(claret) };
}

test('what was acknowledged and is stored passes, and is counted', async () => {
  const { ledger, store, tell, mismatches } = tally();
  await store('a');
  tell('a');
  tell('a', 'done');
  tell('b');
  tell('b', 'none');
  expect(await mismatches()).toEqual([]);
  expect(ledger).toMatchObject({ acknowledged: 1, checked: 1, unknown: 0 });
});

test('what has no answer may be stored or not, but stays as it was found', async () => {
  const { ledger, store, tell, mismatches } = tally();
  tell('there');
  tell('gone', 'unknown');
  await store('there');
  expect(ledger.unknown).toBe(2);
  expect(await mismatches()).toEqual([]);
  await store('gone');
  tell('another', 'none');
  expect(await mismatches()).toMatchObject([/gone has failed/, /gone has failed/].map((text) => expect.stringMatching(text)));
});

test.each<[what: string, found: RegExp, lie: (to: ReturnType<typeof tally>) => Promise<unknown>]>([
  ['was acknowledged and is not stored', /lost: a was acknowledged/, async ({ tell }) => tell('a', 'done')],
  ['has failed and is stored', /a has failed, and is in/, ({ tell, store }) => (tell('a', 'none'), store('a'))],
  ['is stored on one shard', /half a transaction: a is in set \d+ on shard 1 only/, ({ tell, store }) => (tell('a'), store('a', [1]))],
  ['is counted twice', /counts 2 transactions, and has the marks of 1/, ({ tell, store }) => (tell('a', 'done'), store('a', [0, 1], 2))],
  ['was never begun', /b is in set \d+ on shard 0, and was never begun/, ({ tell, store }) => (tell('a', 'none'), store('b'))],
  ['saw two sides that differ', /a saw 1 and 2/, async ({ ledger }) => ledger.take({ unequal: 'a saw 1 and 2' })],
])('a transaction that %s is found', async (_what, found, lie) => {
  const to = tally();
  await lie(to);
  expect((await to.mismatches()).join('\n')).toMatch(found);
});

test('the batches of all clients are counted, each as last told', () => {
  const { ledger } = tally();
  ledger.take({ process: 1, batches: 2, batchMembers: 3 });
  ledger.take({ process: 1, batches: 4, batchMembers: 9 });
  ledger.take({ process: 2, batches: 1, batchMembers: 1 });
  expect(ledger.batches).toEqual({ batches: 5, members: 10 });
});
