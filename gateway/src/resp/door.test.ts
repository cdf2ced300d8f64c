// The Redis door of real gateways, as Redis clients meet it.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { freePorts } from '../../../scripts/run/ports.js';
import { connect as connectClaret } from '@claret/client';
import { buildGateway } from '../app.ts';
import { parseCluster } from '../cluster.ts';
import { DEFAULTS } from '../config.ts';
import { keyOn, startCluster } from '../testing/cluster.ts';
import type { TestCluster, TestClusterOptions } from '../testing/cluster.ts';
import { RedisClient, encoded } from '../testing/redis-client.ts';
import { Topology } from '../topology.ts';
import type { Owner } from '../topology.ts';

const TOKEN = 'correct-horse-battery-staple';
const SOON = { interval: 10 };

const doorOf = (cluster: TestCluster, shard: number): string => cluster.gateways[shard]!.member.resp!;

async function open(cluster: TestCluster, shard = 0): Promise<RedisClient> {
  const client = await RedisClient.open(doorOf(cluster, shard));
  onTestFinished(() => client.close());
  return client;
}

/** A cluster for one test. */
async function start(shards: number, options: TestClusterOptions = {}, dataDir?: string): Promise<TestCluster> {
  const cluster = await startCluster(shards, { doors: true, ...options }, dataDir);
  onTestFinished(() => cluster.close());
  return cluster;
}

const metric = async (cluster: TestCluster, name: string, shard = 0): Promise<number> => {
  const { body } = await cluster.gateways[shard]!.rest.inject('/metrics');
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1]);
};

