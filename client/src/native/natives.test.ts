// Native operations over real shards of the core: results, errors, beside transactions, and across a lost session.
import { stat } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Claret } from '../claret.ts';
import { connect } from '../connect.ts';
import type { ClaretError } from '../errors/claret-error.ts';
import { Scope } from '../limits/scope.ts';
import type { Receipt } from '../reports/receipt.ts';
import { inProcessCluster, type InProcessCluster } from '../testing/in-process-cluster.ts';
import { keyOn } from '../testing/keys.ts';
import { ScriptedShard } from '../testing/scripted-shard.ts';
import { evenTopology } from '../topology/topology.ts';
import { LocalTransport } from '../transport/local.ts';

const A = keyOn(0, 'a');
const B = keyOn(1, 'b');

let cluster: InProcessCluster;
let claret: Claret;

beforeEach(async () => {
  cluster = await inProcessCluster({ shards: 2 });
  claret = await cluster.connect({ name: 'test' });
});

afterEach(() => cluster.stop());

const begun = () => cluster.shards.reduce((sum, shard) => sum + shard.counters().begun, 0);

test('natives answer their results, of every kind', async () => {
  const { native } = claret;
  expect(await native.counter(A).add(5)).toBeUndefined();
  expect(await native.counter(A).value()).toBe(5);
  await native.dict(B).set({ name: 'ann' });
  expect(await native.dict(B).all()).toEqual({ name: 'ann' });
  await native.topK(keyOn(0, 'top')).add('ann', 120);
  expect(await native.topK(keyOn(0, 'top')).top(3)).toEqual([['ann', 120]]);
  expect(await native.perform(claret.on.register(keyOn(1, 'nothing')).get())).toBeNull();
  expect(begun()).toBe(0);
});

test('natives that are issued in one turn are executed in order, in few frames', async () => {
  const counter = claret.native.counter(A);
  const frames = claret.counters.frames;
  const values = await Promise.all(Array.from({ length: 1_000 }, () => counter.add(1).then(() => null)));
  expect(values).toHaveLength(1_000);
  expect(await counter.value()).toBe(1_000);
  expect(claret.counters.frames - frames).toBeLessThan(60);
  const [, read] = await Promise.all([counter.add(1), counter.value(), counter.add(1)]);
  expect(read).toBe(1_001);
});

