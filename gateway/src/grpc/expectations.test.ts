// Expected results of the unary Transact, at two real gateways.
import { randomBytes } from 'node:crypto';
import type { Client } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { failure, unary } from '../testing/calls.ts';
import type { UnpackedError } from '../testing/calls.ts';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';

let cluster: TestCluster;
let clients: [Client, Client];
beforeAll(async () => {
  cluster = await startCluster(2);
  clients = [cluster.grpcClient(0), cluster.grpcClient(1)];
});
afterAll(() => cluster.close());

type Value = { text: string } | { integer: number | string } | { number: number } | { list: { items: Value[] } } | Record<string, never>;
interface Operation {
  key: string;
  name: string;
  arguments?: Value[];
  expected?: Value;
  at?: string;
}
interface Answer {
  results: Record<string, unknown>[];
  replayed: boolean;
}

const transact = (operations: Operation[], more: { id?: Buffer; way?: string } = {}, gateway = 0) =>
  unary<Answer>(clients[gateway]!, 'Transact', { label: 'Decide', operations, ...more });
const get = (key: string, expected?: Value): Operation => ({ key, name: 'Register.get', ...(expected && { expected }) });
const set = (key: string, value: Value): Operation => ({ key, name: 'Register.set', arguments: [value] });
const add = (key: string): Operation => ({ key, name: 'Counter.add', arguments: [{ integer: 1 }] });
const value = (key: string, expected?: Value): Operation => ({ key, name: 'Counter.value', ...(expected && { expected }) });
const unmetOf = ({ metadata }: UnpackedError): unknown => JSON.parse(metadata['unmet']!);
const ABSENT = {};

test('a list whose expectations hold commits, over both shards', async () => {
  const [price, bids] = [cluster.keyOn(0, 'price'), cluster.keyOn(1, 'bids')];
  await transact([get(price, ABSENT), set(price, { text: 'ten' }), add(bids), value(bids, { integer: 0 })]);
  const { results } = await transact(
    [get(price, { text: 'ten' }), set(price, { integer: 11 }), add(bids), value(bids, { integer: 1 })],
    {},
    1,
  );
  expect(results).toMatchObject([{ text: 'ten' }, {}, {}, { integer: '1' }]);
  expect((await transact([get(price), value(bids)])).results).toMatchObject([{ integer: '11' }, { integer: '2' }]);
});

test('a list of which one does not hold changes nothing, and is told what is so now', async () => {
  const [price, bids] = [cluster.keyOn(1, 'told'), cluster.keyOn(0, 'told')];
  await transact([set(price, { integer: 11 })]);
  const failed = await failure(transact([add(bids), value(bids, { integer: 0 }), get(price, { integer: 10 })]));
  expect(failed).toMatchObject({
    status: 'ABORTED',
    code: 'expectation_failed',
    reason: 'EXPECTATION_FAILED',
    retryInfo: false,
    metadata: { key: price, operation: 'Register.get', retryable: 'false', commit_state: 'none' },
  });
  expect(unmetOf(failed)).toEqual([{ index: 2, result: 11 }]);
  expect(unmetOf(await failure(transact([get('nothing', { text: '' })])))).toEqual([{ index: 0, result: null }]);
  expect((await transact([value(bids)])).results).toMatchObject([{ integer: '0' }]);
});

test('an integer is told from a text, and a list is compared as a whole', async () => {
  const big = `${2n ** 60n}`;
  const list = (...items: Value[]) => ({ list: { items } });
  const all = (fields: Value): Operation => ({ key: 'fields', name: 'Dict.all', expected: fields });
  const fields = list(list({ text: 'a' }, { number: 0.5 }), list({ text: 'b' }, { integer: 2 }));
  await transact([set('kinds', { integer: big }), { key: 'fields', name: 'Dict.set', arguments: [fields] }]);
  expect(unmetOf(await failure(transact([get('kinds', { text: big })])))).toEqual([{ index: 0, result: big }]);
  await transact([get('kinds', { integer: big }), all(fields)]);
  expect(unmetOf(await failure(transact([all(list(list({ text: 'a' }, { number: 0.5 })))])))).toEqual([
    { index: 0, result: { a: 0.5, b: 2 } },
  ]);
});

test('results that trailers have no room for are left out', async () => {
  const [short, long] = ['x'.repeat(200), 'y'.repeat(60_000)];
  await transact([set('short', { text: short }), set('long', { text: long })]);
  const both = await failure(transact([get('long', { text: short }), get('short', { text: long })]));
  expect(unmetOf(both)).toEqual([{ index: 0 }, { index: 1, result: short }]);
  const many = await failure(transact(Array.from({ length: 4_096 }, () => value('many', { integer: 1 }))));
  expect(many.code).toBe('expectation_failed');
  expect(many.metadata['unmet']!.length).toBeLessThan(2_100);
  expect(unmetOf(many)).toContainEqual({ index: 50, result: 0 });
});

