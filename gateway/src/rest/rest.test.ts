// REST over two real gateways: the successful answers of each route.
import { connect } from '@claret/client';
import type { Claret } from '@claret/client';
import { untilWaiting } from '@claret/client/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster(2);
});
afterAll(() => cluster.close());

const get = (url: string, gateway = 0) => cluster.gateways[gateway]!.rest.inject({ method: 'GET', url });
const post = (url: string, payload: object, gateway = 0) => cluster.gateways[gateway]!.rest.inject({ method: 'POST', url, payload });
const add = (key: string, n: number | string) => ({ key, type: 'counter', operation: 'add', arguments: [n] });
const value = (key: string) => ({ key, type: 'counter', operation: 'value', arguments: [] });
async function counterAt(key: string, gateway = 0): Promise<unknown> {
  return (await get(`/v1/records/${encodeURIComponent(key)}?type=counter&operation=value`, gateway)).json().value;
}

describe('a one-shot transaction', () => {
  test('spans shards, returns results in order, and is visible at every gateway', async () => {
    const [here, there] = [cluster.keyOn(0, 'span'), cluster.keyOn(1, 'span')];
    const answer = await post('/v1/transactions', {
      label: 'Span',
      operations: [add(here, 2), { key: here, type: 'Counter', operation: 'value' }, add(there, 3), value(there)],
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ results: [null, 0, null, 0], committed_at: expect.stringMatching(/^\d+$/), retries: 0 });
    for (const gateway of [0, 1]) expect([await counterAt(here, gateway), await counterAt(there, gateway)]).toEqual([2, 3]);
  });

  test('accepts and returns a large integer as a string', async () => {
    const key = cluster.keyOn(1, 'big');
    await post('/v1/transactions', { operations: [add(key, '9007199254740993')] });
    expect(await counterAt(key)).toBe('9007199254740993');
    await post('/v1/transactions', { operations: [add(key, '-9007199254740990')] });
    expect(await counterAt(key)).toBe(3);
  });

  test('treats __proto__ and constructor as ordinary keys and fields', async () => {
    const fields = JSON.parse('{"__proto__":"p","constructor":1,"toString":true}') as object;
    const operations = [{ key: '__proto__', type: 'dict', operation: 'set', arguments: [fields] }];
    expect((await post('/v1/transactions', { operations })).statusCode).toBe(200);
    const answer = await get('/v1/records/__proto__?type=dict&operation=all');
    expect(Object.entries(answer.json().value as object).sort()).toEqual([
      ['__proto__', 'p'],
      ['constructor', 1],
      ['toString', true],
    ]);
    const one = await get(`/v1/records/__proto__?type=Dict&operation=get&arguments=${encodeURIComponent('[["__proto__","missing"]]')}`);
    expect(one.json().value).toEqual(['p', null]);
  });

  test.each(['a/b', '{item:42}:bids', 'ключ 1', '%41', 'a?b#c'])(
    'changes the record %j, which can be read under the same key',
    async (key) => {
      await post('/v1/transactions', { operations: [add(key, 1)] });
      expect(await counterAt(key)).toBe(1);
    },
  );

  test('has increasing commit timestamps for operations that do not commute', async () => {
    const key = cluster.keyOn(0, 'order');
    const stamps: bigint[] = [];
    for (let i = 0; i < 5; i++) {
      const { committed_at } = (await post('/v1/transactions', { operations: [add(key, 1), value(key)] })).json() as {
        committed_at: string;
      };
      stamps.push(BigInt(committed_at));
    }
    expect(stamps).toEqual([...stamps].sort((a, b) => (a < b ? -1 : 1)));
    expect(new Set(stamps).size).toBe(5);
  });

  test('under contention from both gateways loses no update', async () => {
    const [here, there] = [cluster.keyOn(0, 'contended'), cluster.keyOn(1, 'contended')];
    const bump = (gateway: number) =>
      post('/v1/transactions', { label: 'Bump', operations: [value(here), add(here, 1), add(there, 1), value(there)] }, gateway);
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => bump(i % 2)));
    expect(answers.map((answer) => answer.statusCode)).toEqual(answers.map(() => 200));
    const seen = answers.map((answer) => (answer.json() as { results: number[] }).results[1 - 1]).sort((a, b) => a! - b!);
    expect(seen).toEqual(Array.from({ length: 40 }, (_, i) => i));
    expect([await counterAt(here), await counterAt(there)]).toEqual([40, 40]);
  });
});

