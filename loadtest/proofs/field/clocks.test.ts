// Reports about wall clocks: of servers, which jump, and of clients, which differ. The gateways run in this process and read `Date.now`; the
// clients read a clock of their own.
import { connect, systemEnvironment, type Claret, type Environment } from '@claret/client';
import { afterEach, expect, test, vi } from 'vitest';
import { startCluster, type TestCluster } from '../../../gateway/src/testing/cluster.ts';
import { RedisClient } from '../../../gateway/src/testing/redis-client.ts';

const HOUR_MS = 3_600_000;
/** Longer than this test takes on any machine. */
const LEASE_MS = 10 * 60_000;

let cluster: TestCluster;
const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  await cluster.close();
});

/** The wall clocks of the gateways are this far ahead from now on. Their steady clocks go on. */
function setClocks(aheadMs: number): void {
  vi.restoreAllMocks();
  const { now } = Date;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
}

async function connected(environment: Environment): Promise<Claret> {
  const claret = await connect({ addresses: [cluster.gateways[0]!.member.grpc], environment });
  opened.push(claret);
  return claret;
}

// etcd-io/etcd#12291: a lease that was granted while the clock was an hour ahead had a negative rest once the clock was set right.
test('a lease lasts for its time, whatever happens to the clock of the server meanwhile', async () => {
  cluster = await startCluster(1, { doors: true });
  const client = await RedisClient.open(cluster.gateways[0]!.member.resp!);
  opened.push(client);
  const rest = async () => Number(await client.call('PTTL', 'lock'));
  setClocks(HOUR_MS);
  expect(await client.call('SET', 'lock', 'holder', 'NX', 'PX', LEASE_MS)).toBe('OK');
  expect(await client.call('SET', 'short', 'holder', 'PX', 100)).toBe('OK');
  for (const aheadMs of [0, -HOUR_MS, HOUR_MS, 0]) {
    setClocks(aheadMs);
    expect(await client.call('SET', 'lock', 'thief', 'NX', 'PX', LEASE_MS), `${aheadMs} ms ahead`).toBeNull();
    const restMs = await rest();
    expect(restMs, `${aheadMs} ms ahead`).toBeGreaterThan(0);
    expect(restMs, `${aheadMs} ms ahead`).toBeLessThanOrEqual(LEASE_MS);
  }
  setClocks(-HOUR_MS);
  await vi.waitFor(async () => expect(await client.call('SET', 'short', 'next', 'NX')).toBe('OK'));
});

// scalar-labs/scalardb#3890: a write with a timestamp of its client's clock was discarded behind an earlier one of a faster clock.
test('what is acknowledged later counts, however slow the clock of its client is', async () => {
  cluster = await startCluster(2);
  const [slow, fast] = [-HOUR_MS, HOUR_MS].map((aheadMs) => ({
    ...systemEnvironment,
    wallMs: () => systemEnvironment.wallMs() + aheadMs,
    civilMs: () => systemEnvironment.civilMs() + aheadMs,
  }));
  const clients = [await connected(fast!), await connected(slow!)];
  const keys = [0, 1].map((shard) => cluster.keyOn(shard, 'last'));
  for (let number = 1; number <= 10; number++) {
    const [writer, reader] = number % 2 === 0 ? clients : clients.toReversed();
    await writer!.transact(
      'Write',
      keys.map((key) => writer!.on.register(key).set(number)),
    );
    const seen = await reader!.transact(
      'Read',
      keys.map((key) => reader!.on.register(key).get()),
    );
    expect(seen).toEqual([number, number]);
  }
});

// square/connect-api-examples#135: a change of the stock that was sent again with its idempotency key was made twice.
test('a key is not forgotten because the clock of the server jumps, or because it starts again', async () => {
  cluster = await startCluster(1, { durability: 'sync' });
  const change = async () => {
    const { statusCode, headers, body } = await cluster.gateways[0]!.rest.inject({
      method: 'POST',
      url: '/v1/transactions',
      headers: { 'idempotency-key': '"stock-change-1"' },
      payload: { label: 'Change', operations: [{ key: 'stock', type: 'Counter', operation: 'add', arguments: [5] }] },
    });
    return { statusCode, replayed: headers['idempotency-replayed'], body };
  };
  const first = await change();
  expect(first).toMatchObject({ statusCode: 200, replayed: undefined });
  for (const aheadMs of [2 * HOUR_MS, -2 * HOUR_MS, 0]) {
    setClocks(aheadMs);
    expect(await change()).toEqual({ ...first, replayed: 'true' });
    await cluster.restart(0);
    expect(await change(), `after a start ${aheadMs} ms ahead`).toEqual({ ...first, replayed: 'true' });
  }
  const claret = await connected(systemEnvironment);
  expect(await claret.native.counter('stock').value()).toBe(5);
});
