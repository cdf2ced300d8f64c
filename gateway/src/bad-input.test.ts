// Bad input over REST and gRPC: each kind has its own stable code, changes nothing and keeps no lock, and the gateway stays alive.
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { Client } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { bytesField } from './grpc/protobuf.ts';
import { clientFrame, failure, openSession, serverFrame, unary, unaryRaw } from './testing/calls.ts';
import { startCluster } from './testing/cluster.ts';
import type { TestCluster } from './testing/cluster.ts';

const LIMIT = 256 * 1024;
let cluster: TestCluster;
let grpc: Client;
let counter: string;
let dict: string;

beforeAll(async () => {
  cluster = await startCluster(2, { bodyBytesMax: LIMIT, frameBytesMax: LIMIT });
  grpc = cluster.grpcClient(0);
  counter = cluster.keyOn(1, 'counter');
  dict = cluster.keyOn(0, 'dict');
  const seed = await rest([
    { key: counter, type: 'counter', operation: 'add', arguments: [7] },
    { key: dict, type: 'dict', operation: 'set', arguments: [{ name: 'x' }] },
  ]);
  expect(seed.statusCode).toBe(200);
});
afterAll(() => cluster.close());

// After each test the records are unchanged, no lock is held, and both shards answer.
afterEach(async () => {
  const check = await rest([
    { key: counter, type: 'counter', operation: 'value', arguments: [] },
    { key: dict, type: 'dict', operation: 'all', arguments: [] },
  ]);
  expect([check.statusCode, check.json().results]).toEqual([200, [7, { name: 'x' }]]);
  await expect.poll(() => cluster.gateways.map(({ host }) => host.counters().attemptsInFlight), { interval: 5 }).toEqual([0, 0]);
});

interface Named {
  key: string;
  type: string;
  operation: string;
  arguments: unknown[];
}
const app = () => cluster.gateways[0]!.rest;
const rest = (operations: object[]) => app().inject({ method: 'POST', url: '/v1/transactions', payload: { label: 'Bad', operations } });
const raw = (body: string | Buffer, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  app().inject({ method: 'POST', url: '/v1/transactions', payload: body, headers });

function wireValue(value: unknown): object {
  if (value === null) return {};
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value))) return { integer: value.toString() };
  if (typeof value === 'number') return { number: value };
  if (typeof value === 'boolean') return { boolean: value };
  if (typeof value === 'string') return { text: value };
  if (Array.isArray(value)) return { list: { items: value.map(wireValue) } };
  return { list: { items: Object.entries(value as object).map(wireValue) } };
}
const transact = (operations: Named[]) =>
  unary(grpc, 'Transact', {
    label: 'Bad',
    operations: operations.map((o) => ({ key: o.key, name: `${o.type}.${o.operation}`, arguments: o.arguments.map(wireValue) })),
  });

