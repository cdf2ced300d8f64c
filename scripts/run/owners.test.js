// The watch over owners, with small servers that answer as gateways do.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { becomes } from '../testing.js';
import { OwnerWatch, phaseOf, topologyBy } from './owners.js';
import { freePorts } from './ports.js';

/** Gateways that know a version of the topology and have a phase; `ports[0]` is the REST port of gateway 0. */
class Gateways {
  moves = [];
  #servers = new Map();

  async start(count) {
    this.ports = await freePorts(count);
    this.phases = this.ports.map(() => 'standby');
    this.known = { version: 1, owners: [] };
    for (const at of this.ports.keys()) await this.open(at);
    const gateways = this.ports.map((port, at) => ({ name: `gateway ${at}`, rest: `http://127.0.0.1:${port}` }));
    this.rests = gateways.map(({ rest }) => rest);
    this.watch = new OwnerWatch(gateways, (move) => this.moves.push(move));
  }

  async open(at) {
    const server = createServer(({ url }, answer) => {
      if (url === '/readyz') return answer.end(JSON.stringify({ phase: this.phases[at] }));
      const { version, owners } = this.answers?.[at] ?? this.known;
      answer.end(JSON.stringify({ version, shards: owners.map((owner) => ({ rest_address: `127.0.0.1:${this.ports[owner]}` })) }));
    }).listen(this.ports[at], '127.0.0.1');
    await once(server, 'listening');
    this.#servers.set(at, server);
  }

  kill(at) {
    const server = this.#servers.get(at);
    server.close();
    server.closeAllConnections();
  }

  /** They own the shards in this order. */
  own(...owners) {
    this.known = { version: this.known.version + 1, owners };
    for (const owner of owners) this.phases[owner] = 'serving';
  }

  stop() {
    this.watch.stop();
    for (const at of this.#servers.keys()) this.kill(at);
  }
}

async function withGateways(count, use) {
  const gateways = new Gateways();
  await gateways.start(count);
  try {
    await use(gateways);
  } finally {
    gateways.stop();
  }
}

test('the newest of all topologies says who owns the shards, and gateways that do not answer are left out', () =>
  withGateways(3, async (gateways) => {
    gateways.own(0, 1);
    gateways.answers = { 1: { version: 7, owners: [2, 1] } };
    gateways.kill(0);
    // A gateway whose answer is late counts as one that does not answer.
    const newest = { version: 7, owners: [gateways.rests[2], gateways.rests[1]] };
    assert.ok(await becomes(async () => isDeepStrictEqual(await topologyBy(gateways.rests), newest)));
    assert.ok(await becomes(async () => (await phaseOf(gateways.rests[2])) === 'standby'));
    assert.equal(await phaseOf(gateways.rests[0]), undefined);
    for (const at of [1, 2]) gateways.kill(at);
    assert.equal(await topologyBy(gateways.rests), undefined);
  }));

test('a shard whose owner dies has an owner again once another gateway serves it', () =>
  withGateways(3, async (gateways) => {
    gateways.own(0, 1);
    await gateways.watch.start();
    assert.equal(gateways.watch.noteDeath('gateway 2'), null);
    gateways.kill(1);
    assert.equal(gateways.watch.noteDeath('gateway 1'), 1);
    assert.equal(gateways.watch.noteDeath('gateway 1'), null, 'its second death in a row is that of a gateway without a shard');
    assert.equal(gateways.watch.owned, 1);
    gateways.own(0, 2);
    assert.ok(await becomes(() => gateways.moves.length > 0));
    const [{ awayMs, ...move }] = gateways.moves;
    assert.deepEqual(move, { shard: 1, owner: 'gateway 2', before: 'gateway 1' });
    assert.ok(awayMs > 0);
    assert.equal(gateways.watch.owned, 2);
  }));

test('a gateway that is started again does not count as the owner that it was, until it serves', () =>
  withGateways(2, async (gateways) => {
    gateways.own(0);
    await gateways.watch.start();
    gateways.kill(0);
    assert.equal(gateways.watch.noteDeath('gateway 0'), 0);
    gateways.phases[0] = 'standby';
    await gateways.open(0);
    assert.equal(await becomes(() => gateways.moves.length > 0, 500), false);
    gateways.own(0);
    assert.ok(await becomes(() => gateways.moves.length > 0));
    assert.deepEqual([gateways.moves[0].owner, gateways.moves[0].before], ['gateway 0', 'gateway 0']);
  }));

test('a gateway that knows no take-over yet is not believed when it is the only one that answers', () =>
  withGateways(2, async (gateways) => {
    gateways.own(0);
    await gateways.watch.start();
    gateways.own(1);
    assert.deepEqual(await gateways.watch.owners(), [gateways.rests[1]]);
    gateways.kill(1);
    gateways.answers = { 0: { version: 1, owners: [0] } };
    assert.deepEqual(await gateways.watch.owners(), [gateways.rests[1]]);
  }));

test('an owner that is frozen loses its shard without a death', () =>
  withGateways(2, async (gateways) => {
    gateways.own(0);
    await gateways.watch.start();
    gateways.own(1);
    assert.ok(await becomes(() => gateways.moves.length > 0));
    assert.deepEqual(gateways.moves, [{ shard: 0, owner: 'gateway 1', before: 'gateway 0', awayMs: null }]);
  }));
