// The answers of a gateway while the other shard of two is down.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { failure, unary } from '../testing/calls.ts';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';

let cluster: TestCluster;
let lost: string;
let kept: string;
beforeAll(async () => {
  cluster = await startCluster(2, { transactionMs: 4_000 });
  [kept, lost] = [cluster.keyOn(0, 'kept'), cluster.keyOn(1, 'lost')];
  // Opening a stream may take longer than the time limit of a transaction here.
  await vi.waitFor(async () => expect((await read(lost)).statusCode).toBe(200));
  await vi.waitFor(async () => expect((await read(kept)).statusCode).toBe(200));
  expect((await transact([kept, lost])).statusCode).toBe(200);
  await cluster.gateways[1]!.close();
});
afterAll(() => cluster.close());

const app = () => cluster.gateways[0]!.rest;
const transact = (keys: string[]) =>
  app().inject({
    method: 'POST',
    url: '/v1/transactions',
    payload: { operations: keys.map((key) => ({ key, type: 'counter', operation: 'add', arguments: [1] })) },
  });
const read = (key: string) => app().inject(`/v1/records/${key}?type=counter&operation=value`);

test('a read of the other shard gets a retryable shard_unavailable', async () => {
  const answer = await read(lost);
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1']);
  expect(answer.json()).toMatchObject({ code: 'shard_unavailable', retryable: true, commit_state: 'none' });
});

test('a transaction over both shards gets the same error and has no effect', async () => {
  const answer = await transact([kept, lost]);
  expect([answer.statusCode, answer.json().code]).toEqual([503, 'shard_unavailable']);
  const operations = [{ key: lost, name: 'Counter.value', arguments: [] }];
  expect(await failure(unary(cluster.grpcClient(0), 'Transact', { operations }))).toMatchObject({
    status: 'UNAVAILABLE',
    code: 'shard_unavailable',
    retryInfo: true,
  });
  expect((await read(kept)).json().value).toBe(1);
});

test('records of the own shard are served, and the gateway stays ready', async () => {
  expect((await transact([kept])).statusCode).toBe(200);
  expect((await app().inject('/readyz')).statusCode).toBe(200);
});
