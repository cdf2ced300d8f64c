// The clients that people use find in the Redis doors of two gateways what they are used to: redis-cli, redis-benchmark, node-redis and ioredis,
// plain and as clients of a cluster. node-redis speaks version 3 of the protocol here and ioredis version 2; each is let in with a token in both.

import { Cluster as IoCluster, Redis as IoRedis } from 'ioredis';
import { createClient, createClientPool, createCluster, WatchError } from 'redis';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { pathOf, run, type Ended } from './programs.ts';
import { startTwoDoors, type TwoDoors } from './two-doors.ts';

const TOKEN = 'correct-horse-battery-staple';
const MANY = 1_000;
const PATIENT_MS = 60_000;
const [redisCli, redisBenchmark] = ['redis-cli', 'redis-benchmark'].map(pathOf);
const PROTOCOLS = [2, 3] as const;
const KINDS = ['forward', 'redirect'] as const;

/** Doors that forward, and doors that redirect. */
let forward: TwoDoors;
let redirect: TwoDoors;
beforeAll(async () => {
  forward = await startTwoDoors();
  redirect = await startTwoDoors({ redirect: true });
});
afterAll(() => Promise.all([forward, redirect].map((two) => two?.stop())));

const clusterOf = (kind: (typeof KINDS)[number]): TwoDoors => (kind === 'forward' ? forward : redirect);
const urlOf = ({ doors }: TwoDoors, shard = 0): string => `redis://${doors[shard]!.host}:${doors[shard]!.port}`;
const lines = ({ out }: Ended): string[] => out.split('\n').filter((line) => line !== '');

describe.skipIf(redisCli === undefined)('redis-cli', () => {
  const cli = ({ doors }: TwoDoors, args: string[], input = '') => run(redisCli!, ['-p', String(doors[0]!.port), ...args], input);
  /** What it prints for these commands on one connection. */
  const session = async (two: TwoDoors, ...commands: string[]) => lines(await cli(two, [], `${commands.join('\n')}\n`));

  test('gets answers to PING, SET, GET and INCR, on keys of both shards', async () => {
    const [here, there] = forward.keysNamed('cli');
    const commands = ['PING', `SET ${here} 1`, `SET ${there} 5`, `INCR ${here}`, `INCR ${there}`, `GET ${there}`];
    expect(await session(forward, ...commands)).toEqual(['PONG', 'OK', 'OK', '2', '6', '6']);
  });

  test('runs MULTI over both shards', async () => {
    const [here, there] = forward.keysNamed('cli-multi');
    const commands = ['MULTI', `INCR ${here}`, `SADD ${there} a b`, 'EXEC'];
    expect(await session(forward, ...commands)).toEqual(['OK', 'QUEUED', 'QUEUED', '1', '2']);
  });

  test('prints a map in version 3 of the protocol, and a list in version 2', async () => {
    const [, there] = forward.keysNamed('cli-hash');
    await session(forward, `HSET ${there} name Ann city Zürich`);
    expect(lines(await cli(forward, ['-3', '--no-raw', 'HGETALL', there]))).toEqual([
      '1# "city" => "Z\\xc3\\xbcrich"',
      '2# "name" => "Ann"',
    ]);
    expect(lines(await cli(forward, ['--no-raw', 'HGETALL', there]))).toHaveLength(4);
  });

  test('finds the keys of both shards by --scan, each once', async () => {
    const keys = Array.from({ length: 50 }, (_, i) => `cli-scan:${i}`);
    await session(forward, ...keys.map((key) => `SET ${key} x`));
    expect(lines(await cli(forward, ['--scan', '--pattern', 'cli-scan:*'])).toSorted()).toEqual(keys.toSorted());
  });

  test('counts what there is by --bigkeys', async () => {
    const [here, there] = forward.keysNamed('cli-big');
    await session(forward, `RPUSH ${here} a b c`, `ZADD ${there} 1 a 2 b`);
    const { code, out } = await cli(forward, ['--bigkeys']);
    expect([code, out]).toEqual([0, expect.stringMatching(/^1 lists with 3 items/m)]);
    expect(out).toMatch(/^1 zsets with 2 members/m);
  });

  test('follows a redirect with -c, and shows it without', async () => {
    const [, there] = redirect.keysNamed('cli-moved');
    expect(lines(await cli(redirect, ['SET', there, 'x']))).toEqual([expect.stringMatching(/^MOVED \d+ 127\.0\.0\.1:\d+$/)]);
    expect(lines(await cli(redirect, ['-c', 'SET', there, 'x']))).toEqual(['OK']);
    expect(lines(await cli(redirect, ['-c', 'GET', there]))).toEqual(['x']);
  });

  test.each(KINDS)('finds nothing wrong with the cluster of doors that %s', async (kind) => {
    const { host, port } = clusterOf(kind).doors[0]!;
    const { code, out } = await run(redisCli!, ['--cluster', 'check', `${host}:${port}`]);
    expect([code, out]).toEqual([0, expect.stringContaining('All 16384 slots covered.')]);
    expect(out).toContain('All nodes agree about slots configuration.');
  });
});

