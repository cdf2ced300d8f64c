// The REST side of telemetry over two real gateways: the next frames as one response, marks, and the headers that calls which change
// the cluster need.
import { Errors } from 'typebox/schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '@claret/client';
import { TELEMETRY_VERSION, frameMessage, markMessage, type FrameMessage, type Schema } from '@claret/client/telemetry';
import { failure, unary } from '../testing/calls.ts';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster(2);
});
afterAll(() => cluster.close());

const app = () => cluster.gateways[0]!.rest;
const get = (url: string) => app().inject(url);
const post = (payload: string | object, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  app().inject({ method: 'POST', url: '/v1/admin/marks', payload, headers });

/** Makes some of everything that a shard reports, until it is stopped: waits, aborts, samples, transactions over both shards. */
async function load(): Promise<() => Promise<void>> {
  const claret = await connect({ addresses: cluster.gateways.map(({ member }) => member.grpc) });
  const [here, there] = [cluster.keyOn(0, 'busy'), cluster.keyOn(1, 'busy')];
  let isOver = false;
  const worker = async (read: boolean) => {
    while (!isOver) {
      const body = read
        ? [claret.on.counter(here).value(), claret.on.counter(there).value()]
        : [claret.on.counter(here).add(1), claret.on.counter(there).add(1)];
      await claret.transact(read ? 'Look' : 'Bump', body).catch(() => {});
    }
  };
  const workers = [0, 1, 2, 3, 4, 5].map((i) => worker(i % 2 === 0));
  return async () => {
    isOver = true;
    await Promise.all(workers);
    await claret.close();
  };
}

/** A schema that refuses members which it does not name, wherever they are. */
function strict(schema: Schema<unknown>): object {
  const { properties, items, anyOf, ...rest } = schema;
  return {
    ...rest,
    ...(properties && { properties: mapValues(properties, strict), additionalProperties: false }),
    ...(items && { items: strict(items) }),
    ...(anyOf && { anyOf: anyOf.map(strict) }),
  };
}

const mapValues = <T, R>(members: Readonly<Record<string, T>>, f: (value: T) => R) =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, f(value)]));

/** The paths of the members that do not conform to the schema. */
const faults = (schema: Schema<unknown>, value: unknown) => Errors(strict(schema), value)[1].map(({ instancePath }) => instancePath);

/** How often each shard tells something, and what frames say in which a load was seen. */
function whatIsTold({ frames }: { frames: FrameMessage[] }) {
  const told = frames.flatMap(({ shards }) => shards);
  const ofShard = (shard: number) => {
    const telemetry = told.filter((each) => each.shard === shard).map((each) => each.telemetry);
    return {
      isToldTwice: telemetry.length >= 2,
      conflicts: telemetry.some(({ conflicts }) => conflicts.length > 0),
      phases: telemetry.some(({ hotRecords }) => hotRecords.some(({ phases, phase }) => phases.length > 0 || phase !== null)),
      requests: telemetry.some(({ samples }) => samples.some(({ requests }) => requests.length > 0)),
    };
  };
  // Only the shard where a transaction began reports its latency.
  return { shards: [0, 1].map(ofShard), latencies: told.some(({ telemetry }) => telemetry.latencies.length > 0) };
}

test('the response has the next frames with all shards, and conforms to the schema', async () => {
  const stop = await load();
  const next = async () => {
    const startMs = performance.now();
    const answer = await get('/v1/telemetry?frames=6');
    const tookMs = performance.now() - startMs;
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    const body = answer.json() as { version: number; frames: FrameMessage[] };
    for (const frame of body.frames) expect(faults(frameMessage, frame)).toEqual([]);
    expect(body.version).toBe(TELEMETRY_VERSION);
    expect(body.frames.map(({ kind, number, missed }) => [kind, number, missed])).toEqual(
      [1, 2, 3, 4, 5, 6].map((number) => ['frame', number, 0]),
    );
    expect(tookMs).toBeGreaterThan(900);
    return body;
  };
  try {
    const everything = { isToldTwice: true, conflicts: true, phases: true, requests: true };
    // On a busy machine a load may stand still for six frames; what it is told of later is in the next ones.
    let told = whatIsTold(await next());
    while (JSON.stringify(told) !== JSON.stringify({ shards: [everything, everything], latencies: true })) told = whatIsTold(await next());
  } finally {
    await stop();
  }
});

test('one frame is the default; a number out of bounds is refused', async () => {
  expect((await get('/v1/telemetry')).json().frames).toHaveLength(1);
  for (const query of ['frames=0', 'frames=26', 'frames=x', 'frames=', 'other=1']) {
    const answer = await get(`/v1/telemetry?${query}`);
    expect([query, answer.statusCode, answer.json().code]).toEqual([query, 400, 'invalid_request']);
  }
});

