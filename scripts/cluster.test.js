// Starts and stops real gateways; those with a replicated log: cluster.long.test.js, and more coarsely launcher.test.js.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadDataSets, startCluster } from './cluster.js';
import { forget } from './kept-data.js';
import { freePorts, isTaken } from './run/ports.js';
import { Child } from './run/process.js';
import { node24 } from './setup/node24.js';
import { becomes, gone } from './testing.js';

const CLUSTER_JS = new URL('./cluster.js', import.meta.url).href;
const ourFolders = () => readdirSync(tmpdir()).filter((name) => /^claret-\w{6}$/.test(name));

test('a cluster answers on free ports, knows its shards and leaves nothing behind', async () => {
  const before = ourFolders();
  const cluster = await startCluster({ shards: 2 });
  try {
    const topologies = await Promise.all(cluster.gateways.map(async ({ rest }) => (await fetch(`${rest}/v1/topology`)).json()));
    const addresses = cluster.gateways.map(({ grpc }) => grpc);
    for (const { shards } of topologies)
      assert.deepEqual(
        shards.map(({ address }) => address),
        addresses,
      );
  } finally {
    await cluster.stop();
  }
  for (const { pid, rest, grpc } of cluster.gateways) {
    assert.ok(await gone(pid));
    for (const address of [rest, grpc]) assert.equal(await isTaken(Number(address.split(':').pop())), false, address);
  }
  assert.deepEqual(
    ourFolders().filter((name) => !before.includes(name)),
    [],
  );
});

test('a gateway that cannot start is reported with its own message, and the others are stopped', async () => {
  const [free, freeToo, taken, last] = await freePorts(4);
  const squatter = createServer().listen(taken, '127.0.0.1');
  await once(squatter, 'listening');
  const ports = {
    gateways: [
      { rest: free, grpc: freeToo },
      { rest: last, grpc: taken },
    ],
    auctions: [],
    timelines: [],
  };
  const dataDir = 'temporary';
  try {
    await assert.rejects(
      startCluster({ ports, dataDir }),
      ({ message }) => message.startsWith('gateway 1 ended before it was ready:') && message.includes(String(taken)),
    );
    assert.equal(await isTaken(free), false);
  } finally {
    squatter.close();
  }
});

test('the restored amount is reported at the next start, and a fresh start does not delete the data of a running cluster', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'claret-kept-'));
  const read = async ({ gateways }) =>
    (await (await fetch(`${gateways[0].rest}/v1/records/kept?type=counter&operation=value`)).json()).value;
  try {
    const first = await startCluster({ shards: 1, durability: 'sync', dataDir });
    try {
      assert.deepEqual(first.restored.records + first.restored.entries, 0);
      const operations = [{ key: 'kept', type: 'counter', operation: 'add', arguments: [7] }];
      const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ operations }) };
      assert.equal((await fetch(`${first.gateways[0].rest}/v1/transactions`, request)).status, 200);
      await assert.rejects(forget(dataDir), /nothing was removed: .*shard-0\/log is in use by another process/);
      assert.equal(await read(first), 7);
    } finally {
      await first.stop();
    }
    const again = await startCluster({ shards: 1, durability: 'sync', dataDir });
    try {
      assert.ok(again.restored.records + again.restored.entries > 0);
      assert.equal(await read(again), 7);
    } finally {
      await again.stop();
    }
    await forget(dataDir);
    assert.deepEqual(readdirSync(dataDir), []);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});

test('an unexpected exit is reported, a stop is not', async () => {
  const deaths = [];
  const cluster = await startCluster({ shards: 1, onDeath: (death) => deaths.push(death) });
  process.kill(cluster.gateways[0].pid, 'SIGKILL');
  assert.ok(await becomes(() => deaths.length > 0));
  await cluster.stop();
  assert.deepEqual(
    deaths.map(({ name, signal }) => ({ name, signal })),
    [{ name: 'gateway 0', signal: 'SIGKILL' }],
  );
});

