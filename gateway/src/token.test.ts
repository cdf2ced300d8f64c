// A cluster with a token: calls with the token are served; calls without it or with another one are refused, over REST and gRPC.
import { connect } from '@claret/client';
import { Client, Metadata, credentials } from '@grpc/grpc-js';
import type { MethodDefinition } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { claretService } from './grpc/proto.ts';
import { failure, unary } from './testing/calls.ts';
import { startCluster } from './testing/cluster.ts';
import type { TestCluster } from './testing/cluster.ts';
import { TALLY } from './testing/definitions.ts';
import { tokenCheck } from './token.ts';

const TOKEN = 'correct-horse-battery-staple';
let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster(2, { token: TOKEN });
});
afterAll(() => cluster.close());

const addresses = () => cluster.gateways.map(({ member }) => member.grpc);
const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, authorization?: string) =>
  cluster.gateways[0]!.rest.inject({
    method,
    url,
    headers: authorization === undefined ? {} : { authorization },
    ...(method === 'GET' ? {} : { payload: {} }),
  });

/** Parses Fastify's table of routes: a tree with an indentation of four for each level. */
function routesOf(tree: string): { method: string; path: string }[] {
  const parents: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent, segment, methods] = /^([│ ]*)[├└]── (\S*)(?: \((.*)\))?$/.exec(line) ?? [];
    if (segment === undefined) return [];
    const depth = indent!.length / 4;
    parents.length = depth;
    parents.push(segment);
    const path = parents.join('');
    return (methods ?? '')
      .split(', ')
      .filter(Boolean)
      .map((method) => ({ method, path }));
  });
}

describe('over REST', () => {
  const guarded: ['GET' | 'POST' | 'PUT' | 'DELETE', string][] = [
    ['GET', '/v1/admin/conditions'],
    ['PUT', '/v1/admin/conditions'],
    ['GET', '/v1/admin/conflicts'],
    ['POST', '/v1/admin/marks'],
    ['GET', '/v1/admin/spikes'],
    ['POST', '/v1/admin/spikes'],
    ['DELETE', '/v1/admin/spikes'],
    ['PUT', '/v1/admin/spikes/conditions'],
    ['POST', '/v1/transactions'],
    ['POST', '/v1/transactions/interactive'],
    ['GET', '/v1/records/a?type=counter&operation=value'],
    ['POST', '/v1/records/a'],
    ['POST', '/v1/types'],
    ['POST', '/v1/types/check'],
    ['DELETE', '/v1/types/Tally'],
  ];
  test.each(guarded)('%s %s needs the token', async (method, url) => {
    for (const authorization of [
      undefined,
      'Bearer another-token-of-some-length',
      `Basic ${TOKEN}`,
      `Bearer ${TOKEN}x`,
      'Bearer ',
      TOKEN,
    ]) {
      const answer = await call(method, url, authorization);
      expect([authorization, answer.statusCode, answer.json().code]).toEqual([authorization, 401, 'unauthenticated']);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(answer.body).not.toContain(TOKEN);
    }
    expect((await call(method, url, `Bearer ${TOKEN}`)).statusCode).not.toBe(401);
  });

  test('every route, documented or not, is either guarded or known to be open', async () => {
    const open = [
      '/v1/types',
      '/v1/types/:name',
      '/v1/topology',
      '/v1/errors',
      '/v1/errors/:code',
      '/v1/telemetry',
      '/v1/telemetry/history',
      '/v1/telemetry/stream',
    ];
    const routes = routesOf(cluster.gateways[0]!.rest.printRoutes({ commonPrefix: false })).filter(({ path }) => path.startsWith('/v1'));
    expect(new Set(routes.map(({ path }) => path))).toContain('/v1/admin/backup');
    expect(routes.length).toBeGreaterThan(20);
    const unguarded = new Set<string>();
    for (const { method, path } of routes) {
      if (path === '/v1/telemetry/stream') {
        unguarded.add(path); // a stream, which would never end
        continue;
      }
      const answer = await call(method as 'GET', path.replaceAll(/:\w+/g, 'x'));
      if (answer.statusCode !== 401) unguarded.add(path);
    }
    expect([...unguarded].toSorted()).toEqual(open.toSorted());
  });

  test.each(['/livez', '/readyz', '/metrics', '/v1/topology', '/v1/types', '/v1/errors', '/v1/telemetry'])('%s stays open', async (url) => {
    expect((await call('GET', url)).statusCode).toBe(200);
  });
});

