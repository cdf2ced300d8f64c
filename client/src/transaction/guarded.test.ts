// Guarded views, against real shards: what a view's guard does not allow has no effect, and is told to nobody.

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Claret } from '../claret.ts';
import { inProcessCluster, type InProcessCluster } from '../testing/in-process-cluster.ts';
import { keyOn } from '../testing/keys.ts';
import { Tap } from '../testing/tap.ts';
import type { Tx } from './tx.ts';

const [SESSION, BIDS] = [keyOn(0, 'session'), keyOn(0, 'bids')];
let cluster: InProcessCluster;
let tap: Tap;
let claret: Claret;
let acting: Claret;

const session = () => claret.on.register(SESSION).get();
/** The session was `open` when it was last read. */
async function guard(tx: Tx): Promise<void> {
  if ((await tx.perform(session(), { guess: 'open' })) !== 'open') throw new Error('not logged in');
}
const set = (value: string) => claret.transact('Set', [claret.on.register(SESSION).set(value)]);
const count = () => claret.native.counter(BIDS).value();
const bid = (options = {}) => acting.transaction('Bid', async (tx) => void tx.counter(BIDS).add(1), options);

beforeEach(async () => {
  cluster = await inProcessCluster({ shards: 2 });
  tap = new Tap(cluster.transport);
  claret = await cluster.connect({ combining: 'off', transport: tap });
  acting = claret.guarded(guard);
  await set('open');
  tap.seen.length = 0;
});
afterEach(() => cluster.stop());

test('a guard is a part of the transaction, and what it guesses leaves with the rest', async () => {
  await bid();
  expect(tap.seen.filter((one) => !one.endsWith('answers'))).toEqual(['0: get, add, vote']);
  expect(await count()).toBe(1);
});

test('what a guard does not allow has no effect', async () => {
  await set('ended');
  await expect(bid()).rejects.toThrow('not logged in');
  expect(await count()).toBe(0);
  await expect(acting.transact('Bid', [acting.on.counter(BIDS).add(1)])).rejects.toThrow('not logged in');
  expect(await count()).toBe(0);
});

test('a list and an operation that is returned have their results', async () => {
  await bid();
  expect(await acting.transact('Count', [acting.on.counter(BIDS).value(), acting.on.register(SESSION).get()])).toEqual([1, 'open']);
  expect(await acting.transaction('Count', (tx) => tx.counter(BIDS).value())).toBe(1);
  expect(await acting.transaction('Count', (tx) => tx.finish(tx.counter(BIDS).value()))).toBe(1);
});

test('a transaction that had committed before is answered only if the guard holds', async () => {
  const id = claret.transactionId(BIDS);
  const replays: boolean[] = [];
  const again = () => bid({ id, onCommit: ({ replayed }: { replayed: boolean }) => replays.push(replayed) });
  await again();
  await again();
  expect([await count(), replays]).toEqual([1, [false, true]]);
  await set('ended');
  await expect(again()).rejects.toThrow('not logged in');
  expect(await count()).toBe(1);
});

test('views of a guarded view have its guard, and another guard replaces it', async () => {
  await set('ended');
  const observed = acting.observed(() => {});
  await expect(observed.transaction('Bid', (tx) => void tx.counter(BIDS).add(1))).rejects.toThrow('not logged in');
  await acting.guarded(() => undefined).transaction('Bid', (tx) => void tx.counter(BIDS).add(1));
  expect(await count()).toBe(1);
});
