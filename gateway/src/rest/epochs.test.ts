// Lists of operations as members of epochs, over REST and gRPC.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster, type TestCluster } from '../testing/cluster.ts';
import { failure, unary } from '../testing/calls.ts';

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await startCluster(2);
});
afterAll(() => cluster.close());

const post = (payload: unknown) =>
  cluster.gateways[0]!.rest.inject({ method: 'POST', url: '/v1/transactions', payload: payload as object });
const keys = [0, 1].flatMap((shard) => [`a${shard}`, `b${shard}`].map((stem) => ({ shard, stem })));
const members = () => cluster.gateways.reduce((sum, { host }) => sum + host.counters().epochMembers, 0);

test('a list over several shards is a member of an epoch if it asks for that', async () => {
  const operations = keys.map(({ shard, stem }) => ({
    key: cluster.keyOn(shard, stem),
    type: 'Register',
    operation: 'set',
    arguments: [stem],
  }));
  // The gateways have to connect first; until then a list goes by locks.
  await expect
    .poll(async () => {
      expect((await post({ label: 'Import', operations, way: 'epoch' })).statusCode).toBe(200);
      return members();
    })
    .toBeGreaterThan(0);
  const before = members();
  const read = operations.map(({ key, type }) => ({ key, type, operation: 'get' }));
  expect((await post({ operations: read, way: 'epoch' })).json()).toMatchObject({ results: keys.map(({ stem }) => stem), retries: 0 });
  expect((await post({ operations: read, way: 'locks' })).json()).toMatchObject({ results: keys.map(({ stem }) => stem) });
  expect(members() - before).toBe(2);
});

test('a way that there is not is refused', async () => {
  const operations = [{ key: 'x', type: 'Register', operation: 'get' }];
  expect((await post({ operations, way: 'boat' })).json()).toMatchObject({ status: 400, code: 'invalid_request' });
  const request = { operations: [{ key: 'x', name: 'Register.get' }], way: 'boat' };
  expect((await failure(unary(cluster.grpcClient(0), 'Transact', request))).code).toBe('invalid_request');
});

test('gRPC takes the way too', async () => {
  const before = members();
  const operations = keys.map(({ shard, stem }) => ({ key: cluster.keyOn(shard, stem), name: 'Register.get' }));
  const { results } = await unary<{ results: object[] }>(cluster.grpcClient(0), 'Transact', { label: 'Read', operations, way: 'epoch' });
  expect(results).toHaveLength(4);
  expect(members() - before).toBe(2);
});
