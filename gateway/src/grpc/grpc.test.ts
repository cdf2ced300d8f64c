// gRPC over two real gateways: the successful answers of each call, and the standard services.
import type { Client } from '@grpc/grpc-js';
import { service as healthService } from 'grpc-health-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure, openSession, asIs, clientFrame, serverFrame, unary, unaryRaw } from '../testing/calls.ts';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';
import { bytesField } from './protobuf.ts';

let cluster: TestCluster;
let grpc: Client;
beforeAll(async () => {
  cluster = await startCluster(2);
  grpc = cluster.grpcClient(0);
});
afterAll(() => cluster.close());

const health = (client: Client, name: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { path, requestSerialize, responseDeserialize } = healthService['Check'] as never as {
      path: string;
      requestSerialize: (v: object) => Buffer;
      responseDeserialize: (b: Buffer) => { status: string };
    };
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, { service: name }, (error, answer) =>
      error ? reject(error) : resolve(answer!.status),
    );
  });

describe('Transact', () => {
  const integer = (n: bigint | number) => ({ integer: n.toString() });

  test('runs operations on any shard, by name or by code', async () => {
    const [here, there] = [cluster.keyOn(0, 'here'), cluster.keyOn(1, 'there')];
    const { types } = JSON.parse((await unary<{ json: string }>(grpc, 'GetCatalogue', {})).json) as {
      types: { name: string; operations: { name: string; code: number }[] }[];
    };
    const code = types.find(({ name }) => name === 'Counter')!.operations.find(({ name }) => name === 'add')!.code;
    const operations = [
      { key: here, code, arguments: [integer(5)] },
      { key: there, name: 'Counter.add', arguments: [integer(2n ** 60n)] },
      { key: here, name: 'Counter.value', arguments: [] },
    ];
    const answer = await unary<{ results: object[]; committedAt: string; retries: number }>(grpc, 'Transact', {
      label: 'Span',
      operations,
    });
    expect(answer.results.map((result) => (result as { integer?: string }).integer)).toEqual([undefined, undefined, '0']);
    expect([BigInt(answer.committedAt) > 0n, answer.retries]).toEqual([true, 0]);
    const read = await unary<{ results: { integer: string }[] }>(cluster.grpcClient(1), 'Transact', {
      operations: [here, there].map((key) => ({ key, name: 'Counter.value', arguments: [] })),
    });
    expect(read.results.map((result) => result.integer)).toEqual(['5', (2n ** 60n).toString()]);
  });

  test('encodes fields as pairs, scores as numbers and absent values as empty messages', async () => {
    const pair = (field: string, value: object) => ({ list: { items: [{ text: field }, value] } });
    const fields = { list: { items: [pair('__proto__', { text: 'p' }), pair('n', integer(3))] } };
    const answer = await unary<{ results: unknown[] }>(grpc, 'Transact', {
      operations: [
        { key: 'wire-dict', name: 'Dict.set', arguments: [fields] },
        { key: 'wire-top', name: 'TopK.add', arguments: [{ text: 'a' }, integer(4)] },
        { key: 'wire-top', name: 'TopK.add', arguments: [{ text: 'b' }, { number: 4.5 }] },
      ],
    });
    expect(answer.results).toHaveLength(3);
    const read = await unary<{ results: unknown[] }>(grpc, 'Transact', {
      operations: [
        { key: 'wire-dict', name: 'Dict.all', arguments: [] },
        { key: 'wire-top', name: 'TopK.top', arguments: [integer(5)] },
        { key: 'wire-none', name: 'Register.get', arguments: [] },
      ],
    });
    expect(read.results).toMatchObject([
      {
        list: {
          items: [{ list: { items: [{ text: '__proto__' }, { text: 'p' }] } }, { list: { items: [{ text: 'n' }, { integer: '3' }] } }],
        },
      },
      { list: { items: [{ list: { items: [{ text: 'b' }, { number: 4.5 }] } }, { list: { items: [{ text: 'a' }, { integer: '4' }] } }] } },
      {},
    ]);
  });
});

