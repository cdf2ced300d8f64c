// A replicated cluster loses a NATS server and an owner, and starts again on what it has kept.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startCluster } from './cluster.js';
import { forget } from './kept-data.js';
import { findNatsServer } from './setup/nats-server.js';
import { becomes, gone } from './testing.js';

const noNats = (await findNatsServer()) === null && 'nats-server is not installed';

test('a replicated cluster outlives its processes and its own end with everything that was acknowledged', { skip: noNats }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'claret-replicated-'));
  const told = { deaths: [], backs: [], moves: [] };
  // On a busy machine a gateway stands still for seconds, and must not lose its shard by that.
  const gatewayFlags = ['--owner-lease-ms', '8000'];
  const options = { shards: 1, replicated: true, dataDir, restarts: {}, gatewayFlags };
  const tell = (what) => (news) => told[what].push(news);
  /** Adds to a counter through any gateway; settles when that is acknowledged. */
  const add = async ({ gateways }, at) => {
    const operations = [{ key: 'kept', type: 'counter', operation: 'add', arguments: [1] }];
    const headers = { 'content-type': 'application/json', 'idempotency-key': `add-${at}` };
    const send = () => fetch(`${gateways[at % 2].rest}/v1/transactions`, { method: 'POST', headers, body: JSON.stringify({ operations }) });
    const isDone = () =>
      send().then(
        ({ status }) => status === 200,
        () => false,
      );
    assert.ok(await becomes(isDone), `add-${at}`);
  };
  const value = async ({ gateways }) =>
    (await (await fetch(`${gateways[1].rest}/v1/records/kept?type=counter&operation=value`)).json()).value;
  try {
    const cluster = await startCluster({ ...options, onDeath: tell('deaths'), onBack: tell('backs'), onMove: tell('moves') });
    try {
      const [first] = await cluster.owners();
      assert.equal(first.rest, cluster.gateways[0].rest);
      for (const at of [0, 1]) await add(cluster, at);
      process.kill(cluster.natsServers[0].pid, 'SIGKILL');
      await add(cluster, 2);
      assert.ok(await becomes(() => told.backs.length === 1));
      process.kill(first.pid, 'SIGKILL');
      await add(cluster, 3);
      assert.ok(await becomes(() => told.backs.length === 2 && told.moves.length === 1));
      assert.equal((await cluster.owners())[0].rest, cluster.gateways[1].rest);
      assert.deepEqual(
        told.deaths.map(({ name, remaining }) => ({ name, ...remaining })),
        [
          { name: 'NATS server 0', kind: 'nats', shard: null, standbys: 1, natsServers: 2 },
          { name: 'gateway 0', kind: 'gateway', shard: 0, standbys: 1, natsServers: 3 },
        ],
      );
      assert.deepEqual(
        told.backs.map(({ name, isStandby }) => ({ name, isStandby })),
        [
          { name: 'NATS server 0', isStandby: false },
          { name: 'gateway 0', isStandby: true },
        ],
      );
      assert.deepEqual([told.moves[0].owner, told.moves[0].before], ['gateway 1', 'gateway 0']);
      assert.equal(await value(cluster), 4);
    } finally {
      await cluster.stop();
    }
    const again = await startCluster(options);
    try {
      assert.equal(await value(again), 4);
    } finally {
      await again.stop();
    }
    for (const { pid } of [...again.gateways, ...again.natsServers]) assert.ok(await gone(pid));
    await forget(dataDir);
    assert.deepEqual(readdirSync(dataDir), ['nats-token']);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});