describe('two gateways, whose doors forward', () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster(2, { doors: true });
  });
  afterAll(() => cluster.close());

  test('PING, SET and GET are answered', async () => {
    const client = await open(cluster);
    const key = cluster.keyOn(0, 'plain');
    expect(await client.call('PING')).toBe('PONG');
    expect(await client.call('GET', key)).toBeNull();
    expect(await client.call('SET', key, 'it is')).toBe('OK');
    expect(await client.call('GET', key)).toBe('it is');
    client.socket.write(`get ${key}\r\n`); // as a person types it
    expect(await client.reply()).toBe('it is');
  });

  test('what Redis clients write, callers of REST read, and the other way round', async () => {
    const client = await open(cluster);
    const [written, read] = [cluster.keyOn(0, 'written'), cluster.keyOn(0, 'read')];
    await client.call('SET', written, 'by Redis');
    const { rest } = cluster.gateways[1]!;
    expect((await rest.inject(`/v1/records/${written}?type=register&operation=get`)).json()).toMatchObject({ value: 'by Redis' });
    const payload = { type: 'register', operation: 'set', arguments: ['by REST'] };
    expect((await rest.inject({ method: 'POST', url: `/v1/records/${read}`, payload })).statusCode).toBe(200);
    expect(await client.call('GET', read)).toBe('by REST');
  });

  test('a plain client reaches the keys of all shards at any gateway, in the order of its commands', async () => {
    const [one, other] = [await open(cluster, 0), await open(cluster, 1)];
    const keys = [0, 1].map((shard) => cluster.keyOn(shard, 'forwarded'));
    const before = await metric(cluster, 'claret_redis_forwarded_total');
    const replies = await Promise.all([
      one.call('SET', keys[0]!, 'a'),
      one.call('SET', keys[1]!, 'b'),
      one.call('GET', keys[1]!),
      one.call('GET', keys[0]!),
    ]);
    expect(replies).toEqual(['OK', 'OK', 'b', 'a']);
    expect(await Promise.all(keys.map((key) => other.call('GET', key)))).toEqual(['a', 'b']);
    expect((await metric(cluster, 'claret_redis_forwarded_total')) - before).toBe(2);
  });

  test('a large pipeline is answered as a whole and in order, although its client does not read for a while', async () => {
    const client = await open(cluster);
    const key = cluster.keyOn(0, 'large');
    const value = 'x'.repeat(10_000);
    await client.call('SET', key, value);
    client.socket.pause();
    const count = 4_000; // 40 MB of answers: more than the core keeps, and more than the kernel takes
    const commands = Array.from({ length: count }, (_, i) => encoded(['GET', key]) + encoded(['ECHO', i])).join('');
    client.socket.write(commands);
    const replies = Promise.all(Array.from({ length: 2 * count }, () => client.reply()));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await (await open(cluster)).call('GET', key), 'others are served meanwhile').toBe(value);
    client.socket.resume();
    const all = await replies;
    expect(all.filter((_, at) => at % 2 === 1)).toEqual(Array.from({ length: count }, (_, i) => String(i)));
    expect(all.every((reply, at) => at % 2 === 1 || reply === value)).toBe(true);
  });

  test('a client that does not read is not read either, and goes on where it was', async () => {
    const client = await open(cluster);
    client.socket.pause();
    const value = 'z'.repeat(60_000);
    const count = 1_000; // 60 MB each way
    const replies = Promise.all(Array.from({ length: count }, () => client.reply()));
    client.socket.write(Buffer.from(encoded(['ECHO', value]).repeat(count)));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(client.socket.writableLength).toBeGreaterThan(count * 30_000);
    client.socket.resume();
    expect(new Set(await replies)).toEqual(new Set([value]));
  });

  test('a client that sends faster than its commands run is read as fast as they do', async () => {
    const client = await open(cluster);
    const key = cluster.keyOn(0, 'fast');
    const value = 'y'.repeat(50_000);
    const count = 600; // 30 MB
    const replies = Array.from({ length: count }, () => client.reply());
    client.socket.write(Buffer.from(encoded(['SET', key, value]).repeat(count)));
    expect(new Set(await Promise.all(replies))).toEqual(new Set(['OK']));
    expect(await client.call('STRLEN', key)).toBe(value.length);
  });

  test('a client that has sent its last command gets its answers', async () => {
    const client = await open(cluster);
    const key = cluster.keyOn(0, 'last');
    const replies = [client.reply(), client.reply()];
    client.socket.end(encoded(['SET', key, 'words']) + encoded(['GET', key]));
    expect(await Promise.all(replies)).toEqual(['OK', 'words']);
    await client.closed;
  });

  test('a browser that posts to the door is cut off, and nothing of what it sends runs', async () => {
    const key = cluster.keyOn(0, 'posted');
    const [host, port] = doorOf(cluster, 0).split(':');
    for (const first of ['POST / HTTP/1.1', 'GET / HTTP/1.1']) {
      const browser = connect({ host: host!, port: Number(port) });
      browser.write(`${first}\r\nHost: ${host}\r\ncontent-length: 99\r\n\r\nSET ${key} taken\r\n`);
      browser.resume();
      await once(browser, 'close');
    }
    expect(await (await open(cluster)).call('EXISTS', key)).toBe(0);
  });

  test('the topology has the addresses of the doors', async () => {
    const { shards } = (await cluster.gateways[0]!.rest.inject('/v1/topology')).json() as { shards: { resp_address: string }[] };
    expect(shards.map(({ resp_address }) => resp_address)).toEqual([0, 1].map((shard) => doorOf(cluster, shard)));
  });

  test('connections are counted, open ones and all', async () => {
    const openNow = () => metric(cluster, 'claret_redis_connections');
    await expect.poll(openNow, SOON).toBe(0); // those of other tests
    const accepted = await metric(cluster, 'claret_redis_accepted_total');
    const clients = [await open(cluster), await open(cluster)];
    for (const client of clients) await client.call('SET', cluster.keyOn(0, 'counted'), 1);
    expect(await openNow()).toBe(2);
    expect((await metric(cluster, 'claret_redis_accepted_total')) - accepted).toBe(2);
    expect(await metric(cluster, 'claret_redis_commands_total')).toBeGreaterThanOrEqual(2);
    for (const client of clients) client.close();
    await expect.poll(openNow, SOON).toBe(0);
    expect((await metric(cluster, 'claret_redis_accepted_total')) - accepted).toBe(2);
  });
});

test('with redirects, a command on a key of another shard is answered with the place of its door, and runs there', async () => {
  const cluster = await start(2, { respRedirect: true });
  const [one, other] = [await open(cluster, 0), await open(cluster, 1)];
  const key = cluster.keyOn(1, 'moved');
  const slot = await one.call('CLUSTER', 'KEYSLOT', key);
  expect(await one.call('SET', key, 'b')).toEqual({ error: `MOVED ${String(slot)} ${doorOf(cluster, 1)}` });
  expect(await other.call('SET', key, 'b')).toBe('OK');
  expect(await one.call('SET', cluster.keyOn(0, 'moved'), 'a')).toBe('OK');
  const nodes = (await one.call('CLUSTER', 'SLOTS')) as [number, number, [string, number, string]][];
  expect(nodes.map(([first, last, [host, port]]) => [first, last, `${host}:${port}`])).toEqual([
    [0, 8191, doorOf(cluster, 0)],
    [8192, 16383, doorOf(cluster, 1)],
  ]);
});