test('a gateway that dies, or is killed through another, is started again with its address and its data, and clients find it', async () => {
  const backs = [];
  const cluster = await startCluster({ shards: 2, dashboard: true, durability: 'sync', restarts: {}, onBack: (back) => backs.push(back) });
  try {
    const [one, other] = cluster.gateways;
    const operations = [{ key: 'kept', type: 'counter', operation: 'add', arguments: [7] }];
    const post = (path, body) =>
      fetch(`${one.rest}${path}`, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
    await post('/v1/transactions', { operations });
    assert.equal((await post('/v1/admin/kills', { shard: 1 })).status, 202);
    assert.equal((await post('/v1/admin/kills', { shard: 0 })).status, 409);
    assert.ok(await gone(other.pid));
    process.kill(one.pid, 'SIGKILL');
    assert.ok(await becomes(() => backs.length === 2));
    assert.deepEqual(backs.map(({ name }) => name).sort(), ['gateway 0', 'gateway 1']);
    const value = async ({ rest }) => (await (await fetch(`${rest}/v1/records/kept?type=counter&operation=value`)).json()).value;
    for (const gateway of cluster.gateways) assert.ok(await becomes(async () => (await value(gateway)) === 7), gateway.rest);
    assert.notEqual(cluster.gateways[0].pid, one.pid);
  } finally {
    await cluster.stop();
  }
});

test('a replicated cluster has no other durability than sync', async () => {
  await assert.rejects(startCluster({ replicated: true, durability: 'none' }), /A replicated log has durability sync, not "none"\./);
});

test('gateways stop when the process that started them is killed with SIGKILL', async () => {
  const code = `
    const { startCluster } = await import(${JSON.stringify(CLUSTER_JS)});
    const { gateways } = await startCluster();
    console.log(gateways.map(({ pid }) => pid).join(' '));`;
  const line = await new Promise((resolve) => {
    const parent = new Child({
      name: 'parent',
      command: node24(),
      args: ['--input-type=module', '-e', code],
      onLine(text) {
        process.kill(parent.pid, 'SIGKILL'); // only the process, not its group
        resolve(text);
      },
    });
  });
  const pids = line.split(' ').map(Number);
  assert.equal(pids.length, 2);
  for (const pid of pids) assert.ok(await gone(pid), `gateway process ${pid} is left`);
});

test('both sites load their data in parallel, and report progress', async () => {
  const told = [];
  const cluster = await startCluster({
    auctionServers: 1,
    timelineServers: 2,
    profile: 'small',
    graphScale: 6,
    seed: 5,
    onProgress: (done, total, what) => told.push({ done, total, what }),
  });
  try {
    assert.equal(cluster.timelines.length, 2);
    for (const { url } of cluster.timelines) {
      const { people } = await (await fetch(`${url}/api/people`)).json();
      assert.equal(people.length, 30);
    }
    const { items } = await (await fetch(`${cluster.auctions[0].url}/api/items`)).json();
    assert.ok(items.length > 0);
    // The sum of both, from when both totals are known; one may be done by then.
    const { done, total } = told.at(-1);
    assert.equal(done, total);
    assert.equal(new Set(told.map((each) => each.total)).size, 1);
    assert.deepEqual(
      told.map((each) => each.done),
      told.map((each) => each.done).sort((a, b) => a - b),
    );
    assert.ok(told.every(({ what }) => /^(auctions|timelines): /.test(what)));
    told.length = 0;
    await loadDataSets({ gateways: cluster.gateways, profile: 'small', graphScale: 6, seed: 5, onProgress: () => told.push(1) });
    assert.deepEqual(told, [], 'what is there already was loaded again');
    await assert.rejects(loadDataSets({ gateways: cluster.gateways, graphScale: 7, seed: 5 }), ({ message }) =>
      message.includes('this cluster holds the data set scale 6 (seed 5)'),
    );
  } finally {
    await cluster.stop();
  }
  for (const { pid } of [...cluster.auctions, ...cluster.timelines]) assert.ok(await gone(pid));
});

test('visitors start with a site if requested, and end with the cluster', async () => {
  const cluster = await startCluster({ shards: 1, auctionServers: 1, visitors: true });
  const [visitors] = cluster.visitors;
  try {
    assert.equal(cluster.visitors.length, 1);
    await new Promise((resolve) => setTimeout(resolve, 4_000)); // visitors that cannot work exit
    assert.equal(visitors.ended, null);
  } finally {
    await cluster.stop();
  }
  assert.deepEqual(visitors.lastLines, []);
  assert.ok(await gone(visitors.pid));
});
