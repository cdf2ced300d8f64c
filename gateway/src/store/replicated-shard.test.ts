// Gateways whose log is on three real NATS servers.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@claret/client';
import type { Claret } from '@claret/client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startNatsServers } from '../../../scripts/nats/servers.js';
import type { NatsServers } from '../../../scripts/nats/servers.js';
import { freePorts } from '../../../scripts/run/ports.js';
import type { Config } from '../config.ts';
import { natsServer } from '../log/jetstream/testing.ts';
import { startCluster } from '../testing/cluster.ts';
import { startProcess, untilReady } from '../testing/process.ts';
import type { Run } from '../testing/process.ts';

/** Leaves processors to what is tested. */
const LOAD_PAUSE_MS = 50;

describe.skipIf(natsServer === null)('with a replicated log,', () => {
  let servers: NatsServers;
  let folder: string;
  const closing: (() => Promise<void> | void)[] = [];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'claret-replicated-'));
    servers = await startNatsServers({ program: natsServer! });
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  afterAll(async () => {
    await servers.stop();
    rmSync(folder, { recursive: true });
  });

  const settings = (clusterName: string): Partial<Config> => ({
    clusterName,
    durability: 'sync',
    log: 'jetstream',
    nats: servers.addresses.join(','),
    natsToken: servers.token,
  });

  async function connectTo(addresses: string[]): Promise<Claret> {
    const claret = await connect({ addresses, timeoutMs: 120_000 });
    closing.push(() => claret.close());
    return claret;
  }

  const counted = (claret: Claret, key: string) => claret.transact('Count', [claret.on.counter(key).value()]).then(([count]) => count);

  test('two gateways keep what was committed, over both and over their restarts', async () => {
    const cluster = await startCluster(2, settings('two'));
    closing.push(() => cluster.close());
    const [a, b] = [cluster.keyOn(0, 'a'), cluster.keyOn(1, 'b')];
    const claret = await connectTo(cluster.gateways.map(({ member }) => member.grpc));
    await claret.transact('Alone', [claret.on.counter(a).add(5)]);
    await claret.transaction('Both', async (tx) => {
      tx.counter(a).add(2);
      tx.set(b).add('member');
    });
    const metrics = await cluster.gateways[0]!.rest.inject('/metrics');
    expect(metrics.body).toContain('claret_log_info{kind="jetstream"} 1');
    for (const shard of [0, 1]) await cluster.restart(shard);
    expect(await counted(claret, a)).toBe(7);
    const [size] = await claret.transact('Size', [claret.on.set(b).size()]);
    expect(size).toBe(1);
  });

  const startGateway = async (clusterName: string, dataDir: string, cluster: string): Promise<Run> => {
    // A gateway that stands still for its lease ends, and nobody would start it again.
    const lease = ['--owner-lease-ms', '10000'];
    const nats = ['--log', 'jetstream', '--nats', servers.addresses.join(','), '--nats-token', servers.token, ...lease];
    const run = startProcess(['--cluster', cluster, '--cluster-name', clusterName, '--data-dir', join(folder, dataDir), ...nats]);
    closing.push(() => void run.child.kill('SIGKILL'));
    await untilReady(run);
    return run;
  };
  const freeAddress = async (): Promise<{ grpc: string; cluster: string }> => {
    const [grpc, rest] = await freePorts(2);
    return { grpc: `127.0.0.1:${grpc}`, cluster: `127.0.0.1:${grpc}/127.0.0.1:${rest}` };
  };

  test('a gateway that was killed is started with an empty data directory, and has everything that was acknowledged', async () => {
    const { grpc, cluster } = await freeAddress();
    const first = await startGateway('killed', 'first', cluster);
    const claret = await connectTo([grpc]);
    let added = 0;
    let stopping = false;
    closing.push(() => void (stopping = true)); // else the workers of a test that failed would go on
    const failures: unknown[] = [];
    const worker = async () => {
      while (!stopping) {
        await claret.transact('Add', [claret.on.counter('all').add(1)]).then(
          () => added++,
          (error: unknown) => failures.push(error),
        );
        await new Promise((resolve) => setTimeout(resolve, LOAD_PAUSE_MS));
      }
    };
    const workers = Array.from({ length: 8 }, worker);
    await expect.poll(() => added).toBeGreaterThan(50);
    first.child.kill('SIGKILL');
    await first.ended;
    await startGateway('killed', 'second', cluster);
    const before = added;
    await expect.poll(() => added).toBeGreaterThan(before + 8); // more than were under way
    stopping = true;
    await Promise.all(workers);
    expect(failures).toEqual([]);
    expect(await counted(claret, 'all')).toBe(added);
  });
});