describe('reference data:', () => {
  test('the data types are those of the core', async () => {
    const { types } = (await get('/v1/types')).json() as { types: { name: string; operations: object[] }[] };
    expect(types.map(({ name }) => name)).toEqual(expect.arrayContaining(['Counter', 'Set', 'Dict', 'TopK']));
    expect(types[0]!.operations[0]).toMatchObject({ code: expect.any(Number), parameters: expect.any(Array) });
  });

  test('the topology has every slot on one shard', async () => {
    const { shards } = (await get('/v1/topology')).json();
    const { member: first } = cluster.gateways[0]!;
    expect(shards[0]).toEqual({ shard: 0, address: first.grpc, rest_address: first.rest, slots: [{ first: 0, last: 8191, version: 0 }] });
    expect(shards[1]).toMatchObject({ shard: 1, slots: [{ first: 8192, last: 16383, version: 0 }] });
  });

  test('the type of a problem is the path of its error code', async () => {
    const problem = (await get('/v1/records/a?type=nope&operation=value')).json();
    expect((await get(problem.type)).json()).toMatchObject({ code: 'unknown_type', http: 400, grpc: 'INVALID_ARGUMENT' });
    expect((await get('/v1/errors')).json().errors.length).toBeGreaterThan(40);
  });

  test('the OpenAPI document names every route', async () => {
    const document = (await get('/openapi.json')).json();
    expect(document.openapi).toBe('3.1.0');
    expect(document.info.description).toContain('| Counter |');
    expect(Object.keys(document.paths).sort()).toEqual([
      '/healthz',
      '/livez',
      '/metrics',
      '/readyz',
      '/v1/admin/backup',
      '/v1/admin/conditions',
      '/v1/admin/conflicts',
      '/v1/admin/kills',
      '/v1/admin/marks',
      '/v1/admin/moves',
      '/v1/admin/moves/{move}',
      '/v1/admin/spikes',
      '/v1/admin/spikes/conditions',
      '/v1/admin/warranties',
      '/v1/errors',
      '/v1/errors/{code}',
      '/v1/records/{key}',
      '/v1/telemetry',
      '/v1/telemetry/history',
      '/v1/telemetry/stream',
      '/v1/topology',
      '/v1/transactions',
      '/v1/transactions/interactive',
      '/v1/transactions/interactive/{id}',
      '/v1/transactions/interactive/{id}/commit',
      '/v1/transactions/interactive/{id}/operations',
      '/v1/types',
      '/v1/types/check',
      '/v1/types/{name}',
    ]);
  });

  test('/ redirects to the browsable documentation', async () => {
    expect((await get('/')).headers.location).toBe('/docs');
    const page = await get('/docs');
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, expect.stringContaining('text/html')]);
  });

  test('the probes report that the gateway is alive and ready', async () => {
    expect((await get('/livez')).json()).toEqual({ status: 'ok' });
    for (const path of ['/readyz', '/healthz']) expect((await get(path)).json()).toEqual({ status: 'ok', phase: 'serving' });
  });
});

describe('the conditions', () => {
  const put = (payload: object, headers = {}) =>
    cluster.gateways[0]!.rest.inject({ method: 'PUT', url: '/v1/admin/conditions', payload, headers });
  const start = { locks: 'abstract', phasing: true, combining: 'auto', warranties: 'off' };

  test('are set on every shard and read from every gateway', async () => {
    const wanted = { locks: 'rw', phasing: false, combining: 'off', warranties: 'auto' };
    const answer = await put(wanted);
    const { version } = answer.json();
    const each = { conditions: wanted, version };
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        ...wanted,
        version,
        normal: start,
        shards: [
          { shard: 0, ...each },
          { shard: 1, ...each },
        ],
      },
    ]);
    expect((await get('/v1/admin/conditions', 1)).json()).toMatchObject(wanted);
    const { warranties: _, ...others } = start;
    expect((await put(others)).json()).toMatchObject({ ...others, warranties: 'auto' });
    await put(wanted);
    expect(cluster.gateways[1]!.host.conditions()).toEqual(wanted);
    await put(start);
    expect((await get('/v1/admin/conditions', 1)).json()).toMatchObject(start);
  });

  test('can be set from a page of the same origin, but not of another', async () => {
    const refused = await put({ ...start, locks: 'rw' }, { origin: 'http://evil.example' });
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'forbidden_origin']);
    expect(cluster.gateways[0]!.host.conditions()).toEqual(start);
    expect((await put(start, { origin: 'http://localhost:80', host: 'localhost:80' })).statusCode).toBe(200);
  });

  test.each([
    {},
    { ...start, locks: 'loose' },
    { ...start, phasing: 'yes' },
    { ...start, warranties: 'on' },
    { ...start, combining: 'on' },
    { ...start, natives: 'pass' },
    { ...start, epochs: 'auto' },
    { ...start, epoch_ms: 0 },
    { ...start, more: 1 },
  ])('are refused as a whole if one is wrong: %j', async (payload) => {
    const answer = await put(payload);
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_request']);
    expect(cluster.gateways[0]!.host.conditions()).toEqual(start);
  });
});