describe('over gRPC', () => {
  test.each(Object.keys(claretService))('%s needs the token', async (name) => {
    const client = cluster.grpcClient(0);
    const { path, requestStream } = claretService[name]! as MethodDefinition<object, object>;
    const asIs = (bytes: Buffer) => bytes;
    const statusWith = (metadata: Metadata) =>
      new Promise<string>((resolve) => {
        const stream = client.makeBidiStreamRequest(path, asIs, asIs, metadata);
        stream.on('data', () => resolve('answered'));
        stream.on('error', ({ details }: { details?: string }) => resolve(details ?? ''));
        stream.on('end', () => resolve('ended'));
        if (requestStream) stream.write(Buffer.alloc(0));
        else stream.end(Buffer.alloc(0));
      });
    const wrong = new Metadata();
    wrong.set('authorization', 'Bearer another-token-of-some-length');
    expect(await statusWith(new Metadata())).toMatch(/needs the cluster's token/);
    expect(await statusWith(wrong)).toMatch(/came with a token that is not the cluster's token/);
  });

  test('the refusal carries its code', async () => {
    expect(await failure(unary(cluster.grpcClient(0), 'GetTopology', {}))).toMatchObject({
      status: 'UNAUTHENTICATED',
      code: 'unauthenticated',
    });
  });

  test('health stays open', async () => {
    const client = new Client(addresses()[0]!, credentials.createInsecure());
    const asIs = (bytes: Buffer) => bytes;
    const answer = await new Promise<Buffer>((resolve, reject) => {
      client.makeUnaryRequest('/grpc.health.v1.Health/Check', asIs, asIs, Buffer.alloc(0), (error, bytes) =>
        error ? reject(error) : resolve(bytes!),
      );
    });
    client.close();
    expect([...answer]).toEqual([8, 1]); // SERVING
  });
});

describe('with an admin token', () => {
  const ADMIN = 'battery-staple-correct-horse';
  let guarded: TestCluster;
  beforeAll(async () => {
    guarded = await startCluster(2, { token: TOKEN, adminToken: ADMIN });
  });
  afterAll(() => guarded.close());
  const ask = async (method: 'GET' | 'POST' | 'DELETE', url: string, token: string, payload?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await guarded.gateways[1]!.rest.inject({ method, url, headers, ...(payload && { payload }) });
    return [answer.statusCode, answer.json().code];
  };
  const installed = async (): Promise<string[]> =>
    (await guarded.gateways[1]!.rest.inject('/v1/types')).json().installed.map(({ name }: { name: string }) => name);

  test('the token of the cluster changes no type, over REST or gRPC', async () => {
    for (const [method, url] of [
      ['POST', '/v1/types'],
      ['POST', '/v1/types/check'],
      ['DELETE', '/v1/types/Tally'],
    ] as const)
      expect(await ask(method, url, TOKEN, { definition: TALLY })).toEqual([401, 'unauthenticated']);
    const metadata = new Metadata();
    metadata.set('authorization', `Bearer ${TOKEN}`);
    const requests = { install: TALLY, retire: 'Tally' };
    for (const [change, value] of Object.entries(requests)) {
      const { path, requestSerialize } = claretService['ChangeTypes']! as MethodDefinition<object, object>;
      const refused = new Promise((_, reject) => {
        guarded.grpcClient(1).makeUnaryRequest(
          path,
          requestSerialize,
          (bytes: Buffer) => bytes,
          { [change]: value },
          metadata,
          (error) => reject(error),
        );
      });
      expect(await failure(refused)).toMatchObject({ status: 'UNAUTHENTICATED' });
    }
    expect(await installed()).toEqual([]);
  });

  test('it installs types, at all shards, and does whatever the other does', async () => {
    expect(await ask('POST', '/v1/types', ADMIN, { definition: TALLY })).toEqual([200, undefined]);
    expect(await installed()).toEqual(['Tally']);
    const operations = [{ key: 'votes', type: 'Tally', operation: 'add', arguments: [1] }];
    for (const token of [TOKEN, ADMIN]) expect((await ask('POST', '/v1/transactions', token, { operations }))[0]).toBe(200);
    expect(await ask('DELETE', '/v1/types/Tally', ADMIN)).toEqual([200, undefined]);
  });
});

test('a page of another origin cannot install or retire a type', async () => {
  const headers = { authorization: `Bearer ${TOKEN}`, origin: 'http://elsewhere.example' };
  for (const [method, url] of [
    ['POST', '/v1/types'],
    ['DELETE', '/v1/types/Tally'],
  ] as const) {
    const answer = await cluster.gateways[0]!.rest.inject({ method, url, headers, payload: { definition: TALLY } });
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'forbidden_origin']);
  }
});