describe.skipIf(redisBenchmark === undefined)('redis-benchmark', () => {
  const TESTS = 'set,get,incr,sadd,hset,lpush,zadd,mset';
  const benchmark = ({ doors }: TwoDoors, ...args: string[]) =>
    run(redisBenchmark!, ['-p', String(doors[0]!.port), '-q', '-n', '500', '-P', '16', '-c', '20', ...args]);

  test('spreads its keys over both shards, and ends without an error', async () => {
    const { code, out, err } = await benchmark(forward, '-t', TESTS, '-r', '1000');
    expect([code, out + err]).toEqual([0, expect.not.stringMatching(/error|warning/i)]);
    expect(out.match(/requests per second/g)).toHaveLength(TESTS.split(',').length);
  });

  test.each(KINDS)('finds all nodes of a cluster whose doors %s', async (kind) => {
    const { code, out, err } = await benchmark(clusterOf(kind), '--cluster', '-t', 'set,get,incr,sadd,hset,lpush,zadd', '-r', '1000');
    expect([code, out + err]).toEqual([0, expect.stringContaining('Cluster has 2 master nodes')]);
    expect(out + err).not.toMatch(/error|warning/i);
  });
});

describe('node-redis in version 3 of the protocol', () => {
  const RESP = 3;
  async function connected(two: TwoDoors) {
    const client = createClient({ url: urlOf(two), RESP });
    client.on('error', () => {}); // a failed command rejects
    await client.connect();
    onTestFinished(() => client.destroy());
    return client;
  }

  test('reads what it has written, of every type and on both shards', async () => {
    const client = await connected(forward);
    for (const key of forward.keysNamed(`node-types-${RESP}`)) {
      await client.set(`{${key}}:text`, 'Zürich');
      expect(await client.get(`{${key}}:text`)).toBe('Zürich');
      await client.hSet(`{${key}}:hash`, { name: 'Ann', age: 41 });
      expect({ ...(await client.hGetAll(`{${key}}:hash`)) }).toEqual({ name: 'Ann', age: '41' });
      await client.sAdd(`{${key}}:set`, ['b', 'a']);
      expect((await client.sMembers(`{${key}}:set`)).toSorted()).toEqual(['a', 'b']);
      await client.zAdd(`{${key}}:ranking`, [
        { score: 2, value: 'b' },
        { score: 1, value: 'a' },
      ]);
      expect(await client.zRangeWithScores(`{${key}}:ranking`, 0, -1)).toEqual([
        { score: 1, value: 'a' },
        { score: 2, value: 'b' },
      ]);
      await client.rPush(`{${key}}:list`, ['x', 'y']);
      expect(await client.lRange(`{${key}}:list`, 0, -1)).toEqual(['x', 'y']);
    }
  });

  test('gets the replies to a pipeline over both shards in its order', async () => {
    const client = await connected(forward);
    const keys = forward.keysNamed(`node-pipe-${RESP}`);
    const replies = await Promise.all(Array.from({ length: MANY }, (_, i) => client.incr(keys[i % 2]!)));
    expect(replies).toEqual(Array.from({ length: MANY }, (_, i) => Math.floor(i / 2) + 1));
  });

  test('runs multi() on one shard and over both', async () => {
    const client = await connected(forward);
    const [here, there] = forward.keysNamed(`node-multi-${RESP}`);
    expect(await client.multi().incr(here).incr(here).get(here).exec()).toEqual([1, 2, '2']);
    expect(await client.multi().incr(here).set(there, 'x').exec()).toEqual([3, 'OK']);
    expect(await client.mGet([here, there])).toEqual(['3', 'x']);
  });

  test('is told by watch() that a key was changed by another connection', async () => {
    const [client, other] = [await connected(forward), await connected(forward)];
    for (const key of forward.keysNamed(`node-watch-${RESP}`)) {
      await client.watch(key);
      await other.set(key, 'first');
      await expect(client.multi().set(key, 'late').exec()).rejects.toThrow(WatchError);
      await client.watch(key);
      expect(await client.multi().set(key, 'second').exec()).toEqual(['OK']);
      expect(await other.get(key)).toBe('second');
    }
  });

  test('adds up with connections of a pool of its own, each of which watches', async () => {
    const pool = createClientPool({ url: urlOf(forward), RESP }, { minimum: 4, maximum: 4 });
    pool.on('error', () => {});
    await pool.connect();
    onTestFinished(() => pool.destroy());
    const [, key] = forward.keysNamed(`node-pool-${RESP}`);
    const addOne = () =>
      pool.execute(async (client) => {
        for (;;) {
          await client.watch(key);
          const sum = Number(await client.get(key)) + 1;
          try {
            return await client.multi().set(key, String(sum)).exec();
          } catch (error) {
            if (!(error instanceof WatchError)) throw error;
          }
        }
      });
    await Promise.all(Array.from({ length: 20 }, addOne));
    expect(await pool.get(key)).toBe('20');
  });

  test('sees keys expire', async () => {
    const client = await connected(forward);
    for (const key of forward.keysNamed(`node-expiry-${RESP}`)) {
      await client.set(key, 'x', { expiration: { type: 'EX', value: 100 } });
      expect(await client.ttl(key)).toBe(100);
      expect(await client.pExpire(key, 20)).toBe(1);
      await expect.poll(() => client.get(key)).toBeNull();
    }
  });

  test('finds the keys of both shards by scanIterator()', async () => {
    const client = await connected(forward);
    const keys = Array.from({ length: 30 }, (_, i) => `node-scan-${RESP}:${i}`);
    await client.mSet(Object.fromEntries(keys.map((key) => [key, 'x'])));
    const found: string[] = [];
    for await (const page of client.scanIterator({ MATCH: `node-scan-${RESP}:*`, COUNT: 100 })) found.push(...page);
    expect(found.toSorted()).toEqual(keys.toSorted());
  });

  test.each(KINDS)('is a client of a cluster whose doors %s', async (kind) => {
    const two = clusterOf(kind);
    const cluster = createCluster({ rootNodes: [{ url: urlOf(two, 1) }], RESP });
    cluster.on('error', () => {});
    await cluster.connect();
    onTestFinished(() => cluster.destroy());
    expect(cluster.masters).toHaveLength(2);
    const keys = Array.from({ length: 40 }, (_, i) => `node-cluster-${RESP}:${i}`);
    await Promise.all(keys.map((key, i) => cluster.set(key, String(i))));
    expect(await Promise.all(keys.map((key) => cluster.incr(key)))).toEqual(keys.map((_, i) => i + 1));
    for (const tag of two.keysNamed('tag')) {
      expect(await cluster.multi().set(`{${tag}}:a`, '1').incr(`{${tag}}:a`).get(`{${tag}}:a`).exec()).toEqual(['OK', 2, '2']);
    }
  });
});