test('the conflict table lists pairs of transactions, most frequent first, and the metrics have its totals', async () => {
  const claret = await connect({ addresses: [cluster.gateways[0]!.member.grpc] });
  const key = cluster.keyOn(0, 'contended');
  const meet = async (waiter: (claret: Claret) => Promise<unknown>) => {
    let waiting: Promise<unknown> | undefined;
    await claret.transaction('Holder', async (tx) => {
      await tx.counter(key).value();
      waiting ??= waiter(claret);
      await untilWaiting([cluster.gateways[0]!.host]);
    });
    await waiting;
  };
  for (let i = 0; i < 2; i++) await meet((other) => other.transact('Comer', [other.on.counter(key).add(1)]));
  await meet((other) => other.transact('Rare', [other.on.counter(key).add(1)]));
  await claret.close();

  const { shard, conflicts, pairs, total, dropped } = (await get('/v1/admin/conflicts')).json();
  const ours = conflicts.filter((row: { holder_label: string }) => row.holder_label === 'Holder');
  const operations = { holder_operation: 'Counter.value', comer_operation: 'Counter.add', outcome: 'waited' };
  expect(ours).toEqual([
    { holder_label: 'Holder', comer_label: 'Comer', ...operations, count: 2 },
    { holder_label: 'Holder', comer_label: 'Rare', ...operations, count: 1 },
  ]);
  expect([shard, pairs, dropped]).toEqual([0, conflicts.length, 0]);
  expect(total).toBe(conflicts.reduce((sum: number, row: { count: number }) => sum + row.count, 0));
  expect((await get('/v1/admin/conflicts?limit=1')).json()).toMatchObject({ conflicts: [conflicts[0]], pairs, total });
  expect((await get('/v1/admin/conflicts?limit=5000')).statusCode).toBe(400);
  expect((await get('/metrics')).body).toMatch(/^claret_conflicts_total\{holder="Counter.value",comer="Counter.add"\} [3-9]/m);
});

test('the metrics follow the work of the shard', async () => {
  const read = async (name: string): Promise<number> => {
    const line = (await get('/metrics')).body.split('\n').find((row) => row.startsWith(`${name} `));
    return Number(line?.split(' ')[1]);
  };
  const before = {
    operations: await read('claret_operations_total'),
    commits: await read('claret_commits_total{home="true"}'),
    frames: await read('claret_frames_in_total'),
  };
  const key = cluster.keyOn(0, 'metrics');
  await post('/v1/transactions', { operations: [add(key, 1), add(key, 1), value(key)] });
  expect(await read('claret_operations_total')).toBe(before.operations + 3);
  expect(await read('claret_commits_total{home="true"}')).toBe(before.commits + 1);
  expect(await read('claret_frames_in_total')).toBeGreaterThan(before.frames);
  expect(await read('claret_sessions')).toBeGreaterThanOrEqual(2);
  const { body } = await get('/metrics');
  for (const name of [
    'claret_aborts_total',
    'claret_waits_total',
    'claret_wait_seconds_total',
    'claret_attempts_in_flight',
    'claret_waiting',
    'claret_records',
    'claret_frames_out_total',
    'claret_event_loop_lag_seconds',
    'claret_process_cpu_seconds_total',
  ]) {
    expect(body).toContain(`# TYPE ${name} `);
  }
  expect(body).not.toContain(key);
});
