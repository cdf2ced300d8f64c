// One operation on one record over REST, at two real gateways: results and errors, beside transactions, and sent again.
import { connect } from '@claret/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientFrame, openSession, serverFrame } from '../testing/calls.ts';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster(2);
});
afterAll(() => cluster.close());

const app = (gateway = 0) => cluster.gateways[gateway]!.rest;
const get = (key: string, type: string, operation: string, gateway = 0) =>
  app(gateway).inject(`/v1/records/${encodeURIComponent(key)}?type=${type}&operation=${operation}`);
const post = (key: string, payload: object, headers: Record<string, string> = {}, gateway = 0) =>
  app(gateway).inject({ method: 'POST', url: `/v1/records/${encodeURIComponent(key)}`, payload, headers });
const execute = (type: string, operation: string, ...args: unknown[]) => ({ type, operation, arguments: args });
const ADD = execute('counter', 'add', 1);
const counterAt = async (key: string) => (await get(key, 'counter', 'value')).json().value;

const AT = expect.stringMatching(/^[1-9]\d+$/);
const begun = () => cluster.gateways.reduce((sum, { host }) => sum + host.counters().begun, 0);

describe('an operation', () => {
  test('is executed on any shard, and is no transaction', async () => {
    const before = begun();
    for (const shard of [0, 1]) {
      const key = cluster.keyOn(shard, 'a/b c');
      const answer = await post(key, execute('BoundedCounter', 'increment', 5));
      expect([answer.statusCode, answer.json()]).toEqual([200, { key, value: null, committed_at: AT }]);
      expect((await post(key, execute('boundedcounter', 'tryDecrement', 2), {}, 1)).json()).toEqual({ key, value: true, committed_at: AT });
      expect((await get(key, 'boundedCounter', 'value', 1)).json()).toEqual({ key, value: 3, committed_at: AT });
    }
    expect(begun()).toBe(before);
  });

  test('takes and answers large integers as strings, and fields as an object', async () => {
    await post('wide', execute('counter', 'add', '9007199254740993'));
    expect(await counterAt('wide')).toBe('9007199254740993');
    await post('fields', execute('dict', 'set', JSON.parse('{"__proto__":"p","n":1}')));
    expect(Object.entries((await get('fields', 'dict', 'all')).json().value as object).sort()).toEqual([
      ['__proto__', 'p'],
      ['n', 1],
    ]);
  });

  test('deletes a record of any type, or lets it expire', async () => {
    const value = async (operation: string, ...args: unknown[]) =>
      (await post('mortal', execute('record', operation, ...args))).json().value;
    await post('mortal', ADD);
    expect([await value('exists'), await value('type')]).toEqual([true, 'Counter']);
    expect(await value('expire', Date.now() + 60_000, 'always')).toBe(true);
    expect((await get('mortal', 'Record', 'expiresAt')).json().value).toBeGreaterThan(Date.now());
    expect([await value('delete'), await value('delete'), await value('expiresAt')]).toEqual([true, false, null]);
    expect((await post('mortal', execute('set', 'add', 'x'))).statusCode).toBe(200);
  });

  test('may be sent without arguments', async () => {
    expect((await post('nothing', { type: 'counter', operation: 'value' })).json()).toEqual({ key: 'nothing', value: 0, committed_at: AT });
  });

  test.each<[string, object, number, string]>([
    ['is of an unknown type', execute('ledger', 'add', 1), 400, 'unknown_type'],
    ['is unknown to its type', execute('counter', 'double'), 400, 'unknown_operation'],
    ['has too few arguments', execute('counter', 'add'), 400, 'wrong_argument_count'],
    ['has an argument of another kind', execute('counter', 'add', 1.5), 400, 'wrong_argument_type'],
    ['names a second key', { ...ADD, key: 'other' }, 400, 'invalid_request'],
    ['has no type', { operation: 'add', arguments: [1] }, 400, 'invalid_request'],
    ['is of another type than the record', execute('set', 'size'), 409, 'wrong_type'],
    ['would leave the range of the record', execute('counter', 'add', '9223372036854775807'), 422, 'out_of_range'],
  ])('that %s is refused without effect', async (_name, payload, status, code) => {
    const key = 'strict';
    if ((await counterAt(key)) === 0) await post(key, ADD);
    const answer = await post(key, payload);
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([status, 'application/problem+json']);
    expect(answer.json()).toMatchObject({ code, retryable: false, commit_state: 'none' });
    expect(await counterAt(key)).toBe(1);
  });

  test('of a key that is too long is refused', async () => {
    const answer = await post('k'.repeat(1025), ADD);
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_key']);
  });

  test('that changes the record is not sent with GET', async () => {
    const answer = await get('readonly', 'counter', 'add&arguments=[1]');
    expect(answer.json()).toMatchObject({ code: 'invalid_request', detail: 'Counter.add changes the record: send it with POST.' });
  });

  test('from a page of another origin is refused', async () => {
    const answer = await post('foreign', ADD, { origin: 'http://evil.example' });
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'forbidden_origin']);
    expect(await counterAt('foreign')).toBe(0);
  });
});

