// Entrances that were made before the gateway had a shard.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, credentials } from '@grpc/grpc-js';
import { expect, onTestFinished, test } from 'vitest';
import { freePorts } from '../../scripts/run/ports.js';
import { buildGateway } from './app.ts';
import { parseCluster } from './cluster.ts';
import { DEFAULTS } from './config.ts';
import { makeEntrances } from './entrances.ts';
import { RestListener } from './rest/listener.ts';
import { clientFrame, failure, openSession, serverFrame, unary } from './testing/calls.ts';
import { Topology } from './topology.ts';

const SOON = { interval: 5 };

test('tell the topology, let sessions wait for the shard, and serve it with everything else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'claret-entrances-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [grpc, rest] = (await freePorts(2)).map((port) => `127.0.0.1:${port}`) as [string, string];
  const cluster = `${grpc}/${rest}`;
  const durability = 'none';
  const config = { ...DEFAULTS, logLevel: 'silent' as const, drainMs: 100, durability, cluster, dataDir: folder } as const;
  const topology = new Topology({ members: parseCluster(cluster), durability, clusterName: 'claret', replicated: true });
  const listener = new RestListener(config);
  const entrances = await makeEntrances(config, listener, topology);
  await entrances.grpc.listen(grpc, '');
  const client = new Client(grpc, credentials.createInsecure());
  onTestFinished(() => client.close());
  const open = () => {
    const stream = openSession(client);
    const frames: unknown[] = [];
    const errors: { details?: string }[] = [];
    stream.on('data', (bytes: Buffer) => frames.push(serverFrame(bytes)));
    stream.on('error', (error) => errors.push(error as { details?: string }));
    stream.write(clientFrame({ sequence: 1, hello: { protocol: 1, name: 'early' } }));
    return { stream, frames, errors };
  };

  expect(await unary(client, 'GetTopology', {})).toMatchObject({ replicated: true, shards: [{ shard: 0, address: grpc }] });
  expect(await failure(unary(client, 'GetConditions', {}))).toMatchObject({ code: 'shard_unavailable' });
  const refused = open();
  await expect.poll(() => refused.errors.length, SOON).toBe(1);
  expect(refused.errors[0]!.details).toContain('owns no shard');

  entrances.grpc.hold();
  const [early, gone] = [open(), open()];
  await unary(client, 'GetTopology', {}); // the sessions have come by now: they share a connection
  gone.stream.cancel();
  await expect.poll(() => gone.errors.length, SOON).toBe(1);
  expect([early.frames, early.errors]).toEqual([[], []]);

  const gateway = await buildGateway(config, { topology, listener, entrances });
  onTestFinished(() => gateway.close());
  await gateway.listen();
  await expect.poll(() => early.frames.length, SOON).toBe(1);
  expect(early.frames[0]).toMatchObject({ welcome: { shard: 0, incarnation: String(gateway.incarnation) } });
  expect(gateway.host.counters().sessions, 'this one, and the two of the gateway itself').toBe(3);
  expect(await unary(client, 'GetConditions', {})).toMatchObject({ locks: 'abstract' });

  const get = async (path: string) => (await fetch(`http://${rest}${path}`)).json() as Promise<object>;
  expect(await get('/readyz')).toEqual({ status: 'ok', phase: 'serving' });
  expect(await get('/v1/admin/conflicts')).toMatchObject({ shard: 0, total: 0 });
  const operation = { key: 'a', type: 'counter', operation: 'add', arguments: [2] };
  const body = JSON.stringify({ label: 'Add', operations: [operation] });
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(`http://${rest}/v1/transactions`, { method: 'POST', headers, body })).status).toBe(200);
  expect(await get('/v1/records/a?type=counter&operation=value')).toMatchObject({ value: 2 });
});