describe('ioredis in version 2 of the protocol', () => {
  const protocol = 2;
  function connected({ doors }: TwoDoors): IoRedis {
    const client = new IoRedis({ ...doors[0]!, protocol });
    onTestFinished(() => client.disconnect());
    return client;
  }

  test('reads what it has written, of every type and on both shards', async () => {
    const client = connected(forward);
    for (const key of forward.keysNamed(`io-types-${protocol}`)) {
      await client.setex(`{${key}}:text`, 100, 'Zürich');
      expect([await client.get(`{${key}}:text`), await client.ttl(`{${key}}:text`)]).toEqual(['Zürich', 100]);
      const bytes = Buffer.from([0xff, 0x00, 0xfe]);
      await client.set(`{${key}}:bytes`, bytes);
      expect(await client.getBuffer(`{${key}}:bytes`)).toEqual(bytes);
      await client.hset(`{${key}}:hash`, { name: 'Ann', age: 41 });
      expect(await client.hgetall(`{${key}}:hash`)).toEqual({ name: 'Ann', age: '41' });
      await client.zadd(`{${key}}:ranking`, 2, 'b', 1, 'a');
      expect(await client.zrange(`{${key}}:ranking`, '0', '-1', 'WITHSCORES')).toEqual(['a', '1', 'b', '2']);
      await client.lpush(`{${key}}:list`, 'x', 'y');
      expect(await client.lrange(`{${key}}:list`, 0, -1)).toEqual(['y', 'x']);
    }
  });

  test('gets the replies to a pipeline over both shards in its order', async () => {
    const client = connected(forward);
    const keys = forward.keysNamed(`io-pipe-${protocol}`);
    const pipeline = client.pipeline();
    for (let i = 0; i < MANY; i++) pipeline.incr(keys[i % 2]!);
    expect(await pipeline.exec()).toEqual(Array.from({ length: MANY }, (_, i) => [null, Math.floor(i / 2) + 1]));
  });

  test('runs multi() over both shards, and nothing of it if a watched key has changed', async () => {
    const [client, other] = [connected(forward), connected(forward)];
    const [here, there] = forward.keysNamed(`io-multi-${protocol}`);
    expect(await client.multi().incr(here).set(there, 'x').exec()).toEqual([
      [null, 1],
      [null, 'OK'],
    ]);
    await client.watch(there);
    await other.set(there, 'other');
    expect(await client.multi().set(there, 'late').exec()).toBeNull();
    expect(await client.mget(here, there)).toEqual(['1', 'other']);
  });

  test('finds the keys of both shards by scanStream()', async () => {
    const client = connected(forward);
    const keys = Array.from({ length: 30 }, (_, i) => `io-scan-${protocol}:${i}`);
    await client.mset(...keys.flatMap((key) => [key, 'x']));
    const found: string[] = [];
    for await (const page of client.scanStream({ match: `io-scan-${protocol}:*` })) found.push(...(page as string[]));
    expect(found.toSorted()).toEqual(keys.toSorted());
  });

  test.each(KINDS)('is a client of a cluster whose doors %s', async (kind) => {
    const two = clusterOf(kind);
    const cluster = new IoCluster([two.doors[1]!], { redisOptions: { protocol }, slotsRefreshTimeout: PATIENT_MS });
    onTestFinished(() => cluster.disconnect());
    const keys = Array.from({ length: 40 }, (_, i) => `io-cluster-${protocol}:${i}`);
    await Promise.all(keys.map((key, i) => cluster.set(key, i)));
    expect(await Promise.all(keys.map((key) => cluster.incr(key)))).toEqual(keys.map((_, i) => i + 1));
    expect(cluster.nodes('master')).toHaveLength(2);
    for (const tag of two.keysNamed('tag')) {
      expect(await cluster.multi().set(`{${tag}}:b`, 1).incr(`{${tag}}:b`).exec()).toEqual([
        [null, 'OK'],
        [null, 2],
      ]);
    }
  });
});