test('with a token, nothing but the token opens the door, for clients and for the doors among themselves', async () => {
  const cluster = await start(2, { token: TOKEN });
  const stranger = await open(cluster);
  const key = cluster.keyOn(1, 'guarded');
  const refused = { error: 'NOAUTH Authentication required.' };
  expect([await stranger.call('GET', key), await stranger.call('SET', key, 'x')]).toEqual([refused, refused]);
  const wrong = { error: expect.stringMatching(/^WRONGPASS /) };
  for (const words of [['another-token-of-some-length'], [`${TOKEN}x`], [''], ['root', TOKEN]]) {
    expect([words, await stranger.call('AUTH', ...words)]).toEqual([words, wrong]);
  }
  expect(await stranger.call('GET', key)).toEqual(refused);
  expect(await stranger.call('AUTH', TOKEN)).toBe('OK');
  expect(await stranger.call('SET', key, 'mine')).toBe('OK');
  const named = await open(cluster, 1);
  expect(await named.call('AUTH', 'default', TOKEN)).toBe('OK');
  expect(await named.call('GET', key)).toBe('mine');
});

test('a gateway without a door listens for no Redis clients, and a key of its shard is out of their reach', async () => {
  const cluster = await start(2);
  const [one, other] = cluster.gateways.map(({ member }) => member);
  await cluster.restart(1, { cluster: `${one!.grpc}/${one!.rest}/${one!.resp!},${other!.grpc}/${other!.rest}` });
  expect(cluster.gateways[1]!.member.resp).toBeUndefined();
  const topology = async () => (await cluster.gateways[0]!.rest.inject('/v1/topology')).json() as { shards: { resp_address?: string }[] };
  await expect.poll(async () => (await topology()).shards[1]!.resp_address, SOON).toBeUndefined();
  const client = await open(cluster);
  expect(await client.call('GET', cluster.keyOn(1, 'unreachable'))).toEqual({
    error: expect.stringMatching(/^TRYAGAIN .* no shard with a Redis door/),
  });
  expect(await client.call('GET', cluster.keyOn(0, 'reachable'))).toBeNull();
});

test('the setting respPort opens a door that the other gateways learn of', async () => {
  const cluster = await start(2);
  const places = cluster.gateways.map(({ member: { grpc, rest } }) => `${grpc}/${rest}`).join(',');
  const ports = cluster.gateways.map(({ member }) => Number(member.resp!.split(':')[1]));
  for (const shard of [0, 1]) await cluster.restart(shard, { cluster: places, respPort: ports[shard]! });
  const key = cluster.keyOn(1, 'learned');
  await expect.poll(async () => (await open(cluster)).call('SET', key, 'x'), SOON).toBe('OK');
  expect(await (await open(cluster, 1)).call('GET', key)).toBe('x');
});

test('a shard that joins has a door that the others know, and is reached once it has slots', async () => {
  const cluster = await start(2, { durability: 'async' });
  await cluster.join();
  const client = await open(cluster);
  await expect.poll(async () => String(await client.call('CLUSTER', 'NODES')), SOON).toContain(`${doorOf(cluster, 2)}@`);
  const key = cluster.keyOn(0, 'goes');
  await client.call('SET', key, 'before');
  const payload = { slots: { first: 0, last: 8191 }, to: 2 };
  const answer = await cluster.gateways[0]!.rest.inject({ method: 'POST', url: '/v1/admin/moves', payload });
  expect(answer.statusCode, answer.body).toBeLessThan(300);
  await expect.poll(() => cluster.gateways[2]!.host.counters().records, SOON).toBeGreaterThan(0);
  await expect.poll(() => client.call('GET', key), SOON).toBe('before');
  await expect.poll(() => client.call('SET', key, 'after'), SOON).toBe('OK');
  expect(await (await open(cluster, 2)).call('GET', key)).toBe('after');
});

test('while another gateway is down its keys are not answered for, and again once it is back', async () => {
  const cluster = await start(2);
  const client = await open(cluster);
  const [here, there] = [cluster.keyOn(0, 'up'), cluster.keyOn(1, 'down')];
  expect(await client.call('GET', there)).toBeNull();
  await cluster.gateways[1]!.close();
  expect(await client.call('GET', there)).toEqual({ error: expect.stringMatching(/^TRYAGAIN /) });
  expect(await client.call('SET', here, 1)).toBe('OK');
  await cluster.restart(1);
  await expect.poll(() => client.call('GET', there), SOON).toBeNull();
});

test('what was deleted or has expired is forgotten soon, though nothing else happens', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'claret-door-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const cluster = await start(1, { durability: 'async', checkpointMs: 100 }, folder);
  const client = await open(cluster);
  await client.call('SET', 'kept', 'x');
  const gone = Array.from({ length: 300 }, (_, i) => `gone${i}`);
  await Promise.all(gone.map((key, i) => client.call('SET', key, 'x', ...(i % 2 === 0 ? ['PX', 50] : []))));
  await client.call('DEL', ...gone.filter((_, i) => i % 2 === 1));
  await expect.poll(() => client.call('DBSIZE'), SOON).toBe(1);
  await expect.poll(() => cluster.gateways[0]!.host.counters().vacantRecords, SOON).toBe(0);
  await cluster.restart(0);
  expect(cluster.gateways[0]!.host.counters()).toMatchObject({ records: 1, vacantRecords: 0 });
});