describe('an operation that', () => {
  const on =
    (type: string, operation: string, ...args: unknown[]) =>
    (key: string): Named => ({ key, type, operation, arguments: args });
  const rows: [string, (key: string) => Named, string, number, string][] = [
    ['is of an unknown type', on('ledger', 'add', 1), 'unknown_type', 400, 'INVALID_ARGUMENT'],
    ['is of a type named __proto__', on('__proto__', 'add', 1), 'unknown_type', 400, 'INVALID_ARGUMENT'],
    ['is unknown to its type', on('counter', 'double'), 'unknown_operation', 400, 'INVALID_ARGUMENT'],
    ['is named constructor', on('counter', 'constructor'), 'unknown_operation', 400, 'INVALID_ARGUMENT'],
    ['has too few arguments', on('counter', 'add'), 'wrong_argument_count', 400, 'INVALID_ARGUMENT'],
    ['has too many arguments', on('counter', 'value', 1), 'wrong_argument_count', 400, 'INVALID_ARGUMENT'],
    ['takes an integer and gets a boolean', on('counter', 'add', true), 'wrong_argument_type', 400, 'INVALID_ARGUMENT'],
    ['takes an integer and gets a fraction', on('counter', 'add', 1.5), 'wrong_argument_type', 400, 'INVALID_ARGUMENT'],
    ['takes an integer and gets a word', on('counter', 'add', 'three'), 'wrong_argument_type', 400, 'INVALID_ARGUMENT'],
    ['takes an integer and gets nothing', on('counter', 'add', null), 'wrong_argument_type', 400, 'INVALID_ARGUMENT'],
    ['takes an integer and gets a list', on('counter', 'add', [1]), 'wrong_argument_type', 400, 'INVALID_ARGUMENT'],
    ['takes a text and gets a number', on('set', 'add', 5), 'wrong_argument_type', 400, 'INVALID_ARGUMENT'],
    ['takes fields and gets a text', on('dict', 'set', 'a'), 'wrong_argument_type', 400, 'INVALID_ARGUMENT'],
    ['takes fields and gets half a pair', on('dict', 'set', [['a']]), 'wrong_argument_type', 400, 'INVALID_ARGUMENT'],
    ['takes fields and gets a list within', on('dict', 'set', { a: [1] }), 'wrong_argument_type', 400, 'INVALID_ARGUMENT'],
    ['takes a score and gets a word', on('topk', 'add', 'item', 'high'), 'wrong_argument_type', 400, 'INVALID_ARGUMENT'],
    ['has a text over its limit', on('set', 'add', 'x'.repeat(64 * 1024 + 1)), 'argument_too_large', 400, 'INVALID_ARGUMENT'],
  ];
  test.each(rows)('%s is refused by REST and gRPC alike', async (_name, make, code, http, status) => {
    const operation = make(counter);
    const answer = await rest([operation]);
    expect([answer.statusCode, answer.json().code, answer.headers['content-type']]).toEqual([http, code, 'application/problem+json']);
    expect(answer.json()).toMatchObject({ key: counter, retryable: false, commit_state: 'none' });
    const refused = await failure(transact([operation]));
    expect(refused).toMatchObject({ status, code, reason: code.toUpperCase(), domain: 'claret', retryInfo: false });
  });

  test.each([
    [
      'is of another type than the record',
      (): Named => ({ key: counter, type: 'set', operation: 'size', arguments: [] }),
      'wrong_type',
      409,
      'FAILED_PRECONDITION',
    ],
    [
      'increments a field that holds a text',
      (): Named => ({ key: dict, type: 'dict', operation: 'increment', arguments: ['name', 1] }),
      'not_an_integer',
      409,
      'FAILED_PRECONDITION',
    ],
    [
      'would take a counter out of its range',
      (): Named => ({ key: counter, type: 'counter', operation: 'add', arguments: ['9223372036854775807'] }),
      'out_of_range',
      422,
      'OUT_OF_RANGE',
    ],
    [
      'takes more than a bounded counter holds',
      (): Named => ({ key: 'empty-stock', type: 'boundedCounter', operation: 'decrement', arguments: [1] }),
      'below_bound',
      409,
      'FAILED_PRECONDITION',
    ],
  ])('%s is refused by the shard, with its key', async (_name, make, code, http, status) => {
    const operation = make();
    const answer = await rest([operation]);
    expect([answer.statusCode, answer.json().code, answer.json().key]).toEqual([http, code, operation.key]);
    const exact = operation.arguments.map((value) => (typeof value === 'string' && /^\d+$/.test(value) ? BigInt(value) : value));
    expect(await failure(transact([{ ...operation, arguments: exact }]))).toMatchObject({ status, code, metadata: { key: operation.key } });
  });

  test('is refused also fails the valid operations of its transaction, on any shard', async () => {
    const bad = { key: counter, type: 'set', operation: 'size', arguments: [] };
    for (const key of [cluster.keyOn(0, 'beside'), cluster.keyOn(1, 'beside')]) {
      expect((await rest([{ key, type: 'counter', operation: 'add', arguments: [1] }, bad])).json().code).toBe('wrong_type');
      expect((await rest([{ key, type: 'counter', operation: 'value', arguments: [] }])).json().results).toEqual([0]);
    }
  });
});