test('operations on one record have increasing timestamps, and so has a transaction after them', async () => {
  const key = cluster.keyOn(1, 'order');
  const stamps: bigint[] = [];
  for (let i = 0; i < 5; i++) {
    for (const answer of [await post(key, ADD), await get(key, 'counter', 'value')]) stamps.push(BigInt(answer.json().committed_at));
  }
  const payload = { operations: [{ key, type: 'counter', operation: 'value' }] };
  stamps.push(BigInt((await app().inject({ method: 'POST', url: '/v1/transactions', payload })).json().committed_at));
  expect(stamps).toEqual([...new Set(stamps)].sort((a, b) => (a < b ? -1 : 1)));
});

describe('beside a transaction that is not being committed yet', () => {
  test('a read does not wait, and a change makes the transaction run again', async () => {
    const claret = await connect({ addresses: [cluster.gateways[0]!.member.grpc] });
    const key = cluster.keyOn(1, 'beside');
    const seen: number[] = [];
    await claret.transaction('Doubles', async (tx) => {
      const value = Number(await tx.counter(key).value());
      seen.push(value);
      if (seen.length === 1) {
        expect(await counterAt(key)).toBe(0);
        expect((await post(key, execute('counter', 'add', 5))).statusCode).toBe(200);
      }
      tx.counter(key).add(value);
    });
    expect(seen).toEqual([0, 5]);
    expect(await counterAt(key)).toBe(10);
    await claret.close();
  });
});

/** Starts a transaction on the shard that has voted there and whose outcome nobody gives. It holds Counter.value of the key. */
async function voted(shard: number, key: string) {
  const { incarnation } = cluster.gateways[shard]!;
  const stream = openSession(cluster.grpcClient(shard));
  const replies: unknown[] = [];
  stream.on('data', (bytes: Buffer) => replies.push(...serverFrame(bytes).replies));
  stream.on('error', () => {});
  stream.write(clientFrame({ sequence: 1, hello: { protocol: 1 } }));
  const begin = { id: Buffer.alloc(16, 5), label: 'Voted', priority: 1, home: shard, expiresInMs: 60_000 };
  const operations = [{ key, name: 'Counter.value', arguments: [] }];
  const request = { attempt: 1, begin, operations, prepare: { participants: [0, 1] } };
  stream.write(clientFrame({ sequence: 2, incarnation, requests: [request] }));
  await expect.poll(() => replies, { interval: 5 }).toMatchObject([{ attempt: '1', error: null }]);
  return () => stream.cancel();
}

describe('behind a transaction that has voted', () => {
  test('an operation that conflicts with it is withdrawn after a while, without effect', async () => {
    const key = cluster.keyOn(0, 'voted');
    const end = await voted(0, key);
    const answer = await post(key, ADD);
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([409, '1']);
    expect(answer.json()).toMatchObject({
      code: 'expired',
      cause: 'lock_wait',
      key,
      operation: 'Counter.add',
      retryable: true,
      commit_state: 'none',
    });
    end();
    expect(await counterAt(key)).toBe(0);
  });

  test('the outcome of a change is unknown if its shard goes away meanwhile, and the answer says so', async () => {
    const change = async () => {
      const key = cluster.keyOn(1, 'lost');
      const end = await voted(1, key);
      const changing = post(key, ADD);
      // Natives of a session are taken in order, so the change has arrived once this read is answered.
      expect((await get(cluster.keyOn(1, 'after'), 'counter', 'value')).statusCode).toBe(200);
      await cluster.restart(1);
      end();
      return changing;
    };
    let answer = await change();
    // The test stood still for longer than a change waits, so it had been withdrawn when the shard went away.
    while (answer.json().code === 'expired') answer = await change();
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([500, undefined]);
    expect(answer.json()).toMatchObject({
      code: 'outcome_unknown',
      cause: 'session_lost',
      commit_state: 'unknown',
      retryable: false,
      detail: expect.stringContaining('Sent again, it may be executed twice.'),
    });
  });
});

describe('with an Idempotency-Key', () => {
  test('an operation is executed once, at whichever gateway it is sent again', async () => {
    const key = cluster.keyOn(1, 'once');
    const [first, again] = [await post(key, ADD, { 'idempotency-key': '"r-1"' }), await post(key, ADD, { 'idempotency-key': '"r-1"' }, 1)];
    expect(first.json()).toEqual({ key, value: null, committed_at: expect.stringMatching(/^\d+$/) });
    expect([again.statusCode, again.body]).toEqual([200, first.body]);
    expect([first.headers['idempotency-replayed'], again.headers['idempotency-replayed']]).toEqual([undefined, 'true']);
    expect(await counterAt(key)).toBe(1);
  });

  test.each([
    ['another record', 'r-other', ADD],
    ['another amount', 'r-first', execute('counter', 'add', 2)],
  ])('%s is another request', async (_name, key, payload) => {
    await post('r-first', ADD, { 'idempotency-key': '"r-2"' });
    const answer = await post(key, payload, { 'idempotency-key': '"r-2"' });
    expect([answer.statusCode, answer.json().code]).toEqual([422, 'idempotency_key_reused']);
    expect([await counterAt('r-first'), await counterAt('r-other')]).toEqual([1, 0]);
  });

  test('a refused operation does not use up its key', async () => {
    const key = 'r-stock';
    const headers = { 'idempotency-key': '"r-3"' };
    expect((await post(key, execute('boundedCounter', 'decrement', 1), headers)).json().code).toBe('below_bound');
    expect((await post(key, execute('boundedCounter', 'increment', 1), headers)).statusCode).toBe(200);
  });
});
