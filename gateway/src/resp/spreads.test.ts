// Commands and transactions of Redis clients with keys on several shards, on real gateways.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';
import { RedisClient } from '../testing/redis-client.ts';
import type { Reply } from '../testing/redis-client.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster(2, { doors: true });
});
afterAll(() => cluster.close());

async function open(shard = 0): Promise<RedisClient> {
  const client = await RedisClient.open(cluster.gateways[shard]!.member.resp!);
  onTestFinished(() => client.close());
  return client;
}

/** Sends MULTI, the commands and EXEC; resolves with the reply to EXEC. */
async function multi(client: RedisClient, ...commands: (string | number)[][]): Promise<Reply | undefined> {
  const replies = [client.call('MULTI'), ...commands.map((command) => client.call(...command)), client.call('EXEC')];
  return (await Promise.all(replies)).at(-1);
}

const keys = (name: string): [string, string] => [cluster.keyOn(0, name), cluster.keyOn(1, name)];

test('commands with keys on several shards are answered as one big Redis answers them', async () => {
  const client = await open();
  const [here, there] = keys('plain');
  expect(await client.call('MSET', here, 'a', there, 'b')).toBe('OK');
  expect(await client.call('MGET', there, here, `${here}-none`)).toEqual(['b', 'a', null]);
  expect(await client.call('EXISTS', here, there)).toBe(2);
  expect(await client.call('DEL', here, there, `${here}-none`)).toBe(2);
  await client.call('SADD', here, 'x', 'y');
  await client.call('SADD', there, 'y', 'z');
  expect(await client.call('SINTER', here, there)).toEqual(['y']);
  expect(await client.call('SMOVE', here, there, 'x')).toBe(1);
  expect(await client.call('SMEMBERS', there)).toEqual(['x', 'y', 'z']);
});

test('MULTI over several shards is one transaction: nobody sees a part of it', async () => {
  const [here, there] = keys('account');
  const [one, other, reader] = [await open(0), await open(1), await open(1)];
  await one.call('MSET', here, 1000, there, 1000);
  let isOver = false;
  const sums: number[] = [];
  const reading = (async () => {
    while (!isOver) {
      const amounts = (await reader.call('MGET', here, there)) as string[];
      sums.push(Number(amounts[0]) + Number(amounts[1]));
    }
  })();
  const transfers = async (client: RedisClient, n: number) => {
    for (let i = 0; i < 25; i++) {
      const reply = await multi(client, ['INCRBY', here, n], ['DECRBY', there, n]);
      expect(reply).toHaveLength(2);
    }
  };
  await Promise.all([transfers(one, 3), transfers(other, -2)]);
  isOver = true;
  await reading;
  expect(sums.length).toBeGreaterThan(0);
  expect(new Set(sums)).toEqual(new Set([2000]));
  expect(await one.call('MGET', here, there)).toEqual(['1025', '975']);
});

test('what a transaction over several shards cannot do says so, and changes nothing', async () => {
  const client = await open();
  const [here, there] = keys('refused');
  await client.call('MSET', here, 'text', there, 5);
  expect(await multi(client, ['INCR', here], ['INCR', there])).toEqual({ error: 'ERR value is not an integer or out of range' });
  expect(await client.call('MGET', here, there)).toEqual(['text', '5']);
  expect(await client.call('WATCH', here, there)).toEqual({ error: 'CROSSSLOT WATCH needs all keys of the transaction on one shard' });
  expect(await client.call('BLPOP', ...keys('waited'), 1)).toEqual({
    error: 'CROSSSLOT A command that waits needs all its keys on one shard',
  });
  expect(await client.call('PING')).toBe('PONG');
});

test('commands behind one on several shards wait for it', async () => {
  const client = await open();
  const [here, there] = keys('order');
  const replies = [client.call('MSET', here, 1, there, 1), client.call('INCR', here), client.call('INCR', there), client.call('PING')];
  expect(await Promise.all(replies)).toEqual(['OK', 2, 2, 'PONG']);
});

test('commands of different types on a key that is not there go through', async () => {
  const client = await open();
  const [here, there] = keys('typeless');
  expect(await multi(client, ['SCARD', here], ['GET', here], ['GET', there])).toEqual([0, null, null]);
  expect(await multi(client, ['HGETALL', here], ['SET', here, 1], ['LLEN', there])).toEqual([[], 'OK', 0]);
  expect(await multi(client, ['ZADD', there, 0, 'o'], ['APPEND', there, 'x'], ['GET', here])).toEqual({
    error: 'CROSSSLOT A command needs a record that an earlier one changes, which a transaction over several shards cannot',
  });
});

test('as many keys as a command may have are deleted at once', async () => {
  const client = await open();
  const names = Array.from({ length: 4_000 }, (_, i) => `many${i}`);
  for (let from = 0; from < names.length; from += 1_000) {
    expect(await client.call('MSET', ...names.slice(from, from + 1_000).flatMap((name) => [name, 'x']))).toBe('OK');
  }
  expect(await client.call('DEL', ...names)).toBe(4_000);
  expect(await client.call('DEL', ...names)).toBe(0);
  const keyspaces = await Promise.all([0, 1].map(async (shard) => (await open(shard)).call('DBSIZE')));
  for (const size of keyspaces) expect(size as number).toBeLessThan(100);
});

test('a command of many keys gets through beside one that writes one of them all the time', async () => {
  const [client, writer] = [await open(), await open()];
  const names = Array.from({ length: 500 }, (_, i) => `hot${i}`);
  let isOver = false;
  const writing = (async () => {
    while (!isOver) await writer.call('SET', names[7]!, 'x');
  })();
  for (let i = 0; i < 3; i++) expect(await client.call('DEL', ...names)).toEqual(expect.any(Number));
  isOver = true;
  await writing;
});