describe('more operations than 4,096', () => {
  const reads = (count: number) => Array.from({ length: count }, () => ({ key: 'k', type: 'counter', operation: 'value' }));
  const post = (url: string, payload: object) => app().inject({ method: 'POST', url, payload });

  test('are refused by REST, in one call or in one step of an interactive transaction', async () => {
    expect((await rest(reads(4_096))).statusCode).toBe(200);
    const refused = await rest(reads(4_097));
    expect([refused.statusCode, refused.json().code, refused.json().detail]).toEqual([
      400,
      'too_many_operations',
      'One call may carry 4096 operations, and this one has 4097.',
    ]);
    const { id } = (await post('/v1/transactions/interactive', {})).json();
    const step = await post(`/v1/transactions/interactive/${id}/operations`, { operations: reads(4_097) });
    expect([step.statusCode, step.json().code]).toEqual([400, 'too_many_operations']);
  });

  test('are refused by Transact', async () => {
    const operations = (count: number) => Array.from({ length: count }, () => ({ key: 'k', name: 'Counter.value' }));
    await unary(grpc, 'Transact', { operations: operations(4_096) });
    expect(await failure(unary(grpc, 'Transact', { operations: operations(4_097) }))).toMatchObject({
      status: 'INVALID_ARGUMENT',
      code: 'too_many_operations',
    });
  });
});

test('a repeated member of a body is refused, with its name', async () => {
  const answer = await raw(`{"operations":[{"key":"${counter}","type":"counter","operation":"add","arguments":[1],"arguments":[2]}]}`);
  expect([answer.statusCode, answer.json().code, answer.json().detail]).toEqual([
    400,
    'invalid_request',
    'The member "arguments" stands twice in one object.',
  ]);
});

describe('an integer or number:', () => {
  const bodyWith = (argument: string, type = 'counter') =>
    type === 'counter'
      ? `{"operations":[{"key":"${counter}","type":"counter","operation":"add","arguments":[${argument}]}]}`
      : `{"operations":[{"key":"top","type":"topk","operation":"add","arguments":["a",${argument}]}]}`;
  test.each([
    ['a JSON number above 2^53', '9007199254740993', 'counter', 422, 'out_of_range'],
    ['a JSON number below -2^53', '-9007199254740993', 'counter', 422, 'out_of_range'],
    ['a JSON number beyond double', '1e999', 'topk', 422, 'out_of_range'],
    ['a string beyond 64 bits', '"9223372036854775808"', 'counter', 422, 'out_of_range'],
    ['a string far beyond 64 bits', `"${'9'.repeat(500)}"`, 'counter', 422, 'out_of_range'],
    ['the string NaN as an integer', '"NaN"', 'counter', 400, 'not_finite'],
    ['the string NaN as a score', '"NaN"', 'topk', 400, 'not_finite'],
    ['the string -Infinity as a score', '"-Infinity"', 'topk', 400, 'not_finite'],
    ['a bare NaN', 'NaN', 'topk', 400, 'malformed_json'],
  ])('%s is refused', async (_name, argument, type, http, code) => {
    const answer = await raw(bodyWith(argument, type));
    expect([answer.statusCode, answer.json().code]).toEqual([http, code]);
  });

  test.each(['1e308', '-1.5e300', '1.7976931348623157e308'])('a score of %s is an ordinary double', async (score) => {
    const top = { key: `top ${score}`, type: 'topk' };
    const body = `{"operations":[{"key":"${top.key}","type":"topk","operation":"add","arguments":["a",${score}]}]}`;
    expect((await raw(body)).statusCode).toBe(200);
    expect((await rest([{ ...top, operation: 'top', arguments: [1] }])).json().results).toEqual([[['a', Number(score)]]]);
  });

  test('a number with an exponent beyond 2^53 - 1 is not an integer, and is refused for a counter', async () => {
    const answer = await raw(bodyWith('1e308'));
    expect([answer.statusCode, answer.json().code]).toEqual([422, 'out_of_range']);
  });

  test.each([[NaN], [Infinity], [-Infinity]])('a score of %d over gRPC is not finite', async (score) => {
    const operations = [{ key: 'top', name: 'TopK.add', arguments: [{ text: 'a' }, { number: score }] }];
    expect(await failure(unary(grpc, 'Transact', { operations }))).toMatchObject({ status: 'INVALID_ARGUMENT', code: 'not_finite' });
  });
});