describe('Execute', () => {
  interface Result {
    result: 'value' | 'error';
    at: string;
    value?: object;
    error?: { code: string; message: string; key: string; operation: string; retryable: boolean };
  }
  const execute = async (operations: object[]) => (await unary<{ results: Result[] }>(grpc, 'Execute', { operations })).results;
  const begun = () => cluster.gateways.reduce((sum, { host }) => sum + host.counters().begun, 0);

  test('executes operations on any shard, those on one record in order, and runs no transaction', async () => {
    const before = begun();
    const [here, there] = [cluster.keyOn(0, 'native'), cluster.keyOn(1, 'native')];
    const results = await execute([
      { key: here, name: 'Counter.add', arguments: [{ integer: 5 }] },
      { key: there, name: 'Set.add', arguments: [{ text: 'x' }] },
      { key: here, name: 'Counter.value' },
      { key: there, name: 'Set.size' },
    ]);
    expect(results).toMatchObject([{ value: {} }, { value: {} }, { value: { integer: '5' } }, { value: { integer: '1' } }]);
    expect(begun()).toBe(before);
    expect(BigInt(results[0]!.at)).toBeLessThan(BigInt(results[2]!.at));
  });

  test('of an operation that is refused answers its error in its place, and executes the others', async () => {
    const key = cluster.keyOn(1, 'alone');
    const results = await execute([
      { key, name: 'BoundedCounter.increment', arguments: [{ integer: 2 }] },
      { key, name: 'BoundedCounter.decrement', arguments: [{ integer: 3 }] },
      { key, name: 'Set.size' },
      { key, name: 'BoundedCounter.halve' },
      { key, name: 'BoundedCounter.decrement', arguments: [{ text: 'one' }] },
      { key, name: 'BoundedCounter.value' },
    ]);
    expect(results.map(({ result, error }) => (result === 'value' ? result : error!.code))).toEqual([
      'value',
      'below_bound',
      'wrong_type',
      'unknown_operation',
      'wrong_argument_type',
      'value',
    ]);
    expect(results[1]!.error).toMatchObject({ key, operation: 'BoundedCounter.decrement', retryable: false });
    expect(results[5]!.value).toMatchObject({ integer: '2' });
  });

  test('takes any number of operations up to 4,096', async () => {
    const operations = (count: number) => Array.from({ length: count }, () => ({ key: 'k', name: 'Counter.value' }));
    expect(await execute([])).toEqual([]);
    expect(await execute(operations(4_096))).toHaveLength(4_096);
    expect(await failure(execute(operations(4_097)))).toMatchObject({ status: 'INVALID_ARGUMENT', code: 'too_many_operations' });
  });

  test.each([
    ['is no message', Buffer.from('ff00ff00', 'hex'), 'malformed_frame'],
    ['has a key that is no UTF-8', bytesField(1, bytesField(1, Buffer.from([0xc3, 0x28]))), 'invalid_utf8'],
  ])('of a request that %s executes nothing', async (_name, bytes, code) => {
    const good = bytesField(1, Buffer.concat([bytesField(1, 'untouched'), bytesField(4, 'UIdGenerator.next')]));
    expect(await failure(unaryRaw(grpc, 'Execute', Buffer.concat([good, bytes])))).toMatchObject({ status: 'INVALID_ARGUMENT', code });
    expect(await execute([{ key: 'untouched', name: 'Counter.value' }])).toMatchObject([{ value: { integer: '0' } }]);
  });
});

test('GetTopology names the shards, their addresses and slots', async () => {
  const { version, durability, replicated, shards, standbys } = await unary(grpc, 'GetTopology', {});
  expect([version, durability, replicated, standbys]).toEqual(['1', 'none', false, []]);
  expect(shards).toMatchObject([
    { shard: 0, address: cluster.gateways[0]!.member.grpc, slots: [{ first: 0, last: 8191, version: 0 }] },
    { shard: 1, restAddress: cluster.gateways[1]!.member.rest },
  ]);
});

describe('SetConditions', () => {
  const start = { locks: 'abstract', phasing: true, combining: 'auto', warranties: 'off' };
  const everywhere = () => Promise.all([0, 1].map((shard) => unary(cluster.grpcClient(shard), 'GetConditions', {})));

  test('reaches the whole cluster', async () => {
    const wanted = { locks: 'rw', phasing: true, combining: 'off', warranties: 'auto' };
    expect(await unary(grpc, 'SetConditions', { conditions: wanted })).toMatchObject(wanted);
    expect(await everywhere()).toMatchObject([wanted, wanted]);
    const { warranties: _, ...others } = start;
    await unary(grpc, 'SetConditions', { conditions: others });
    expect(await everywhere(), 'what is not named stays').toMatchObject([{ warranties: 'auto' }, { warranties: 'auto' }]);
  });

  test('with local_only reaches one shard', async () => {
    await unary(grpc, 'SetConditions', { conditions: start });
    const wanted = { locks: 'rw', phasing: false, combining: 'auto' };
    await unary(grpc, 'SetConditions', { conditions: wanted, localOnly: true });
    expect(await everywhere()).toMatchObject([wanted, start]);
    await unary(grpc, 'SetConditions', { conditions: start });
  });
});

