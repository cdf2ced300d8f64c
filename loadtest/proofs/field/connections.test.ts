// Reports about clients that stay connected while something else happens: others that do not read, slots that move, records that go.
import { connect, type Claret } from '@claret/client';
import { afterEach, expect, test, vi } from 'vitest';
import { startCluster, type TestCluster } from '../../../gateway/src/testing/cluster.ts';
import { RedisClient } from '../../../gateway/src/testing/redis-client.ts';
import { metricsOf } from '../crash/metrics.ts';

/** Longer than this test takes on any machine. */
const LEASE_MS = 300_000;

let cluster: TestCluster;
const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  await cluster.close();
});

/** At the door of the first shard. */
async function redis(): Promise<RedisClient> {
  const client = await RedisClient.open(cluster.gateways[0]!.member.resp!);
  opened.push(client);
  return client;
}

async function client(): Promise<Claret> {
  const claret = await connect({ addresses: [cluster.gateways[0]!.member.grpc], timeoutMs: LEASE_MS });
  opened.push(claret);
  return claret;
}

const sumOf = async (metric: string): Promise<number> => {
  const each = await Promise.all(cluster.gateways.map(({ member }) => metricsOf(`http://${member.rest}`)));
  return each.reduce((sum, level) => sum + level(metric), 0);
};

// nats-io/nats-server#2631: one consumer that was slow delayed the messages of all others. redis/redis#91: what a client did not read grew
// without a bound.
test('those who do not read hold up nobody, and get all of it once they read', async () => {
  cluster = await startCluster(2, { doors: true, sessionLeaseMs: LEASE_MS });
  const key = cluster.keyOn(1, 'large');
  const text = 'x'.repeat(60_000);
  const reader = await redis();
  expect(await reader.call('SET', key, text)).toBe('OK');
  const silent = await Promise.all(Array.from({ length: 4 }, redis));
  for (const { socket } of silent) socket.pause();
  // More than a door keeps for one client (docs/security.md).
  const late = silent.map((one) => Promise.all(Array.from({ length: 160 }, () => one.call('GET', key))));
  for (let i = 0; i < 20; i++) expect(await reader.call('GET', key)).toHaveLength(text.length);
  for (const { socket } of silent) socket.resume();
  for (const replies of await Promise.all(late)) expect(replies.every((reply) => reply === text)).toBe(true);
});

// redis/redis-py#435: after a failover by hand the old master was still there, so clients stayed with it, and their writes failed.
test('clients follow what has moved away from a gateway that they are still connected to', async () => {
  cluster = await startCluster(2, { doors: true, durability: 'sync' });
  const keys = Array.from({ length: 4 }, (_, i) => cluster.keyOn(0, `moved-${i}`));
  const [atDoor, claret] = [await redis(), await client()];
  let isOver = false;
  const counts = { door: 0, client: 0 };
  const writing = [
    async () => {
      for (let i = 0; !isOver; i++) {
        const reply = await atDoor.call('INCR', keys[i % 2]!);
        if (typeof reply === 'number') counts.door++;
        else expect(reply, 'while nobody has the slots').toEqual({ error: expect.stringMatching(/^TRYAGAIN /) });
      }
    },
    async () => {
      for (let i = 0; !isOver; i++, counts.client++)
        await claret.transact('Add', [claret.on.register(keys[2 + (i % 2)]!).incrementAndGet(1)]);
    },
  ].map((write) => write());
  const { rest } = cluster.gateways[0]!;
  const moved = await rest.inject({ method: 'POST', url: '/v1/admin/moves', payload: { from: 0, to: 1, count: 8_192 } });
  expect(moved.statusCode).toBe(202);
  await vi.waitFor(async () => {
    const { moves } = (await rest.inject('/v1/admin/moves')).json<{ moves: { phase: string }[] }>();
    expect(moves).toEqual([expect.objectContaining({ phase: 'done' })]);
  });
  const before = { ...counts };
  await vi.waitFor(() => expect([counts.door > before.door, counts.client > before.client]).toEqual([true, true]));
  isOver = true;
  await Promise.all(writing);
  const stored = (await Promise.all(keys.map((key) => atDoor.call('GET', key)))).map(Number);
  expect([stored[0]! + stored[1]!, stored[2]! + stored[3]!]).toEqual([counts.door, counts.client]);
});

// redis/redis#5964: a hundred times as many keys at a replica as at its master, which had all expired and were counted and kept all the same.
test('what has expired, was deleted or was only asked for is neither counted nor kept', async () => {
  cluster = await startCluster(2, { doors: true, durability: 'sync', checkpointMs: 100 });
  const connection = await redis();
  const named = (name: string) => Array.from({ length: 300 }, (_, i) => `${name}-${i}`);
  const replies = await Promise.all([
    connection.call('SET', 'stays', 1),
    ...named('expires').map((key) => connection.call('SET', key, 1, 'PX', 50)),
    connection.call('MSET', ...named('deleted').flatMap((key) => [key, 1])),
    connection.call('DEL', ...named('deleted')),
    connection.call('MGET', ...named('missing')),
  ]);
  expect(replies.slice(-2)).toEqual([300, named('missing').map(() => null)]);
  await vi.waitFor(async () => expect(await sumOf('claret_records')).toBe(1));
  const doors = await Promise.all(cluster.gateways.map(({ member }) => RedisClient.open(member.resp!)));
  opened.push(...doors);
  const sizes = await Promise.all(doors.map((door) => door.call('DBSIZE')));
  expect(sizes.reduce<number>((sum, size) => sum + Number(size), 0)).toBe(1);
  // The newest checkpoint may be from before the last of them expired.
  await vi.waitFor(async () => {
    for (const shard of [0, 1]) await cluster.restart(shard);
    expect(await sumOf('claret_restart_records')).toBeLessThanOrEqual(1);
  });
  expect(await sumOf('claret_records')).toBe(1);
});
