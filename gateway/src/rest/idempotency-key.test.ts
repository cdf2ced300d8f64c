// The Idempotency-Key header, against a real gateway.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster(1, { idempotencyCountMax: 100 });
});
afterAll(() => cluster.close());

const app = () => cluster.gateways[0]!.rest;
const post = (key: string, payload: object | string) =>
  app().inject({ method: 'POST', url: '/v1/transactions', payload, headers: { 'idempotency-key': key, 'content-type': 'application/json' } });
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

test('white space does not make another request; another amount does, and is refused', async () => {
  await post('"k-2"', add('amount'));
  expect((await post('"k-2"', JSON.stringify(add('amount'), null, 4))).statusCode).toBe(200);
  const other = await post('"k-2"', add('amount', 2));
  expect([other.statusCode, other.json().code]).toEqual([422, 'idempotency_key_reused']);
  expect(await counterAt('amount')).toBe(1);
});

test('while the first runs, the second is told so; afterwards it gets the answer', async () => {
  const holder = (await app().inject({ method: 'POST', url: '/v1/transactions/interactive', payload: { expires_in_ms: 5_000 } })).json().id as string;
  const read = { operations: [{ key: 'slow', type: 'counter', operation: 'value', arguments: [] }] };
  await app().inject({ method: 'POST', url: `/v1/transactions/interactive/${holder}/operations`, payload: read });
  const first = post('"k-3"', add('slow')); // waits for the reader's lock
  await expect.poll(() => cluster.gateways[0]!.host.counters().waiting, { interval: 5 }).toBe(1);
  const second = await post('"k-3"', add('slow'));
  expect([second.statusCode, second.json().code, second.headers['retry-after']]).toEqual([409, 'idempotency_key_in_progress', '1']);
  await app().inject({ method: 'DELETE', url: `/v1/transactions/interactive/${holder}` });
  expect((await first).statusCode).toBe(200);
  expect((await post('"k-3"', add('slow'))).body).toBe((await first).body);
  expect(await counterAt('slow')).toBe(1);
});

test('a final refusal is given again', async () => {
  await post('"k-4"', add('typed'));
  const wrong = { operations: [{ key: 'typed', type: 'set', operation: 'size', arguments: [] }] };
  expect((await post('"k-5"', wrong)).json().code).toBe('wrong_type');
  const again = await post('"k-5"', wrong);
  expect([again.json().code, again.headers['idempotency-replayed']]).toEqual(['wrong_type', 'true']);
});

test.each(['', '"', '"a', '"un\\escaped"', 'two words', 'x'.repeat(256), '""'])('a key like %j is refused', async (key) => {
  const answer = await post(key, add('never'));
  expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_idempotency_key']);
  expect(await counterAt('never')).toBe(0);
});

test('a bare key and the same key in quotes are one', async () => {
  await post('8e03978e-40d5-43dd-bc93-6894a57f9324', add('bare'));
  const quoted = await post('"8e03978e-40d5-43dd-bc93-6894a57f9324"', add('bare'));
  expect(quoted.headers['idempotency-replayed']).toBe('true');
  expect(await counterAt('bare')).toBe(1);
});