describe('a key', () => {
  const read = (key: string) => app().inject({ method: 'GET', url: `/v1/records/${key}?type=counter&operation=value` });
  const value = (key: string): Named => ({ key, type: 'counter', operation: 'value', arguments: [] });
  test.each([
    ['that is empty', ''],
    ['of 1,025 bytes', 'k'.repeat(1025)],
    ['of 1,026 bytes in 513 letters', 'é'.repeat(513)],
  ])('%s is invalid, everywhere', async (_name, key) => {
    const invalid = [400, 'invalid_key'];
    const answers = [await rest([value(key)]), await read(encodeURIComponent(key))];
    expect(answers.map((answer) => [answer.statusCode, answer.json().code])).toEqual([invalid, invalid]);
    expect(await failure(transact([value(key)]))).toMatchObject({ status: 'INVALID_ARGUMENT', code: 'invalid_key' });
  });

  test('with a surrogate pair where messages cut keys does not keep a refusal from its caller', async () => {
    const key = `k${'😀'.repeat(60)}`;
    expect(await failure(transact([{ ...value(key), arguments: [1] }]))).toMatchObject({ code: 'wrong_argument_count', metadata: { key } });
  });

  test('of exactly 1,024 bytes is valid', async () => {
    expect((await rest([value('k'.repeat(1024))])).statusCode).toBe(200);
    expect((await read(encodeURIComponent('€'.repeat(341)))).statusCode).toBe(200);
  });

  test('that is not UTF-8 is refused', async () => {
    const url = await read('%ff%fe');
    expect([url.statusCode, url.json().code]).toEqual([400, 'invalid_utf8']);
    const operation = Buffer.concat([bytesField(1, Buffer.from([0xff, 0xfe])), bytesField(4, 'Counter.value')]);
    expect(await failure(unaryRaw(grpc, 'Transact', bytesField(2, operation)))).toMatchObject({
      status: 'INVALID_ARGUMENT',
      code: 'invalid_utf8',
    });
  });
});

