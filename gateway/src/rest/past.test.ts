// The past over REST and gRPC, at two real gateways that keep it, and at gateways that do not.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unary } from '../testing/calls.ts';
import { startCluster, type TestCluster } from '../testing/cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster(2, { pastMs: 60_000 });
});
afterAll(() => cluster.close());

const app = (gateway = 0) => cluster.gateways[gateway]!.rest;
const add = async (key: string): Promise<string> => {
  const payload = { type: 'counter', operation: 'add', arguments: [1] };
  return (await app().inject({ method: 'POST', url: `/v1/records/${key}`, payload })).json().committed_at;
};
const get = (key: string, at: string, operation = 'value', gateway = 0) =>
  app(gateway).inject(`/v1/records/${key}?type=counter&operation=${operation}&at=${encodeURIComponent(at)}`);

test('a record is read as it was, on any shard, and the answer names the time', async () => {
  for (const shard of [0, 1]) {
    const key = cluster.keyOn(shard, 'past');
    const [first, second] = [await add(key), await add(key)];
    for (const gateway of [0, 1]) {
      const answer = await get(key, first, 'value', gateway);
      expect([answer.statusCode, answer.json()]).toEqual([200, { key, value: 1, committed_at: first }]);
    }
    expect((await get(key, second)).json()).toMatchObject({ value: 2 });
    expect((await get(key, String(BigInt(first) - 1n))).json()).toMatchObject({ value: 0 });
  }
});

test('the unary call Execute reads the past too', async () => {
  const key = cluster.keyOn(1, 'execute');
  const first = await add(key);
  await add(key);
  const operations = [
    { key, name: 'Counter.value', at: first },
    { key, name: 'Counter.value' },
    { key, name: 'Counter.add', arguments: [{ integer: 1 }], at: first },
  ];
  const { results } = await unary<{ results: object[] }>(cluster.grpcClient(0), 'Execute', { operations });
  expect(results).toMatchObject([
    { value: { integer: '1' }, at: first },
    { value: { integer: '2' } },
    { error: { code: 'not_read_only' } },
  ]);
});

test('a time is given in any zone', async () => {
  const key = cluster.keyOn(0, 'zone');
  await add(key);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const then = new Date();
  const zoned = `${new Date(then.getTime() + 3_600_000).toISOString().slice(0, -1)}+01:00`;
  await new Promise((resolve) => setTimeout(resolve, 20));
  await add(key);
  for (const at of [then.toISOString(), zoned]) expect((await get(key, at)).json()).toMatchObject({ value: 1 });
});

test.each([
  ['yesterday', 400, 'invalid_request'],
  ['2026-13-01T00:00:00Z', 400, 'invalid_request'],
  ['2026-11-27T15:00:00', 400, 'invalid_request'],
  ['-5', 400, 'invalid_request'],
  ['0', 422, 'out_of_range'],
  ['99999999999999999999', 422, 'out_of_range'],
  [new Date(Date.now() + 3_600_000).toISOString(), 503, 'clock_skew'],
])('the time %s is refused with %i %s', async (at, status, code) => {
  const answer = await get(cluster.keyOn(1, 'refused'), at);
  expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
});

test('what is not kept is gone, and says so', async () => {
  const other = await startCluster(1);
  try {
    const inject = (url: string, payload?: object) =>
      other.gateways[0]!.rest.inject({ method: payload ? 'POST' : 'GET', url, ...(payload && { payload }) });
    const first = (await inject('/v1/records/c', { type: 'counter', operation: 'add', arguments: [1] })).json().committed_at;
    await inject('/v1/records/c', { type: 'counter', operation: 'add', arguments: [1] });
    const answer = await inject(`/v1/records/c?type=counter&operation=value&at=${first}`);
    expect([answer.statusCode, answer.json()]).toMatchObject([410, { code: 'history_gone', key: 'c', retryable: false }]);
  } finally {
    await other.close();
  }
});
