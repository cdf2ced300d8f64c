import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { choosePorts } from './demo-ports.js';
import { freeRow } from './ports.js';

const COUNT = { shards: 1, standbys: 0, natsServers: 0, auctionServers: 1, timelineServers: 1 };
const firstPorts = (first) => ({
  'gateway-port': first,
  'auctions-port': first + 2,
  'timelines-port': first + 3,
  'resp-port': first + 4,
  'nats-port': first + 5,
});

/** @param {number} port @param {() => unknown} use while something listens there */
async function whileTaken(port, use) {
  const squatter = createServer().listen(port, '127.0.0.1');
  await once(squatter, 'listening');
  try {
    await use();
  } finally {
    squatter.close();
    await once(squatter, 'close');
  }
}

test('free ports are those that were asked for', async () => {
  const first = await freeRow(5);
  const { plan, moved } = await choosePorts(firstPorts(first), new Set(), COUNT);
  assert.deepEqual(plan.gateways, [{ rest: first, grpc: first + 1, resp: first + 4 }]);
  assert.equal(moved, null);
});

test('if a port is taken, all that nobody has named move on together, and what was taken is told', async () => {
  const first = await freeRow(5);
  await whileTaken(first + 2, async () => {
    const { plan, moved } = await choosePorts(firstPorts(first), new Set(['timelines-port']), COUNT);
    const shift = plan.auctions[0] - (first + 2);
    assert.ok(shift > 0 && shift % 100 === 0, `${shift}`);
    assert.equal(plan.gateways[0].rest, first + shift);
    assert.equal(plan.timelines[0], first + 3);
    assert.deepEqual(moved, { port: first + 2, owner: 'auction server 0', flag: 'auctions-port' });
  });
});

test('a named port that is taken is refused, with its flag', async () => {
  const first = await freeRow(5);
  await whileTaken(first + 2, () =>
    assert.rejects(
      choosePorts(firstPorts(first), new Set(['auctions-port']), COUNT),
      /Port \d+ \(auction server 0\) is taken by another process\. Choose another with --auctions-port \(or CLARET_AUCTIONS_PORT\)/,
    ),
  );
});

test('a port cannot have two owners', async () => {
  const first = await freeRow(5);
  const ports = { ...firstPorts(first), 'timelines-port': first + 2 };
  await assert.rejects(choosePorts(ports, new Set(), COUNT), /would serve both auction server 0 and timelines server 0/);
});
