import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { freePorts, isTaken, portPlan } from './ports.js';

const DEMO = { gatewayPort: 7400, respPort: 7430, auctionsPort: 7410, timelinesPort: 7420, natsPort: 7460 };

test('the first five gateways have consecutive ports, later ones begin at 7470, and the sites and Redis doors lie in between', () => {
  const plan = portPlan({ ...DEMO, shards: 7, standbys: 0, natsServers: 0, auctionServers: 3, timelineServers: 2 });
  assert.deepEqual(plan.gateways[0], { rest: 7400, grpc: 7401, resp: 7430 });
  assert.deepEqual(plan.gateways[1], { rest: 7402, grpc: 7403, resp: 7431 });
  assert.deepEqual(plan.gateways[4], { rest: 7408, grpc: 7409, resp: 7434 });
  assert.deepEqual(plan.gateways[5], { rest: 7470, grpc: 7471, resp: 7435 });
  assert.deepEqual(plan.gateways[6], { rest: 7472, grpc: 7473, resp: 7436 });
  assert.deepEqual(plan.auctions, [7410, 7411, 7412]);
  assert.deepEqual(plan.timelines, [7420, 7421]);
  assert.deepEqual([plan.standbys, plan.nats], [[], []]);
});

test('standbys have the ports after the shards, and NATS servers three each', () => {
  const plan = portPlan({ ...DEMO, shards: 4, standbys: 2, natsServers: 3, auctionServers: 1, timelineServers: 1 });
  assert.deepEqual(plan.standbys, [
    { rest: 7408, grpc: 7409, resp: 7434 },
    { rest: 7470, grpc: 7471, resp: 7435 },
  ]);
  assert.deepEqual(plan.nats, [
    { client: 7460, cluster: 7463, http: 7466 },
    { client: 7461, cluster: 7464, http: 7467 },
    { client: 7462, cluster: 7465, http: 7468 },
  ]);
});

test('the largest demo has no port twice', () => {
  const { gateways, standbys, nats, auctions, timelines } = portPlan({
    ...DEMO,
    ...{ shards: 16, standbys: 4, natsServers: 3, auctionServers: 10, timelineServers: 10 },
  });
  const ports = [...[...gateways, ...standbys, ...nats].flatMap((own) => Object.values(own)), ...auctions, ...timelines];
  assert.equal(ports.length, 3 * 20 + 3 * 3 + 20);
  assert.equal(new Set(ports).size, ports.length);
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

test('processes that run at once are given different ports', async () => {
  const program = `import(${JSON.stringify(new URL('./ports.js', import.meta.url).href)}).then(async ({ freePorts }) => {
    console.log(JSON.stringify(await freePorts(300)));
    process.stdin.resume();
  })`;
  const others = [0, 1].map(() => spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] }));
  const lists = await Promise.all(others.map(async ({ stdout }) => JSON.parse(String((await once(stdout, 'data'))[0]))));
  for (const { stdin } of others) stdin.end();
  await Promise.all(others.map((child) => once(child, 'exit')));
  assert.equal(new Set(lists.flat()).size, 600);
  const mine = await freePorts(300); // theirs can be given again
  assert.equal(new Set(mine).size, 300);
});

test('free ports are distinct and none belongs to the demo', async () => {
  const ports = await freePorts(50);
  assert.equal(new Set(ports).size, 50);
  assert.ok(ports.every((port) => port >= 20_000 && port < 32_000));
});
