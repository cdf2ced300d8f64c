// The limit on one-shot transactions and natives in flight, and callers that disconnect, over REST and gRPC of a real gateway.
import { request } from 'node:http';
import { connect } from '@claret/client';
import type { Claret } from '@claret/client';
import { credentials, Client } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { claretService, packages } from '../grpc/proto.ts';
import { asIs, unary, unpack } from '../testing/calls.ts';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';

let cluster: TestCluster;
let claret: Claret;
let grpc: Client;
let letGo: () => Promise<unknown>;
let [busy, calm] = ['', ''];

beforeAll(async () => {
  cluster = await startCluster(2, { combining: 'off', callCountMax: 2, transactionMs: 60_000, woundGraceMs: 60_000 });
  claret = await connect({ addresses: [cluster.gateways[0]!.member.grpc], timeoutMs: 60_000 });
  grpc = cluster.grpcClient(0);
  [busy, calm] = [cluster.keyOn(0, 'busy'), cluster.keyOn(1, 'calm')];
});
afterAll(async () => {
  await claret.close();
  await cluster.close();
});

// A transaction adds to the counter. It has voted there, so readers wait for its outcome, and waits for a slow one at the other shard.
beforeEach(async () => {
  let go = () => {};
  const released = new Promise<void>((resolve) => (go = resolve));
  let begun = () => {};
  const holds = new Promise<void>((resolve) => (begun = resolve));
  const holding = claret.transaction('Slow', async (tx) => {
    await tx.counter(calm).value();
    begun();
    await released;
  });
  await holds;
  const voted = claret.transact('Hold', [claret.on.counter(busy).add(1), claret.on.counter(calm).add(1)]);
  await expect.poll(attempts).toBe(1);
  letGo = () => (go(), Promise.all([holding, voted]));
});
afterEach(() => letGo());

const operations = () => [{ key: busy, name: 'Counter.value', arguments: [] }];
const payload = () => ({ operations: [{ key: busy, type: 'counter', operation: 'value' }] });
const rest = () => cluster.gateways[0]!.rest.inject({ method: 'POST', url: '/v1/transactions', payload: payload() });
const attempts = () => cluster.gateways[0]!.host.counters().attemptsInFlight;
const metric = async (series: string) => {
  const lines = (await cluster.gateways[0]!.rest.inject('/metrics')).body.split('\n');
  return Number(
    lines
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')
      .at(-1) ?? 0,
  );
};

test('at the limit, further requests are shed at once with a retryable error, and counted', async () => {
  const shed = (protocol: string) => metric(`claret_shed_total{door="${protocol}",code="overloaded"}`);
  const before = [await shed('rest'), await shed('grpc')];
  const waiting = [rest(), unary(grpc, 'Transact', { operations: operations() })] as const;
  await expect.poll(attempts).toBe(3);
  expect(await metric('claret_calls_at_work')).toBe(2);

  const refused = await rest();
  expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toMatchObject([
    429,
    '1',
    { code: 'overloaded', retryable: true, commit_state: 'none' },
  ]);
  const operation = { key: 'other', type: 'counter', operation: 'add', arguments: [1] };
  const write = await cluster.gateways[0]!.rest.inject({
    method: 'POST',
    url: '/v1/transactions',
    payload: { operations: [operation] },
    headers: { 'idempotency-key': '"k"' },
  });
  expect([write.statusCode, write.json().commit_state], 'it may have been done under its key before').toEqual([429, 'unknown']);
  const named = await unary(grpc, 'Transact', { operations: operations(), id: Buffer.alloc(16, 3) }).then(() => null, unpack);
  expect(named).toMatchObject({ code: 'overloaded', metadata: { commit_state: 'unknown' } });
  const status = await unary(grpc, 'Transact', { operations: operations() }).then(() => null, unpack);
  expect(status).toMatchObject({ status: 'RESOURCE_EXHAUSTED', code: 'overloaded', retryInfo: true });
  const native = await cluster.gateways[0]!.rest.inject('/v1/records/other?type=counter&operation=value');
  expect([native.statusCode, native.json().code]).toEqual([429, 'overloaded']);
  expect(await unary(grpc, 'Execute', { operations: operations() }).then(() => null, unpack)).toMatchObject({ code: 'overloaded' });
  expect([await shed('rest'), await shed('grpc')]).toEqual([before[0]! + 3, before[1]! + 3]);

  await letGo();
  const [first, second] = await Promise.all(waiting);
  expect([first.statusCode, second]).toMatchObject([200, { retries: 0 }]);
  expect(await metric('claret_calls_at_work')).toBe(0);
  const again = await cluster.gateways[0]!.rest.inject({
    method: 'POST',
    url: '/v1/transactions',
    payload: { operations: [operation] },
    headers: { 'idempotency-key': '"k"' },
  });
  expect(again.statusCode, 'the refusal was not kept under its key').toBe(200);
});

test('the transaction of a REST caller that disconnects is called off', async () => {
  const headers = { 'content-type': 'application/json' };
  const asked = request(`http://${cluster.gateways[0]!.member.rest}/v1/transactions`, { method: 'POST', headers });
  asked.on('error', () => undefined).end(JSON.stringify(payload()));
  await expect.poll(attempts).toBe(2);
  asked.destroy();
  await expect.poll(attempts).toBe(1);
});

test("a gRPC caller's transaction ends at the call's deadline or when the caller cancels", async () => {
  const published = packages['claret.v1.Claret'] as unknown as Record<string, { requestSerialize: (request: object) => Buffer }>;
  const bytes = published['Transact']!.requestSerialize({ operations: operations() });
  const own = new Client(cluster.gateways[0]!.member.grpc, credentials.createInsecure());
  const { path } = claretService['Transact']!;
  const call = (deadline: number) => own.makeUnaryRequest(path, asIs, asIs, Buffer.from(bytes), { deadline }, () => undefined);
  const patient = call(Date.now() + 60_000);
  call(Date.now() + 5_000);
  await expect.poll(attempts, { interval: 5 }).toBe(3);
  await expect.poll(attempts).toBe(2);
  patient.cancel();
  await expect.poll(attempts).toBe(1);
  own.close();
});