describe('a mark', () => {
  const marks = async () =>
    (await unary<{ id: string; what: string }>(cluster.grpcClient(0), 'AddMark', { text: 'probe' })).id.split('-').at(-1);
  const bad = ['', ' ', 'x'.repeat(81), 'a\nb', 'a\u0007', 'a\u202eb'];

  test('is returned as all viewers see it, over REST and gRPC', async () => {
    const answer = await post({ text: 'load test begins' });
    expect(answer.statusCode).toBe(201);
    expect(faults(markMessage, answer.json())).toEqual([]);
    expect(answer.json().what).toEqual({ note: 'load test begins' });
    const { id, what } = await unary<{ id: string; what: string }>(cluster.grpcClient(1), 'AddMark', { text: 'x'.repeat(80) });
    expect([id, JSON.parse(what)]).toEqual([expect.stringMatching(/^1-\d+-1$/), { note: 'x'.repeat(80) }]);
  });

  test.each([
    ...bad.map((text) => ({ text })),
    {},
    { text: 1 },
    { text: null },
    { text: ['a'] },
    { text: 'a', at_ms: 1 },
    [],
    'null',
    '"text"',
  ])('of %j is refused over REST, and none is made', async (payload) => {
    const before = Number(await marks());
    const answer = await post(payload);
    expect([answer.statusCode, answer.json().code, answer.headers['content-type']]).toEqual([
      400,
      'invalid_request',
      'application/problem+json',
    ]);
    expect(Number(await marks())).toBe(before + 1);
  });

  test.each(bad)('of %j is refused over gRPC, and none is made', async (text) => {
    const before = Number(await marks());
    expect(await failure(unary(cluster.grpcClient(0), 'AddMark', { text }))).toMatchObject({
      status: 'INVALID_ARGUMENT',
      code: 'invalid_request',
    });
    expect(Number(await marks())).toBe(before + 1);
  });

  test('is refused to a page of another origin, and accepted from one of the same', async () => {
    const json = { 'content-type': 'application/json', host: 'localhost:80' };
    const refused = await post({ text: 'a' }, { ...json, origin: 'http://evil.example' });
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'forbidden_origin']);
    expect((await post({ text: 'a' }, { ...json, origin: 'http://localhost:80' })).statusCode).toBe(201);
  });

  test('is accepted from the same origin behind a proxy or a forwarded port, if the browser says that it is the same', async () => {
    const json = { 'content-type': 'application/json', host: 'localhost:80', origin: 'https://claret.example' };
    expect((await post({ text: 'a' }, { ...json, 'sec-fetch-site': 'same-origin' })).statusCode).toBe(201);
    for (const site of ['same-site', 'cross-site', 'none', 'same-origin, cross-site']) {
      expect([site, (await post({ text: 'a' }, { ...json, 'sec-fetch-site': site })).statusCode]).toEqual([site, 403]);
    }
  });
});

describe('a call that changes the cluster', () => {
  const kinds = [
    undefined,
    '',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    'application/jsonp',
    'text/plain; application/json',
  ];
  const calls: ['POST' | 'PUT', string][] = [
    ['POST', '/v1/admin/marks'],
    ['PUT', '/v1/admin/conditions'],
  ];

  test.each(calls.flatMap(([method, url]) => kinds.map((kind) => [method, url, kind] as const)))(
    'by %s %s as %s is refused, with a body and without',
    async (method, url, kind) => {
      const before = cluster.gateways[0]!.host.conditions();
      for (const payload of ['{"text":"a","locks":"rw","phasing":false,"combining":"off"}', undefined]) {
        const headers = kind === undefined ? {} : { 'content-type': kind };
        const answer = await app().inject({ method, url, headers, ...(payload !== undefined && { payload }) });
        expect([answer.statusCode, answer.json().code]).toEqual([415, 'unsupported_media_type']);
      }
      expect(cluster.gateways[0]!.host.conditions()).toEqual(before);
    },
  );

  test('may have parameters after its content type, in upper or lower case', async () => {
    for (const kind of ['application/json; charset=utf-8', 'Application/JSON']) {
      expect([kind, (await post('{"text":"a"}', { 'content-type': kind })).statusCode]).toEqual([kind, 201]);
    }
  });

  test('from a page of another origin is refused for its origin first', async () => {
    const answer = await post('text=a', { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://evil.example' });
    expect(answer.statusCode).toBe(403);
  });
});