describe('a body', () => {
  test.each<[string, string | Buffer, Record<string, string> | undefined, number, string]>([
    ['that is not JSON', '{"operations":', undefined, 400, 'malformed_json'],
    ['with a trailing comma', '{"operations":[],}', undefined, 400, 'malformed_json'],
    ['of random bytes', Buffer.from([0x7b, 0x80, 0xff, 0x00]), undefined, 400, 'invalid_utf8'],
    ['with half of a surrogate pair', '{"label":"\\ud800","operations":[]}', undefined, 400, 'invalid_utf8'],
    ['nested 17 deep', '['.repeat(17) + ']'.repeat(17), undefined, 400, 'nested_too_deep'],
    ['nested 60,000 deep', '['.repeat(60_000), undefined, 400, 'nested_too_deep'],
    ['over the limit', `{"label":"${'x'.repeat(LIMIT)}"}`, undefined, 413, 'body_too_large'],
    ['that is a form', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'unsupported_media_type'],
    ['that is text', '{"operations":[]}', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['that is a list', '[]', undefined, 400, 'invalid_request'],
    ['that is null', 'null', undefined, 400, 'invalid_request'],
    ['without operations', '{}', undefined, 400, 'invalid_request'],
    ['with no operation', '{"operations":[]}', undefined, 400, 'invalid_request'],
    [
      'with a key that is a number',
      '{"operations":[{"key":1,"type":"counter","operation":"value","arguments":[]}]}',
      undefined,
      400,
      'invalid_request',
    ],
    ['with a member too many', '{"operations":[],"__proto__":{"a":1}}', undefined, 400, 'invalid_request'],
    [
      'with a label too long',
      `{"label":"${'x'.repeat(65)}","operations":[{"key":"a","type":"counter","operation":"value","arguments":[]}]}`,
      undefined,
      400,
      'argument_too_large',
    ],
  ])('%s has its own code', async (_name, body, headers, http, code) => {
    const answer = await raw(body, headers);
    expect([answer.statusCode, answer.json().code]).toEqual([http, code]);
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });

  test('that is longer than its content length is not processed', async () => {
    const { rest: address } = cluster.gateways[0]!.member;
    const status = await new Promise<number | string>((resolve) => {
      const half = request(
        `http://${address}/v1/transactions`,
        { method: 'POST', headers: { 'content-type': 'application/json', 'content-length': '10' } },
        (response) => resolve(response.statusCode!),
      );
      half.on('error', (error) => resolve(error.message));
      half.end('{"operat'.padEnd(10, '"'));
    });
    expect(status).toBe(400);
  });
});

describe('a route', () => {
  test.each<['GET' | 'POST' | 'DELETE', string, number, string]>([
    ['GET', '/v1/nothing', 404, 'route_not_found'],
    ['GET', '/v2/transactions', 404, 'route_not_found'],
    ['POST', '/v1/nothing', 404, 'route_not_found'],
    ['GET', '/v1/transactions', 405, 'method_not_allowed'],
    ['DELETE', '/v1/records/a', 405, 'method_not_allowed'],
    ['GET', '/v1/errors/nope', 404, 'route_not_found'],
    ['GET', '/v1/records/a', 400, 'invalid_request'],
    ['GET', '/v1/records/a?type=counter&operation=value&colour=red', 400, 'invalid_request'],
    ['GET', '/v1/records/a?type=counter&operation=add&arguments=[1]', 400, 'invalid_request'],
    ['GET', '/v1/records/a?type=counter&operation=value&arguments=1', 400, 'invalid_request'],
    ['GET', '/v1/records/a?type=counter&operation=value&arguments=[', 400, 'malformed_json'],
    ['GET', '/v1/records/a?type=topk&operation=top&arguments=[9007199254740993]', 422, 'out_of_range'],
    ['GET', '/v1/records/a?type=nope&operation=value', 400, 'unknown_type'],
    ['GET', '/v1/records/a?type=counter&operation=toString', 400, 'unknown_operation'],
    ['DELETE', '/v1/transactions/interactive/nope', 404, 'unknown_transaction'],
  ])('%s %s answers %i %s', async (method, url, http, code) => {
    const answer = await app().inject({ method, url });
    expect([answer.statusCode, answer.json().code]).toEqual([http, code]);
  });

  test('says which methods it takes', async () => {
    const answer = await app().inject({ method: 'PUT', url: '/v1/records/a' });
    expect([answer.headers.allow, answer.json().detail]).toEqual([
      'GET, HEAD, POST',
      '/v1/records/a does not take PUT, but GET, HEAD, POST.',
    ]);
  });
});

describe('a unary message', () => {
  test('of a transaction without operations is refused, as over REST', async () => {
    const refused = await failure(unary(cluster.grpcClient(0), 'Transact', { operations: [] }));
    expect(refused).toMatchObject({ status: 'INVALID_ARGUMENT', code: 'invalid_request' });
  });

  test.each<[string, () => Buffer, string, string]>([
    ['of random bytes', () => Buffer.from('ff00ff00', 'hex'), 'INVALID_ARGUMENT', 'malformed_frame'],
    ['that is cut off', () => bytesField(2, Buffer.alloc(20)).subarray(0, 9), 'INVALID_ARGUMENT', 'malformed_frame'],
    ['with a text that is no UTF-8', () => bytesField(1, Buffer.from([0xc3, 0x28])), 'INVALID_ARGUMENT', 'invalid_utf8'],
    ['over the limit', () => bytesField(1, 'x'.repeat(LIMIT)), 'INVALID_ARGUMENT', 'body_too_large'],
    [
      'nested too deep',
      () => {
        let value = bytesField(3, 'leaf');
        for (let i = 0; i < 40; i++) value = bytesField(5, bytesField(1, value));
        return bytesField(2, Buffer.concat([bytesField(1, 'k'), bytesField(4, 'Set.add'), bytesField(3, value)]));
      },
      'INVALID_ARGUMENT',
      'nested_too_deep',
    ],
  ])('%s is refused', async (_name, bytes, status, code) => {
    expect(await failure(unaryRaw(grpc, 'Transact', bytes()))).toMatchObject({ status, code });
  });

  test('over the limit is refused by Execute, and a body over it by POST /v1/records', async () => {
    expect(await failure(unaryRaw(grpc, 'Execute', bytesField(1, Buffer.alloc(LIMIT))))).toMatchObject({ code: 'body_too_large' });
    const payload = { type: 'register', operation: 'set', arguments: ['x'.repeat(LIMIT)] };
    const answer = await app().inject({ method: 'POST', url: '/v1/records/large', payload });
    expect([answer.statusCode, answer.json().code]).toEqual([413, 'body_too_large']);
  });

  test('with an unknown operation code is refused', async () => {
    expect(await failure(unary(grpc, 'Transact', { operations: [{ key: 'a', code: 65_000 }] }))).toMatchObject({
      code: 'unknown_operation',
    });
  });

  test('with a label over 64 bytes is refused', async () => {
    const operations = [{ key: counter, name: 'Counter.value', arguments: [] }];
    expect(await failure(unary(grpc, 'Transact', { label: 'x'.repeat(65), operations }))).toMatchObject({
      status: 'INVALID_ARGUMENT',
      code: 'argument_too_large',
    });
  });

  test.each([{}, { conditions: { locks: 'loose', phasing: true, combining: 'auto' } }])(
    'that sets impossible conditions %j is refused',
    async (conditions) => {
      expect(await failure(unary(grpc, 'SetConditions', conditions))).toMatchObject({
        status: 'INVALID_ARGUMENT',
        code: 'invalid_request',
      });
    },
  );
});

describe('a Session stream', () => {
  /** Sends the frames; returns the codes of closing frames until the stream ends. */
  function closingOf(frames: Buffer[]): Promise<string[]> {
    const codes: string[] = [];
    const stream = openSession(grpc);
    return new Promise((resolve) => {
      stream.on('data', (bytes: Buffer) => {
        const { closing } = serverFrame(bytes);
        if (closing) codes.push(closing.code);
      });
      stream.on('error', () => {});
      stream.on('end', () => resolve(codes));
      for (const frame of frames) stream.write(frame);
    });
  }
  const hello = () => clientFrame({ sequence: 1, hello: { protocol: 1, name: 'stranger' } });

  test('with bytes that are not a frame is closed with malformed_frame', async () => {
    expect(await closingOf([Buffer.from('ffffffffff', 'hex')])).toEqual(['malformed_frame']);
  });

  test('with a truncated frame is closed with malformed_frame', async () => {
    expect(await closingOf([hello().subarray(0, -3)])).toEqual(['malformed_frame']);
  });

  test('with random bytes is closed', async () => {
    const bytes = randomBytes(200);
    const codes = await closingOf([bytes]);
    expect([['malformed_frame'], ['unsupported_protocol']], `bytes ${bytes.toString('hex')}`).toContainEqual(codes);
  });

  test('without a hello, or with one of another protocol, is closed', async () => {
    expect(await closingOf([clientFrame({ sequence: 1 })])).toEqual(['unsupported_protocol']);
    expect(await closingOf([clientFrame({ sequence: 1, hello: { protocol: 2 } })])).toEqual(['unsupported_protocol']);
  });

  test('with a frame over the limit is closed with frame_too_large', async () => {
    expect(await closingOf([hello(), Buffer.alloc(LIMIT + 1)])).toEqual(['frame_too_large']);
  });

  test.each<[string, object, string]>([
    ['commits an attempt that never began', { attempt: 7, prepare: {} }, 'unknown_attempt'],
    ['begins under an id that is too short', { attempt: 1, begin: { id: Buffer.alloc(15) }, prepare: {} }, 'invalid_attempt'],
    ['begins without an id', { attempt: 1, begin: {}, prepare: {} }, 'invalid_attempt'],
  ])('that %s gets an error for that attempt alone', async (_name, request, code) => {
    const stream = openSession(grpc);
    const replies: { attempt: string; error: { code: string } | null }[] = [];
    stream.on('data', (bytes: Buffer) => replies.push(...serverFrame(bytes).replies));
    stream.on('error', () => {});
    const { incarnation } = cluster.gateways[0]!;
    const key = cluster.keyOn(0, 'untouched');
    const operations = [{ key, name: 'Counter.add', arguments: [{ integer: 1 }] }];
    stream.write(hello());
    stream.write(clientFrame({ sequence: 2, incarnation, requests: [{ ...request, operations }] }));
    await expect.poll(() => replies.length, { interval: 5 }).toBe(1);
    expect(replies[0]!.error!.code).toBe(code);
    const begin = { id: randomBytes(16), priority: 1 };
    stream.write(
      clientFrame({
        sequence: 3,
        incarnation,
        requests: [{ attempt: 9, begin, operations: [{ key, name: 'Counter.value' }], prepare: {} }],
      }),
    );
    await expect.poll(() => replies.at(-1), { interval: 5 }).toMatchObject({ attempt: '9', error: null, results: [{ integer: '0' }] });
    stream.cancel();
  });

  test("that commits another session's attempt gets unknown_attempt, and the attempt continues", async () => {
    const { incarnation, host } = cluster.gateways[0]!;
    const [owner, thief] = [openSession(grpc), openSession(grpc)];
    const replies: { error: { code: string } | null }[] = [];
    owner.on('data', () => {});
    thief.on('data', (bytes: Buffer) => replies.push(...serverFrame(bytes).replies));
    for (const stream of [owner, thief]) {
      stream.on('error', () => {});
      stream.write(hello());
    }
    const operations = [{ key: cluster.keyOn(0, 'owned'), name: 'Counter.add', arguments: [{ integer: 1 }] }];
    const begin = { id: randomBytes(16), priority: 1 };
    owner.write(clientFrame({ sequence: 2, incarnation, requests: [{ attempt: 1, begin, operations }] }));
    await expect.poll(() => host.counters().attemptsInFlight, { interval: 5 }).toBe(1);
    thief.write(clientFrame({ sequence: 2, incarnation, requests: [{ attempt: 1, sentBefore: 1, prepare: {} }] }));
    await expect.poll(() => replies.map(({ error }) => error?.code), { interval: 5 }).toEqual(['unknown_attempt']);
    expect(host.counters().attemptsInFlight).toBe(1);
    for (const stream of [owner, thief]) stream.cancel();
  });

  test('that is closed does not disturb the others', async () => {
    const other = openSession(grpc);
    const welcomed = new Promise((resolve) => other.once('data', resolve));
    other.write(hello());
    await welcomed;
    await closingOf([Buffer.from('ff', 'hex')]);
    const answered = new Promise<Buffer>((resolve) => other.once('data', resolve));
    other.write(clientFrame({ sequence: 2, acknowledged: 1, incarnation: cluster.gateways[0]!.incarnation }));
    expect(Number(serverFrame(await answered).acknowledged)).toBe(2);
    other.end();
  });
});