test('an operation that is refused fails alone', async () => {
  const key = keyOn(0, 'stock');
  const results = await claret.native.run([
    claret.on.boundedCounter(key).increment(2),
    claret.on.boundedCounter(key).decrement(5),
    claret.on.counter(key).value(),
    claret.on.boundedCounter(key).value(),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect(results[1]).toMatchObject({ reason: { code: 'below_bound', commitState: 'none', key } });
  expect(results[2]).toMatchObject({ reason: { code: 'wrong_type' } });
  expect(results[3]).toMatchObject({ value: 2 });
  expect(claret.counters).toMatchObject({ natives: 4, nativesFailed: 2 });
});

test('a transaction whose result a native has changed runs again', async () => {
  const other = await cluster.connect({ name: 'other' });
  let runs = 0;
  const total = await claret.transaction('Read', async (tx) => {
    const before = await tx.set(A).size();
    runs++;
    if (runs === 1) await other.native.set(A).add('x');
    tx.counter(B).add(Number(before));
    return before;
  });
  expect([total, runs]).toEqual([1, 2]);
  expect(await claret.native.counter(B).value()).toBe(1);
  await other.close();
});

test('natives see a transfer over two shards whole or not at all, in the order in which they ask', async () => {
  let stop = false;
  const transfers = (async () => {
    while (!stop) await claret.transact('Transfer', [claret.on.counter(A).add(-1), claret.on.counter(B).add(1)]);
  })();
  const reader = await cluster.connect({ name: 'reader' });
  for (let i = 0; i < 200; i++) {
    // A transfer that A's read has seen is seen by a later read of B.
    const a = Number(await reader.native.counter(A).value());
    const b = Number(await reader.native.counter(B).value());
    expect(a + b).toBeGreaterThanOrEqual(0);
  }
  stop = true;
  await transfers;
  await reader.close();
});

/** A client of a scripted shard 0, with two natives in flight there: a read (number 1) and a change (number 2). */
async function inFlight() {
  const shard = new ScriptedShard(0);
  const shards = new Map([
    ['s0', shard],
    ['s1', new ScriptedShard(1)],
  ]);
  const transport = new LocalTransport({ shards, topology: () => evenTopology(['s0', 's1']) });
  const client = await connect({ addresses: ['s0'], transport });
  const read = client.native.boundedCounter(keyOn(0, 'other')).value();
  const change = client.native.boundedCounter(A).tryDecrement(1);
  for (const one of [read, change]) one.catch(() => {});
  await shard.frame((frame) => frame.natives.length > 0);
  return { shard, client, read, change };
}

const sentAgain = (shard: ScriptedShard) => shard.frame((frame) => shard.sessions === 2 && frame.natives.length > 0);

test('a session that begins names the lost one, and natives that were not executed are sent again', async () => {
  const { shard, client, read, change } = await inFlight();
  const { session } = shard.heard[0].hello;
  shard.heard = [];
  shard.resumed = { known: true };
  shard.breakSession();
  const again = await sentAgain(shard);
  expect(shard.heard[0].hello.resumes).toBe(session);
  expect(shard.heard[0].hello.session).not.toBe(session);
  expect(again.natives[0]).toMatchObject({ first: '1', below: '1' });
  expect(again.natives[0].operations).toHaveLength(2);
  shard.say({ natives: [{ first: '1', count: '2', at: '5', results: [{ integer: '7' }, { boolean: true }] }] });
  expect([await read, await change]).toEqual([7, true]);
  expect(client.counters).toMatchObject({ natives: 2, nativesFailed: 0, nativesResent: 2 });
  await client.close(0);
});

test('a change that was executed in a lost session gets its answer, and is not sent again', async () => {
  const { shard, client, read, change } = await inFlight();
  shard.heard = [];
  shard.resumed = { known: true, natives: [{ first: '2', count: '1', at: '5', results: [{ boolean: true }] }] };
  shard.breakSession();
  expect(await change).toBe(true);
  const again = await sentAgain(shard);
  expect(again.natives[0].operations).toHaveLength(1);
  shard.say({ natives: [{ first: '1', count: '1', at: '6', results: [{ integer: '8' }] }] });
  expect(await read).toBe(8);
  await client.close(0);
});

test('a change that failed in a lost session fails with the same error', async () => {
  const { shard, client, change } = await inFlight();
  shard.resumed = { known: true, nativesFailed: [{ number: '2', error: { code: 'below_bound', message: 'below 0' } }] };
  shard.breakSession();
  await expect(change).rejects.toMatchObject({ code: 'below_bound', commitState: 'none' });
  await client.close(0);
});

test('the outcome of a change is unknown where the shard does not know the lost session', async () => {
  const { shard, client, read, change } = await inFlight();
  shard.heard = [];
  shard.resumed = { known: false };
  shard.breakSession();
  await expect(change).rejects.toMatchObject({ code: 'outcome_unknown', commitState: 'unknown', cause: 'session_lost' });
  const again = await sentAgain(shard);
  expect(again.natives[0].operations).toHaveLength(1);
  shard.say({ natives: [{ first: '1', count: '1', at: '5', results: [{ integer: '7' }] }] });
  expect(await read).toBe(7);
  await client.close(0);
});

test('natives whose session breaks again and again are executed exactly once', async () => {
  const stock = claret.native.boundedCounter(A);
  await stock.increment(1_000);
  let taken = 0;
  for (let round = 0; round < 20; round++) {
    const answers = Array.from({ length: 60 }, () => stock.tryDecrement(1));
    if (round % 2 === 0) await Promise.race(answers);
    cluster.hosts[0]!.breakSessions();
    taken += (await Promise.all(answers)).filter(Boolean).length;
    expect(await stock.value()).toBe(1_000 - taken);
  }
  expect(taken).toBe(1_000);
  expect(claret.counters).toMatchObject({ nativesFailed: 0 });
  expect(claret.counters.sessionsLost).toBeGreaterThan(0);
});

test('a native gives the observers of its view a receipt before its promise settles', async () => {
  const receipts: Receipt[] = [];
  const observed = claret.observed((receipt) => receipts.push(receipt));
  await observed.native.counter(A).add(1);
  expect(receipts).toMatchObject([{ label: '(native)', outcome: 'committed', operations: 1, shards: 1, retries: 0, blocked: null }]);
  await observed.native
    .boundedCounter(B)
    .decrement(1)
    .catch(() => {});
  expect(receipts[1]).toMatchObject({ outcome: 'aborted' });
  await claret.native.counter(A).add(1);
  expect(receipts).toHaveLength(2);
});

test('a native that has not been sent ends with its scope', async () => {
  const scope = new Scope();
  const view = claret.within(scope).native.counter(A);
  await view.add(1);
  expect([scope.underWay, scope.changed]).toEqual([0, true]);
  const unsent = view.add(1);
  expect(scope.underWay).toBe(1);
  scope.callOff();
  await expect(unsent).rejects.toMatchObject({ code: 'called_off', commitState: 'none' });
  await expect(view.add(1)).rejects.toMatchObject({ code: 'called_off' });
  expect(scope.underWay).toBe(0);
  expect(await claret.native.counter(A).value()).toBe(1);
});

test('natives of a closed client are rejected', async () => {
  const pending = claret.native.counter(A).value();
  await claret.close();
  await pending.catch((error: ClaretError) => expect(error.code).toBe('client_closed'));
  await expect(claret.native.counter(A).value()).rejects.toMatchObject({ code: 'client_closed' });
});

test('natives whose time is over as they are to be sent fail, and what is issued or called off in answer harms nothing', async () => {
  expect(await claret.native.counter(A).value()).toBe(0); // the session is live
  // In answer to input, what leaves at the end of the turn leaves before a timer runs.
  await stat('.');
  const scope = new Scope();
  const soon: Promise<unknown>[] = [];
  const observed = claret.observed(() => {
    scope.callOff();
    soon.push(claret.native.counter(A).add(100));
  });
  const dueMs = performance.now() + 30;
  const late = observed.within(new Scope(dueMs)).native;
  const given = claret.within(scope).native;
  const results = [given.counter(A).add(10), late.counter(A).add(1), claret.native.counter(A).add(1_000)];
  for (const result of results) result.catch(() => {});
  while (performance.now() < dueMs + 200); // they are sent at the end of the turn, before the timer that is due by then
  await expect(results[1]).rejects.toMatchObject({ code: 'shard_unavailable' });
  await results[2];
  await Promise.all(soon);
  expect(soon).toHaveLength(1);
  await expect(results[0]).resolves.toBeUndefined();
  expect(await claret.native.counter(A).value()).toBe(1_110);
});