test.each<[string, Operation[], string]>([
  [
    'of an operation without a result',
    [{ ...set('m', { integer: 1 }), expected: {} }],
    'operations[0].expected: Register.set has no result.',
  ],
  ['of another kind', [get('m'), value('m-c', { text: '5' })], 'operations[1].expected: Counter.value has a result of the kind integer.'],
  ['of the past', [{ ...get('m', ABSENT), at: '1' }], 'operations[0].expected is about the present, and does not go with `at`.'],
])('an expectation is refused: %s', async (_, operations, message) => {
  const call = transact([...operations, add('untouched')]);
  await expect(call).rejects.toMatchObject({ details: message });
  expect(await failure(call)).toMatchObject({ status: 'INVALID_ARGUMENT', code: 'invalid_request' });
  expect((await transact([value('untouched')])).results).toMatchObject([{ integer: '0' }]);
});

test('a native operation with an expectation is refused alone', async () => {
  const operations = [{ ...add('alone'), expected: { integer: 1 } }, add('alone'), value('alone', { integer: 1 }), value('alone')];
  const { results } = await unary<{ results: { error?: { code: string }; value?: object }[] }>(clients[0], 'Execute', { operations });
  expect(results.map(({ error }) => error?.code)).toEqual(['invalid_request', undefined, 'invalid_request', undefined]);
  expect(results[3]!.value).toMatchObject({ integer: '1' });
});

test('with an id, a list that has committed gets its answer again, and one that has not leaves the id to the next decision', async () => {
  const [price, bids] = [cluster.keyOn(0, 'once'), cluster.keyOn(1, 'once')];
  const id = randomBytes(16);
  const list = (known: Value) => [get(price, known), set(price, { integer: 10 }), add(bids), value(bids)];
  expect(await failure(transact(list({ integer: 1 }), { id }))).toMatchObject({ code: 'expectation_failed' });
  const first = await transact(list(ABSENT), { id });
  expect(first).toMatchObject({ replayed: false });
  expect(await transact(list(ABSENT), { id }, 1)).toEqual({ ...first, replayed: true });
  expect(await failure(transact(list({ integer: 10 }), { id }))).toMatchObject({ code: 'idempotency_key_reused' });
  expect((await transact([value(bids)])).results).toMatchObject([{ integer: '1' }]);
});

test("a list that waits is called off at its call's deadline, and nothing has happened", async () => {
  const { rest } = cluster.gateways[0]!;
  const interactive = (url: string, payload: object) => rest.inject({ method: 'POST', url: `/v1/transactions/interactive${url}`, payload });
  const { id } = (await interactive('', { expires_in_ms: 60_000 })).json() as { id: string };
  await interactive(`/${id}/operations`, { operations: [{ key: 'held', type: 'Register', operation: 'set', arguments: [1] }] });
  const operations = [get('held', ABSENT), set('held', { integer: 2 }), add('beside')];
  const late = unary(clients[1], 'Transact', { operations }, { deadline: Date.now() + 500 });
  expect(await failure(late)).toMatchObject({ status: 'DEADLINE_EXCEEDED' });
  expect((await interactive(`/${id}/commit`, {})).statusCode).toBe(200);
  expect((await transact([get('held', { integer: 1 }), value('beside')])).results).toMatchObject([{ integer: '1' }, { integer: '0' }]);
});

test('callers of both gateways that compare and set at once lose no update', async () => {
  const [register, log] = [cluster.keyOn(1, 'race'), cluster.keyOn(0, 'race')];
  await transact([set(register, { integer: 0 })]);
  let unmet = 0;
  const increment = async (caller: number) => {
    for (let known = 0; ; unmet++) {
      const list = [get(register, { integer: known }), set(register, { integer: known + 1 }), add(log)];
      const failed = await failure(transact(list, {}, caller % 2)).catch(() => null);
      if (failed === null) return;
      expect(failed.code).toBe('expectation_failed');
      known = (unmetOf(failed) as { result: number }[])[0]!.result;
    }
  };
  await Promise.all(Array.from({ length: 30 }, (_, caller) => increment(caller)));
  expect((await transact([get(register), value(log)])).results).toMatchObject([{ integer: '30' }, { integer: '30' }]);
  expect(unmet).toBeGreaterThan(0);
});
