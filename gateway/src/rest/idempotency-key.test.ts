// The Idempotency-Key header, and the id of a unary Transact, against real gateways.
import { untilWaiting } from '@claret/client/testing';
import type { Client } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unary, unpack } from '../testing/calls.ts';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster(2, { transactionMs: 60_000 });
});
afterAll(() => cluster.close());

const app = (gateway = 0) => cluster.gateways[gateway]!.rest;
const post = (key: string, payload: object | string, gateway = 0) =>
  app(gateway).inject({
    method: 'POST',
    url: '/v1/transactions',
    payload,
    headers: { 'idempotency-key': key, 'content-type': 'application/json' },
  });
const add = (key: string, n = 1) => ({ label: 'Pay', operations: [{ key, type: 'counter', operation: 'add', arguments: [n] }] });
const counterAt = async (key: string) => (await app().inject(`/v1/records/${key}?type=counter&operation=value`)).json().value;

test('the same request sent twice runs once, and both get the first answer', async () => {
  const first = await post('"k-1"', add('once'));
  const second = await post('"k-1"', add('once'));
  expect([first.statusCode, second.statusCode]).toEqual([200, 200]);
  expect(second.body).toBe(first.body);
  expect([first.headers['idempotency-replayed'], second.headers['idempotency-replayed']]).toEqual([undefined, 'true']);
  expect(await counterAt('once')).toBe(1);
});

test('the key is known at another gateway too', async () => {
  const both = await Promise.all([0, 1].map((gateway) => post('"k-0"', add('everywhere'), gateway)));
  const [first, again] = [both.find(({ statusCode }) => statusCode === 200)!, await post('"k-0"', add('everywhere'), 1)];
  for (const answer of both) expect([200, 409]).toContain(answer.statusCode);
  expect(again.body).toBe(first.body);
  expect(again.headers['idempotency-replayed']).toBe('true');
  expect(await counterAt('everywhere')).toBe(1);
});

test('a request with a key that changes several records gets the same answer as one without a key', async () => {
  const operations = [
    { key: 'many-1', type: 'counter', operation: 'add', arguments: ['9007199254740993'] },
    { key: 'many-2', type: 'dict', operation: 'set', arguments: [{ $: 'x' }] },
    { key: 'many-1', type: 'counter', operation: 'value', arguments: [] },
    { key: 'many-2', type: 'dict', operation: 'all', arguments: [] },
  ];
  expect((await post('"k-m"', { operations })).json().results).toEqual([null, null, 0, {}]);
  const reads = { operations: operations.slice(2) };
  const [first, again] = [await post('"k-n"', reads), await post('"k-n"', reads, 1)];
  expect(first.json().results).toEqual(['9007199254740993', { $: 'x' }]);
  expect(again.body).toBe(first.body);
});

test('other white space or order of members is the same request; another amount is refused', async () => {
  await post('"k-2"', add('amount'));
  expect((await post('"k-2"', JSON.stringify(add('amount'), null, 4))).statusCode).toBe(200);
  const turned = { operations: [{ arguments: [1], operation: 'add', type: 'counter', key: 'amount' }], label: 'Pay' };
  expect((await post('"k-2"', turned)).headers['idempotency-replayed']).toBe('true');
  const other = await post('"k-2"', add('amount', 2));
  expect([other.statusCode, other.json().code]).toEqual([422, 'idempotency_key_reused']);
  expect(await counterAt('amount')).toBe(1);
});

test('a second request is refused while the first one runs, and then gets its answer', async () => {
  const holder = (await app().inject({ method: 'POST', url: '/v1/transactions/interactive', payload: { expires_in_ms: 60_000 } })).json()
    .id as string;
  const read = { operations: [{ key: 'slow', type: 'counter', operation: 'value', arguments: [] }] };
  await app().inject({ method: 'POST', url: `/v1/transactions/interactive/${holder}/operations`, payload: read });
  const first = post('"k-3"', add('slow')); // waits for the reader's lock
  await untilWaiting(cluster.gateways.map(({ host }) => host));
  const second = await post('"k-3"', add('slow'));
  expect([second.statusCode, second.json().code, second.headers['retry-after']]).toEqual([409, 'idempotency_key_in_progress', '1']);
  await app().inject({ method: 'DELETE', url: `/v1/transactions/interactive/${holder}` });
  expect((await first).statusCode).toBe(200);
  expect((await post('"k-3"', add('slow'))).body).toBe((await first).body);
  expect(await counterAt('slow')).toBe(1);
});

test('a refused request does not use up its key', async () => {
  await post('"k-4"', add('typed'));
  const wrong = { operations: [{ key: 'typed', type: 'set', operation: 'size', arguments: [] }] };
  expect((await post('"k-5"', wrong)).json()).toMatchObject({ code: 'wrong_type', commit_state: 'none' });
  const again = await post('"k-5"', add('typed'));
  expect([again.statusCode, again.headers['idempotency-replayed']]).toEqual([200, undefined]);
});

test('a transaction whose answer is too long to be kept is refused without effect', async () => {
  const fields = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`field-${i}`, 'x'.repeat(80)]));
  await app().inject({
    method: 'POST',
    url: '/v1/transactions',
    payload: { operations: [{ key: 'long', type: 'dict', operation: 'set', arguments: [fields] }] },
  });
  const { operations } = add('beside');
  const answer = await post('"k-6"', { operations: [...operations, { key: 'long', type: 'dict', operation: 'all', arguments: [] }] });
  expect([answer.statusCode, answer.json().code]).toEqual([422, 'invalid_answer']);
  expect(await counterAt('beside')).toBe(0);
});

test('a unary Transact with an id commits once, even if it is sent to several gateways', async () => {
  const clients = [cluster.grpcClient(0), cluster.grpcClient(1)] as const;
  const id = Buffer.alloc(16, 7);
  const operations = (n: number) => [
    { key: 'unary', name: 'Counter.add', arguments: [{ integer: n }] },
    { key: 'unary', name: 'Counter.value', arguments: [] },
  ];
  const transact = (client: Client, n: number, as = id) =>
    unary<{ replayed: boolean }>(client, 'Transact', { operations: operations(n), id: as });
  const first = await transact(clients[0], 5);
  const again = await transact(clients[1], 5);
  expect([first.replayed, again.replayed]).toEqual([false, true]);
  expect({ ...again, replayed: false }).toEqual(first);
  expect(await transact(clients[1], 6).then(() => null, unpack)).toMatchObject({
    status: 'INVALID_ARGUMENT',
    code: 'idempotency_key_reused',
  });
  expect(await transact(clients[1], 6, Buffer.alloc(15)).then(() => null, unpack)).toMatchObject({
    status: 'INVALID_ARGUMENT',
    code: 'invalid_request',
  });
  expect(await counterAt('unary')).toBe(5);
});

test.each(['', '"', '"a', '"un\\escaped"', 'two words', 'x'.repeat(256), '""'])('a key like %j is refused', async (key) => {
  const answer = await post(key, add('never'));
  expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_idempotency_key']);
  expect(await counterAt('never')).toBe(0);
});

test('a key with and without quotes is the same key', async () => {
  await post('8e03978e-40d5-43dd-bc93-6894a57f9324', add('bare'));
  const quoted = await post('"8e03978e-40d5-43dd-bc93-6894a57f9324"', add('bare'));
  expect(quoted.headers['idempotency-replayed']).toBe('true');
  expect(await counterAt('bare')).toBe(1);
});