test('what was acknowledged is there after a restart, and the end of a gateway ends its clients and frees its port', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'claret-door-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const cluster = await start(1, { durability: 'sync' }, folder);
  const client = await open(cluster);
  expect(await client.call('SET', 'kept', 'a')).toBe('OK');
  const last = await open(cluster);
  const reply = last.reply();
  last.socket.end(encoded(['SET', 'last', 'b']));
  expect(await reply, 'it waits for the disk').toBe('OK');
  await cluster.restart(0);
  await client.closed;
  const again = await open(cluster);
  expect([await again.call('GET', 'kept'), await again.call('GET', 'last')]).toEqual(['a', 'b']);
});

test('a client that does not read is dropped after a lease, and others are not', async () => {
  const cluster = await start(1, { sessionLeaseMs: 300 });
  const [idle, deaf] = [await open(cluster), await open(cluster)];
  await idle.call('SET', 'big', 'x'.repeat(60_000));
  deaf.socket.pause();
  deaf.socket.write(encoded(['GET', 'big']).repeat(1_000));
  await expect.poll(() => metric(cluster, 'claret_redis_connections'), SOON).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(await idle.call('PING'), 'it was silent for longer than a lease').toBe('PONG');
});

test('a gateway that closes lets nobody in, and serves those who are in until its open work is done', async () => {
  const cluster = await start(1, { drainMs: 60_000 });
  const client = await open(cluster);
  const claret = await connectClaret({ addresses: [cluster.gateways[0]!.member.grpc], timeoutMs: 60_000 });
  onTestFinished(() => claret.close(0));
  let finish!: () => void;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const work = claret.transaction('Work', async (tx) => {
    await tx.counter('work').value();
    await finished;
  });
  await expect.poll(() => cluster.gateways[0]!.host.counters().attemptsInFlight, SOON).toBe(1);
  const closed = cluster.gateways[0]!.close();
  await expect(RedisClient.open(doorOf(cluster, 0))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(await client.call('SET', 'meanwhile', 1)).toBe('OK');
  finish();
  await Promise.all([work, closed, client.closed]);
});

test('when another gateway takes a shard over, commands go to its door, and no link to the old one stays', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'claret-door-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const ports = await freePorts(9);
  const [own, old, next] = [0, 3, 6].map((at) => {
    const [grpc, rest, resp] = ports.slice(at, at + 3).map((port) => `127.0.0.1:${port}`);
    return { grpc: grpc!, rest: rest!, resp: resp! };
  });
  const cluster = [own!, old!].map(({ grpc, rest, resp }) => `${grpc}/${rest}/${resp}`).join(',');
  const owners = (second: typeof own, incarnation: number) => [
    { shard: 0, incarnation: 1, ...own! },
    { shard: 1, incarnation, ...second! },
  ];
  const serve = async (name: string, shard: number, known: Owner[], addresses: typeof own) => {
    const topology = new Topology({ members: parseCluster(cluster), durability: 'none', clusterName: 'claret', replicated: true });
    topology.take(known, []);
    const { grpc, rest, resp } = addresses!;
    // The door is where the configuration of its gateway says, whichever shard it has.
    const places = cluster.split(',').with(shard, `${grpc}/${rest}/${resp}`).join(',');
    const settings = { logLevel: 'silent', drainMs: 100, durability: 'none', shard, cluster: places, dataDir: join(folder, name) } as const;
    const gateway = await buildGateway({ ...DEFAULTS, ...settings }, { topology });
    onTestFinished(() => gateway.close());
    await gateway.listen();
    return { gateway, topology };
  };
  const first = await serve('own', 0, owners(old, 2), own);
  const before = await serve('old', 1, owners(old, 2), old);
  const key = keyOn(1, 2, 'taken');
  const client = await RedisClient.open(own!.resp);
  onTestFinished(() => client.close());
  expect(await client.call('SET', key, 'at the old one')).toBe('OK');
  expect(before.gateway.host.counters().respConnections).toBe(1);

  const after = await serve('next', 1, owners(next, 3), next);
  first.topology.take(owners(next, 3), []);
  await expect.poll(() => client.call('GET', key), SOON).toBeNull(); // the new owner began empty
  expect(after.gateway.host.counters().respConnections).toBe(1);
  await expect.poll(() => before.gateway.host.counters().respConnections, SOON).toBe(0);
});
