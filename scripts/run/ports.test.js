import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { freePorts, isTaken, portPlan } from './ports.js';

test('the first five shards have consecutive ports, later ones begin at 7430, and the sites lie in between', () => {
  const plan = portPlan({
    gatewayPort: 7400,
    auctionsPort: 7410,
    timelinesPort: 7420,
    shards: 7,
    auctionServers: 3,
    timelineServers: 2,
  });
  assert.deepEqual(plan.gateways[0], { rest: 7400, grpc: 7401 });
  assert.deepEqual(plan.gateways[1], { rest: 7402, grpc: 7403 });
  assert.deepEqual(plan.gateways[4], { rest: 7408, grpc: 7409 });
  assert.deepEqual(plan.gateways[5], { rest: 7430, grpc: 7431 });
  assert.deepEqual(plan.gateways[6], { rest: 7432, grpc: 7433 });
  assert.deepEqual(plan.auctions, [7410, 7411, 7412]);
  assert.deepEqual(plan.timelines, [7420, 7421]);
});

test('a port is taken while there is a listener, on any address', async () => {
  const [port] = await freePorts(1);
  for (const host of ['127.0.0.1', '0.0.0.0']) {
    const server = createServer().listen(port, host);
    await once(server, 'listening');
    assert.equal(await isTaken(port), true, host);
    server.close();
    await once(server, 'close');
    assert.equal(await isTaken(port), false, host);
  }
});

test('free ports are distinct and none belongs to the demo', async () => {
  const ports = await freePorts(50);
  assert.equal(new Set(ports).size, 50);
  assert.ok(ports.every((port) => port >= 20_000 && port < 32_000));
});