describe('with a token', () => {
  let guarded: TwoDoors;
  beforeAll(async () => {
    guarded = await startTwoDoors({ token: TOKEN });
  });
  afterAll(() => guarded?.stop());

  const WRONG = 'another-token-of-some-length';

  test.skipIf(redisCli === undefined)('redis-cli is let in with it alone', async () => {
    const [, there] = guarded.keysNamed('auth-cli');
    const cli = (...args: string[]) => run(redisCli!, ['-p', String(guarded.doors[0]!.port), '--no-auth-warning', ...args]);
    expect(lines(await cli('SET', there, 'x'))).toEqual(['NOAUTH Authentication required.']);
    const refused = await cli('-a', WRONG, 'SET', there, 'x');
    expect([refused.err, refused.out]).toEqual([expect.stringMatching(/WRONGPASS/), expect.stringMatching(/NOAUTH/)]);
    expect(lines(await cli('-a', TOKEN, 'SET', there, 'x'))).toEqual(['OK']);
    expect(lines(await cli('--user', 'default', '-a', TOKEN, '-3', 'GET', there))).toEqual(['x']);
  });

  test.each(PROTOCOLS)('node-redis is let in with it alone, in version %s of the protocol', async (RESP) => {
    const [, there] = guarded.keysNamed(`auth-node-${RESP}`);
    const client = (password?: string) => {
      const made = createClient({
        url: urlOf(guarded),
        RESP,
        socket: { reconnectStrategy: false },
        ...(password !== undefined && { password }),
      });
      made.on('error', () => {}); // what it is told as well
      onTestFinished(() => made.destroy());
      return made;
    };
    await expect(client(WRONG).connect()).rejects.toThrow(/WRONGPASS/);
    const known = await client(TOKEN).connect();
    expect([await known.set(there, 'x'), await known.get(there)]).toEqual(['OK', 'x']);
    const cluster = createCluster({ rootNodes: [{ url: urlOf(guarded) }], defaults: { password: TOKEN }, RESP });
    await cluster.connect();
    onTestFinished(() => cluster.destroy());
    expect(await cluster.get(there)).toBe('x');
  });

  test.each(PROTOCOLS)('ioredis is let in with it alone, in version %s of the protocol', async (protocol) => {
    const [, there] = guarded.keysNamed(`auth-io-${protocol}`);
    const client = (password?: string) => {
      const made = new IoRedis({
        ...guarded.doors[0]!,
        protocol,
        lazyConnect: true,
        retryStrategy: () => null,
        ...(password !== undefined && { password }),
      });
      const said: string[] = [];
      made.on('error', (error: Error) => said.push(error.message));
      onTestFinished(() => made.disconnect());
      return { made, said };
    };
    const stranger = client();
    await expect(stranger.made.get(there)).rejects.toThrow(/NOAUTH/);
    const { made: mistaken, said } = client(WRONG);
    await expect(mistaken.get(there)).rejects.toThrow(/NOAUTH|WRONGPASS|closed/);
    expect(said.join()).toMatch(/WRONGPASS/);
    const { made: known } = client(TOKEN);
    expect([await known.set(there, 'x'), await known.get(there)]).toEqual(['OK', 'x']);
    const cluster = new IoCluster([guarded.doors[0]!], { redisOptions: { protocol, password: TOKEN }, slotsRefreshTimeout: PATIENT_MS });
    onTestFinished(() => cluster.disconnect());
    expect(await cluster.get(there)).toBe('x');
  });
});
