// A durable gateway that is closed, killed and started again, on the real disk.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClaretError, connect } from '@claret/client';
import type { Claret } from '@claret/client';
import { afterEach, expect, test } from 'vitest';
import { freePorts } from '../../../scripts/run/ports.js';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';
import { startProcess, untilReady } from '../testing/process.ts';
import type { Run } from '../testing/process.ts';

/** Leaves processors to what is tested. */
const LOAD_PAUSE_MS = 20;

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function startDurable(shards: number): Promise<TestCluster> {
  const cluster = await startCluster(shards, { durability: 'sync' });
  closing.push(() => cluster.close());
  return cluster;
}

async function connectTo(addresses: string[]): Promise<Claret> {
  const claret = await connect({ addresses, timeoutMs: 120_000 });
  closing.push(() => claret.close());
  return claret;
}

const counted = (claret: Claret, key: string) => claret.transact('Count', [claret.on.counter(key).value()]).then(([count]) => count);

test('committed data survives a restart, on one shard and over two, and the topology shows the durability', async () => {
  const cluster = await startDurable(2);
  const [a, b] = [cluster.keyOn(0, 'a'), cluster.keyOn(1, 'b')];
  const claret = await connectTo(cluster.gateways.map(({ member }) => member.grpc));
  expect(claret.topology.durability).toBe('sync');
  await claret.transact('Alone', [claret.on.counter(a).add(5)]);
  await claret.transaction('Both', async (tx) => {
    tx.counter(a).add(2);
    tx.set(b).add('member');
  });
  for (const shard of [0, 1]) await cluster.restart(shard);
  expect(await counted(claret, a)).toBe(7);
  const [size] = await claret.transact('Size', [claret.on.set(b).size()]);
  expect(size).toBe(1);
  await cluster.restart(0);
  expect(await counted(claret, a), 'twice').toBe(7);
});

async function startKilled(folder: string, cluster: string): Promise<Run> {
  const run = startProcess(['--cluster', cluster, '--data-dir', folder]);
  closing.push(() => void run.child.kill('SIGKILL'));
  await untilReady(run);
  return run;
}

test('a client gets all its answers although its gateway is killed and restarted, and each addition counts once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'claret-killed-'));
  closing.push(() => rmSync(folder, { recursive: true }));
  const [grpc, rest] = await freePorts(2);
  const address = `127.0.0.1:${grpc}/127.0.0.1:${rest}`;
  const run = await startKilled(folder, address);
  const claret = await connectTo([`127.0.0.1:${grpc}`]);
  let added = 0;
  let stopping = false;
  const failures: unknown[] = [];
  const worker = async (number: number) => {
    while (!stopping) {
      try {
        await claret.transact('Add', [claret.on.counter('all').add(1), claret.on.counter(`own-${number % 4}`).add(1)]);
        added++;
      } catch (error) {
        failures.push(error instanceof ClaretError ? `${error.code} ${error.commitState}` : error);
      }
      await new Promise((resolve) => setTimeout(resolve, LOAD_PAUSE_MS));
    }
  };
  const workers = Array.from({ length: 16 }, (_, number) => worker(number));
  await expect.poll(() => added).toBeGreaterThan(50);
  run.child.kill('SIGKILL');
  await run.ended;
  await startKilled(folder, address);
  const before = added;
  await expect.poll(() => added).toBeGreaterThan(before + workers.length); // more than were under way
  stopping = true;
  await Promise.all(workers);
  expect(failures).toEqual([]);
  expect(await counted(claret, 'all')).toBe(added);
});
