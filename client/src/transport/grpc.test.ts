// The gRPC transport over loopback: a real server, real HTTP/2, a real shard behind it.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import { connect, type ConnectOptions } from '../connect.ts';
import { freePorts } from '../../../scripts/run/ports.js';
import { CalmEnvironment } from '../testing/calm-environment.ts';
import { makeHost, serve as serveShard } from '../testing/grpc-server.ts';

const stops: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

function host(...args: Parameters<typeof makeHost>) {
  const made = makeHost(...args);
  stops.push(() => made.stop());
  return made;
}

async function serve(...args: Parameters<typeof serveShard>) {
  const served = await serveShard(...args);
  stops.push(served.stop);
  return served;
}

async function client(address: string, options: Partial<ConnectOptions> = {}): Promise<Claret> {
  const claret = await connect({ addresses: [address], name: 'grpc test', ...options });
  stops.push(() => claret.close());
  return claret;
}

describe('over gRPC', () => {
  it('a client finds all shards through one gateway and runs transactions across them', async () => {
    const addresses: string[] = [];
    for (let shard = 0; shard < 2; shard++) addresses.push((await serve(host(shard, 2), () => addresses)).address);
    const claret = await client(addresses[1]!);
    const keys = Array.from({ length: 20 }, (_, i) => `key ${i}`);
    await Promise.all(
      keys.map((key) =>
        claret.transaction('Add', async (tx) => {
          await tx.counter(key).value();
          tx.counter(key).add(1);
          tx.counter('total').add(1);
        }),
      ),
    );
    const read = [...keys, 'total'].map((key) => claret.on.counter(key).value());
    expect(await claret.transact('Read', read)).toEqual([...keys.map(() => 1), 20]);
    expect(claret.status.shards.map(({ state }) => state)).toEqual(['live', 'live']);
  });

  it('heartbeats keep an idle session alive', async () => {
    const environment = new CalmEnvironment();
    const addresses: string[] = [];
    addresses.push((await serve(host(0, 1, { sessionLeaseMs: 600, environment }), () => addresses)).address);
    const claret = await client(addresses[0]!, { environment });
    await claret.transact('Add', [claret.on.counter('a').add(1)]);
    await environment.pause(1_800);
    expect(await claret.transact('Read', [claret.on.counter('a').value()])).toEqual([1]);
    expect(claret.counters.sessionsLost).toBe(0);
    expect(claret.counters.retries).toBe(0);
  });

  it('a client reconnects to a gateway that has restarted', async () => {
    const addresses: string[] = [];
    const shard = host(0, 1);
    const first = await serve(shard, () => addresses);
    addresses.push(first.address);
    const claret = await client(first.address);
    await claret.transact('Add', [claret.on.counter('a').add(1)]);
    first.stop();
    const adding = claret.transact('Add', [claret.on.counter('a').add(1)]);
    await serve(shard, () => addresses, Number(first.address.split(':')[1]));
    await adding;
    expect(await claret.transact('Read', [claret.on.counter('a').value()])).toEqual([2]);
    expect(claret.counters.sessionsLost).toBe(1);
  });

  it('connecting to an address without a gateway fails in time', async () => {
    const connecting = connect({ addresses: ['127.0.0.1:1'], connectTimeoutMs: 100 });
    const message = 'No gateway answered at 127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1';
    await expect(connecting).rejects.toMatchObject({ code: 'shard_unavailable', message });
  });

  it('connecting to an address for REST says so at once, unless another address may be right', async () => {
    const server = createServer((_, answer) => answer.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    stops.push(() => void server.close());
    const rest = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const never = { connectTimeoutMs: 1e9 };
    await expect(connect({ addresses: [rest], ...never })).rejects.toMatchObject({
      code: 'shard_unavailable',
      retryable: false,
      message: expect.stringContaining(`What listens at ${rest} does not speak gRPC: connect takes the gRPC addresses`),
    });
    const addresses: string[] = [];
    const [later] = await freePorts(1);
    const connecting = connect({ addresses: [rest, `127.0.0.1:${later}`], ...never });
    addresses.push((await serve(host(0, 1), () => addresses, later)).address);
    await (await connecting).close();
  });
});
