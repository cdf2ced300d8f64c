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

beforeAll(async () => {
  cluster = await startCluster(1, { natives: 'wait', callCountMax: 2, idleMs: 60_000, woundGraceMs: 60_000 });
  claret = await connect({ addresses: [cluster.gateways[0]!.member.grpc] });
  grpc = cluster.grpcClient(0);
});
afterAll(async () => {
  await claret.close();
  await cluster.close();
});

// A slow transaction adds to the counter, so readers wait for its lock (under `natives: wait`: it has not voted).
beforeEach(async () => {
  let go = () => {};
  const released = new Promise<void>((resolve) => (go = resolve));
  let begun = () => {};
  const holds = new Promise<void>((resolve) => (begun = resolve));
  const holding = claret.transaction(
    'Hold',
    async (tx) => {
      await tx.counter('busy').add(1);
      begun();
      await released;
    },
    { now: true },
  );
  await holds;
  letGo = () => (go(), holding);
});
afterEach(() => letGo());

const operations = [{ key: 'busy', name: 'Counter.value', arguments: [] }];
const READ = { operations: [{ key: 'busy', type: 'counter', operation: 'value' }] };
const rest = () => cluster.gateways[0]!.rest.inject({ method: 'POST', url: '/v1/transactions', payload: READ });
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
  const waiting = [rest(), unary(grpc, 'Transact', { operations })] as const;
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
  const named = await unary(grpc, 'Transact', { operations, id: Buffer.alloc(16, 3) }).then(() => null, unpack);
  expect(named).toMatchObject({ code: 'overloaded', metadata: { commit_state: 'unknown' } });
  const status = await unary(grpc, 'Transact', { operations }).then(() => null, unpack);
  expect(status).toMatchObject({ status: 'RESOURCE_EXHAUSTED', code: 'overloaded', retryInfo: true });
  const native = await cluster.gateways[0]!.rest.inject('/v1/records/other?type=counter&operation=value');
  expect([native.statusCode, native.json().code]).toEqual([429, 'overloaded']);
  expect(await unary(grpc, 'Execute', { operations }).then(() => null, unpack)).toMatchObject({ code: 'overloaded' });
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
  asked.on('error', () => undefined).end(JSON.stringify(READ));
  await expect.poll(attempts).toBe(2);
  asked.destroy();
  await expect.poll(attempts).toBe(1);
});

test("a gRPC caller's transaction ends at the call's deadline or when the caller cancels", async () => {
  const published = packages['claret.v1.Claret'] as unknown as Record<string, { requestSerialize: (request: object) => Buffer }>;
  const bytes = published['Transact']!.requestSerialize({ operations });
  const own = new Client(cluster.gateways[0]!.member.grpc, credentials.createInsecure());
  const { path } = claretService['Transact']!;
  const call = (deadline: number) => own.makeUnaryRequest(path, asIs, asIs, Buffer.from(bytes), { deadline }, () => undefined);
  const patient = call(Date.now() + 60_000);
  call(Date.now() + 300);
  await expect.poll(attempts).toBe(3);
  await expect.poll(attempts).toBe(2);
  patient.cancel();
  await expect.poll(attempts).toBe(1);
  own.close();
});
