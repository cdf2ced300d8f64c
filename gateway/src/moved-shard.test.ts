// A shard that another gateway takes over, at another address, while clients and the other gateways use it. The gateway that owned it goes on,
// as one that stood still would, so nobody learns of it from a broken stream.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@claret/client';
import { expect, onTestFinished, test } from 'vitest';
import { freePorts } from '../../scripts/run/ports.js';
import { buildGateway } from './app.ts';
import type { Gateway } from './app.ts';
import { parseCluster } from './cluster.ts';
import { DEFAULTS } from './config.ts';
import { keyOn } from './testing/cluster.ts';
import { FeedReader } from './testing/feed.ts';
import { Topology } from './topology.ts';
import type { Owner } from './topology.ts';

const soon = { interval: 20 };

/** A gateway of a cluster of two, with the topology that it knows. */
async function start(folder: string, shard: number, cluster: string, owners: Owner[]): Promise<[Gateway, Topology]> {
  const durability = 'none';
  const topology = new Topology({ members: parseCluster(cluster), durability, clusterName: 'claret', replicated: true });
  topology.take(owners, []);
  const gateway = await buildGateway(
    { ...DEFAULTS, logLevel: 'silent', drainMs: 100, durability, shard, cluster, dataDir: folder },
    { topology },
  );
  onTestFinished(() => gateway.close());
  await gateway.listen();
  return [gateway, topology];
}

test('clients and other gateways go to the new owner', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'claret-moved-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const addresses = (await freePorts(6)).map((port) => `127.0.0.1:${port}`);
  const [own, first, second] = [0, 2, 4].map((at) => ({ grpc: addresses[at]!, rest: addresses[at + 1]! }));
  const cluster = `${own!.grpc}/${own!.rest},${first!.grpc}/${first!.rest}`;
  const [key, other] = [1, 0].map((shard) => keyOn(shard, 2, 'moved'));

  const owners = [
    { shard: 0, incarnation: 1, ...own! },
    { shard: 1, incarnation: 2, ...first! },
  ];
  const [gateway, topology] = await start(join(folder, 'own'), 0, cluster, owners);
  const [old] = await start(join(folder, 'first'), 1, cluster, owners);
  const claret = await connect({ addresses: [own!.grpc] });
  onTestFinished(() => claret.close(0));
  const add = () => claret.transact('Add', [claret.on.counter(key!).add(1), claret.on.counter(other!).add(1)]);
  const values = async () =>
    Promise.all(
      [key, other].map(async (each) => (await gateway.rest.inject(`/v1/records/${each}?type=counter&operation=value`)).json().value),
    );
  const reader = new FeedReader(gateway);
  onTestFinished(() => reader.close());
  await expect.poll(() => reader.frames.some(({ shards }) => shards.some(({ shard }) => shard === 1)), soon).toBe(true);
  await add();
  expect(await values()).toEqual([1, 1]);

  const takenOver = [owners[0]!, { shard: 1, incarnation: 3, ...second! }];
  const [next] = await start(join(folder, 'second'), 1, cluster, takenOver);
  expect(next.member.grpc, 'the addresses of the configuration are those of the old owner').toBe(second!.grpc);
  topology.take(takenOver, [first!]);
  await expect.poll(() => claret.status.shards[1], soon).toEqual({ shard: 1, address: second!.grpc, state: 'live' });
  await add();
  await expect.poll(values, soon).toEqual([1, 2]); // the new owner began empty
  expect(old.host.counters().commits).toBe(1);
  expect((await gateway.rest.inject('/v1/topology')).json()).toMatchObject({
    version: 5,
    replicated: true,
    shards: [{ address: own!.grpc }, { address: second!.grpc, rest_address: second!.rest }],
    standbys: [{ address: first!.grpc, rest_address: first!.rest, follows: [] }],
  });
  expect([claret.topology.version, claret.topology.standbys]).toEqual([5, [{ address: first!.grpc, restAddress: first!.rest }]]);
  // Null while nobody asks for the telemetry of the shard.
  await expect.poll(() => [next, old].map(({ host }) => host.takeTelemetry()), soon).toEqual([expect.any(String), null]);

  const wanted = { locks: 'rw', phasing: true, combining: 'off' };
  const changed = await gateway.rest.inject({ method: 'PUT', url: '/v1/admin/conditions', payload: wanted });
  expect([changed.statusCode, next.host.conditions(), old.host.conditions().locks]).toEqual([
    200,
    expect.objectContaining(wanted),
    'abstract',
  ]);
});