describe('the client', () => {
  test('with the token runs transactions over both shards', async () => {
    const claret = await connect({ addresses: addresses(), token: TOKEN });
    const [here, there] = [cluster.keyOn(0, 'client'), cluster.keyOn(1, 'client')];
    await claret.transact('Add', [claret.on.counter(here).add(1), claret.on.counter(there).add(2)]);
    expect(await claret.transact('Read', [claret.on.counter(here).value(), claret.on.counter(there).value()])).toEqual([1, 2]);
    await claret.close();
  });

  test.each(['', 'another-token-of-some-length'])('with %j instead gets the error at once', async (token) => {
    await expect(connect({ addresses: addresses(), token })).rejects.toMatchObject({ code: 'unauthenticated', retryable: false });
  });
});

test('gateways send the token to each other: conditions, telemetry and their own clients reach all shards', async () => {
  await cluster.untilConnected();
  const answer = (await call('GET', '/v1/admin/conditions', `Bearer ${TOKEN}`)).json() as { shards: { conditions: object | null }[] };
  expect(answer.shards.map(({ conditions }) => conditions !== null)).toEqual([true, true]);
  const shardsInFrames = async () => {
    const { frames } = (await call('GET', '/v1/telemetry?frames=10')).json() as { frames: { shards: { shard: number }[] }[] };
    return new Set(frames.flatMap(({ shards }) => shards.map(({ shard }) => shard)));
  };
  await expect.poll(shardsInFrames).toEqual(new Set([0, 1]));
});

test('a gateway with another token counts as unreachable, so the conditions cannot be changed', async () => {
  await cluster.restart(1, { token: 'some-other-token-here' });
  const errorOfShard1 = async () => {
    const answer = (await call('GET', '/v1/admin/conditions', `Bearer ${TOKEN}`)).json() as { shards: { error?: string }[] };
    return answer.shards[1]!.error;
  };
  // Until gateway 0 has connected again, the answer is that nobody answers there.
  await expect.poll(errorOfShard1).toMatch(/a token that is not the cluster's token/);
  await cluster.restart(1);
});

describe('without a token', () => {
  const pair = (host: string) => `${host}:9001/${host}:9002`;
  test.each(['10.0.0.5', '0.0.0.0', 'db.example', '[::]', '128.0.0.1', '127.example.org'])('a gateway refuses to listen on %s', (host) => {
    expect(() => readConfig(['--cluster', pair(host)], {})).toThrow(/without a token everybody who reaches .* CLARET_TOKEN/);
    expect(() => readConfig(['--cluster', pair(host)], { CLARET_TOKEN: TOKEN })).not.toThrow();
    expect(() => readConfig(['--cluster', pair(host), '--bind', '127.0.0.1'], {}), 'others are told to come there').toThrow(
      /without a token everybody who reaches/,
    );
    expect(() => readConfig(['--cluster', pair(host), '--bind', '127.0.0.1'], { CLARET_TOKEN: TOKEN })).not.toThrow();
  });

  test.each(['127.0.0.1', '127.8.8.8', 'localhost', '[::1]'])('it listens on %s', (host) => {
    expect(() => readConfig(['--cluster', pair(host)], {})).not.toThrow();
    expect(() => readConfig(['--cluster', pair(host), '--bind', '0.0.0.0'], {})).toThrow(/0\.0\.0\.0/);
  });

  test('the REST address is checked as well as that of gRPC', () => {
    expect(() => readConfig(['--cluster', '127.0.0.1:9001/10.0.0.5:9002'], {})).toThrow(/reaches 10\.0\.0\.5/);
  });
});

test.each(['short', 'fifteen-letters', 'with a space in it, long enough', 'ünïcödé-and-long-enough', 'x'.repeat(257)])(
  '%j is refused as a token, and the message does not contain it',
  (token) => {
    const refused = () => readConfig([], { CLARET_TOKEN: token });
    expect(refused).toThrow(/CLARET_TOKEN: a token has 16 to 256/);
    expect(refused).not.toThrow(token);
  },
);

test('the word Bearer is case-insensitive, the token is not', () => {
  const check = tokenCheck({ token: TOKEN, adminToken: '' });
  for (const word of ['Bearer', 'bearer', 'BEARER', 'Bearer ']) expect(() => check(`${word} ${TOKEN}`)).not.toThrow();
  expect(() => check(`Bearer ${TOKEN.toUpperCase()}`)).toThrow(/a token that is not the cluster's token/);
});