test('health says SERVING for the server and the service', async () => {
  expect([await health(grpc, ''), await health(grpc, 'claret.v1.Claret')]).toEqual(['SERVING', 'SERVING']);
});

test.each(['v1', 'v1alpha'])('reflection (%s) lists the services and describes Claret', async (version) => {
  const stream = grpc.makeBidiStreamRequest<Buffer, Buffer>(
    `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
    asIs,
    asIs,
  );
  const answers: string[] = [];
  stream.on('data', (bytes: Buffer) => answers.push(bytes.toString('latin1')));
  const ended = new Promise((resolve) => stream.on('end', resolve));
  stream.write(bytesField(7, '')); // list_services
  stream.write(bytesField(4, 'claret.v1.Claret')); // file_containing_symbol
  stream.write(bytesField(4, 'grpc.health.v1.Health'));
  stream.end();
  await ended;
  expect(answers[0]).toContain('claret.v1.Claret');
  expect(answers[0]).toContain('grpc.health.v1.Health');
  expect(answers[1]).toContain('TransactRequest');
  // Clients in Go (grpcurl, k6) refuse a file with an empty reserved_range, or with a wrong name for the message of a map.
  expect(answers[1]).toMatch(/\x4a\x04\x08\x0d\x10\x0e/s);
  expect(answers[1]).not.toMatch(/\x4a\x04\x08(.)\x10\1/s);
  expect(answers[2]).toContain('StatusesEntry');
});

describe('a Session', () => {
  test('gets a welcome with the incarnation, and runs a transaction in raw frames', async () => {
    const { incarnation } = cluster.gateways[0]!;
    const key = cluster.keyOn(0, 'raw');
    const stream = openSession(grpc);
    const frames: ReturnType<typeof serverFrame>[] = [];
    stream.on('data', (bytes: Buffer) => frames.push(serverFrame(bytes)));
    stream.write(clientFrame({ sequence: 1, hello: { protocol: 1, name: 'raw' } }));
    await expect.poll(() => frames.length, { interval: 5 }).toBe(1);
    expect(frames[0]).toMatchObject({
      sequence: '1',
      welcome: { protocol: 1, shard: 0, incarnation: String(incarnation) },
      conditions: { locks: 'abstract' },
    });

    const begin = { id: Buffer.alloc(16, 7), label: 'Raw', priority: 1, expiresInMs: 1000 };
    const operations = [
      { key, name: 'Counter.add', arguments: [{ integer: 4 }] },
      { key, name: 'Counter.value', arguments: [] },
    ];
    stream.write(clientFrame({ sequence: 2, acknowledged: 1, incarnation, requests: [{ attempt: 1, begin, operations, prepare: {} }] }));
    await expect.poll(() => frames.flatMap((frame) => frame.replies).length, { interval: 5 }).toBe(1);
    const [reply] = frames.flatMap((frame) => frame.replies);
    expect(reply).toMatchObject({ attempt: '1', results: [{ integer: '0' }], error: null });
    expect(BigInt(reply.committedAt)).toBeGreaterThan(0n);
    stream.end();
  });

  test('that does not read is subject to backpressure, and misses nothing once it reads', async () => {
    const { incarnation, host } = cluster.gateways[0]!;
    const key = cluster.keyOn(0, 'big');
    const members = Array.from({ length: 300 }, (_, i) => ({ key, name: 'Set.add', arguments: [{ text: `${i}`.padEnd(120, '.') }] }));
    await unary(grpc, 'Transact', { operations: members });
    const requests = 100; // in total less than 4 MiB, a client's default limit on one message
    const stream = openSession(cluster.grpcClient(0));
    stream.on('error', () => {});
    // grpc-js applies backpressure only to a stream that has been read from: the welcome is read, and then nothing.
    const welcomed = new Promise<void>((resolve) => stream.once('data', () => resolve(void stream.pause())));
    stream.write(clientFrame({ sequence: 1, hello: { protocol: 1 } }));
    await welcomed;
    const framesBefore = host.counters().framesOut;
    for (let i = 1; i <= requests; i++) {
      const begin = { id: Buffer.from(`${i}`.padStart(16, '0')), priority: i };
      const operations = [{ key, name: 'Set.members', arguments: [{ integer: 300 }, {}] }];
      stream.write(clientFrame({ sequence: i + 1, incarnation, requests: [{ attempt: i, begin, operations, prepare: {} }] }));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await expect.poll(() => host.counters().framesIn, { interval: 5 }).toBeGreaterThan(requests);
    expect(host.counters().framesOut - framesBefore).toBeLessThan(requests / 2);

    const attempts: string[] = [];
    stream.on('data', (bytes: Buffer) => {
      for (const reply of serverFrame(bytes).replies) {
        expect([reply.error, reply.results[0].list.items.length]).toEqual([null, 300]);
        attempts.push(reply.attempt);
      }
    });
    stream.resume();
    await expect.poll(() => attempts.length, { interval: 10 }).toBe(requests);
    expect(attempts).toEqual(Array.from({ length: requests }, (_, i) => String(i + 1)));
    stream.cancel();
  });

  test('that ends releases its locks', async () => {
    const { incarnation, host } = cluster.gateways[0]!;
    const key = cluster.keyOn(0, 'left-behind');
    const stream = openSession(grpc);
    stream.on('data', () => {});
    stream.on('error', () => {});
    stream.write(clientFrame({ sequence: 1, hello: { protocol: 1 } }));
    const begin = { id: Buffer.alloc(16, 9), label: 'Left', priority: 1, expiresInMs: 60_000 };
    stream.write(
      clientFrame({
        sequence: 2,
        incarnation,
        requests: [{ attempt: 1, begin, operations: [{ key, name: 'Counter.value', arguments: [] }] }],
      }),
    );
    await expect.poll(() => host.counters().attemptsInFlight, { interval: 5 }).toBe(1);
    stream.cancel();
    await expect.poll(() => host.counters().attemptsInFlight, { interval: 5 }).toBe(0);
  });
});

test('a closing gateway reports NOT_SERVING first, while open work may still finish', async () => {
  const closing = await startCluster(1, { drainMs: 60_000 });
  const [gateway] = closing.gateways;
  const client = closing.grpcClient(0);
  const stream = openSession(client);
  stream.on('data', () => {});
  stream.on('error', () => {});
  const { incarnation } = gateway!;
  const begin = { id: Buffer.alloc(16, 3), label: 'Open', priority: 1, expiresInMs: 60_000 };
  stream.write(clientFrame({ sequence: 1, hello: { protocol: 1 } }));
  stream.write(
    clientFrame({ sequence: 2, incarnation, requests: [{ attempt: 1, begin, operations: [{ key: 'a', name: 'Counter.value' }] }] }),
  );
  await expect.poll(() => gateway!.host.counters().attemptsInFlight, { interval: 5 }).toBe(1);
  const closed = gateway!.close();
  expect(await health(client, '')).toBe('NOT_SERVING');
  expect((await gateway!.rest.inject('/readyz')).json()).toEqual({ status: 'unavailable', phase: 'closing' });
  const late = await gateway!.rest.inject('/v1/records/a?type=counter&operation=value');
  expect([late.statusCode, late.json().code]).toEqual([503, 'closing']);
  stream.write(clientFrame({ sequence: 3, incarnation, requests: [{ attempt: 1, sentBefore: 1, prepare: {} }] }));
  await closed;
  const { commits, homeCommits, latencies, latencyTotalMs } = gateway!.host.counters();
  expect([commits, homeCommits, latencies.length, latencies[0]![1]]).toEqual([1, 1, 1, 1]);
  expect(latencyTotalMs).toBeGreaterThan(0);
  await closing.close();
});

test('retryable errors carry RetryInfo', async () => {
  const wanted = { locks: 'rw', phasing: true, combining: 'auto' };
  const alone = await startCluster(2);
  await alone.gateways[1]!.close();
  const refused = await failure(unary(alone.grpcClient(0), 'SetConditions', { conditions: wanted }));
  expect(refused).toMatchObject({ status: 'UNAVAILABLE', code: 'shard_unavailable', retryInfo: true, metadata: { retryable: 'true' } });
  expect(JSON.parse(refused.metadata['shards']!)).toMatchObject([
    { shard: 0, conditions: { locks: 'abstract' } },
    { shard: 1, conditions: null },
  ]);
  await alone.close();
});
