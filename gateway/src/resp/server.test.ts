// The server of the Redis door in front of a real shard's host: its port, its clients and their ends.
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { Shard } from '@claret/core';
import { expect, onTestFinished, test } from 'vitest';
import { freePorts } from '../../../scripts/run/ports.js';
import { ShardHost } from '../store/shard-host.ts';
import type { ShardHostDependencies } from '../store/shard-host.ts';
import { encoded } from '../testing/redis-client.ts';
import { RespServer } from './server.ts';

const SOON = { interval: 5 };
const PONG = '+PONG\r\n';
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

class NotingShard extends Shard {
  readonly addresses: [string, string][] = [];
  processed = 0;
  override connectResp(peer: number, address: string, localAddress: string, wallMs: number, monotonicMs: number): void {
    this.addresses.push([address, localAddress]);
    super.connectResp(peer, address, localAddress, wallMs, monotonicMs);
  }
  override process(peers: number[], frames: Uint8Array[], wallMs: number, monotonicMs: number): number[] {
    this.processed++;
    return super.process(peers, frames, wallMs, monotonicMs);
  }
}

interface StartOptions extends ShardHostDependencies {
  connectionsMax?: number;
  sessionLeaseMs?: number;
  /** listens and serves at once */
  serves?: boolean;
}

async function start({ connectionsMax = Infinity, sessionLeaseMs = 60_000, serves = true, ...dependencies }: StartOptions = {}) {
  const [port] = await freePorts(1);
  const warnings: string[] = [];
  const log = { warn: (text: string) => warnings.push(text) } as unknown as ConstructorParameters<typeof RespServer>[1];
  const server = new RespServer({ address: `127.0.0.1:${port}`, bind: '', connectionsMax }, log);
  onTestFinished(() => server.close());
  let shard!: NotingShard;
  const host = new ShardHost(
    {
      shard: 0,
      shards: 1,
      incarnation: 5,
      sessionLeaseMs,
      phaseCapMs: 20,
      woundDelayMs: 20,
      woundGraceMs: 50,
      idleMs: 1_000,
      frameBytesMax: 65_536,
      outputBytesMax: 1_048_576,
      pollMicroseconds: 0,
      conditions: { locks: 'abstract', phasing: true, combining: 'auto' },
    },
    { ...dependencies, createShard: (options) => (shard = new NotingShard(options)) },
  );
  onTestFinished(() => host.close());
  if (dependencies.log !== undefined) host.restored();
  host.openDoor('', false);
  if (serves) {
    server.serve(host);
    await server.listen();
  }
  const client = async (): Promise<Socket & { got: string }> => {
    const socket = Object.assign(connect({ port: port!, host: '127.0.0.1' }), { got: '' });
    socket.on('error', () => {});
    socket.on('data', (bytes) => (socket.got += String(bytes)));
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  const clients = () => host.counters().respConnections;
  return { server, host, shard, port: port!, warnings, client, clients };
}

test('bytes pass both ways, and both ends know the addresses', async () => {
  const { server, shard, port, client, clients } = await start();
  await server.listen(); // as for a gateway that has waited
  const socket = await client();
  socket.write('PING\r\n');
  await expect.poll(() => socket.got, SOON).toBe(PONG);
  expect(shard.addresses).toEqual([[`127.0.0.1:${socket.localPort}`, `127.0.0.1:${port}`]]);
  expect([server.accepted, clients()]).toEqual([1, 1]);
  socket.destroy();
  await expect.poll(clients, SOON).toBe(0);
});

test('no JavaScript runs for what needs none', async () => {
  const { shard, client } = await start();
  const socket = await client();
  await later(50);
  const before = shard.processed;
  for (let sent = 1; sent <= 100; sent++) {
    socket.write(`SET k ${sent}\r\n`);
    await expect.poll(() => socket.got.length, { ...SOON, interval: 1 }).toBe(5 * sent);
  }
  expect(shard.processed - before).toBeLessThan(10);
});

test('a client that has sent its last command still gets an answer', async () => {
  const { client, clients } = await start();
  const socket = await client();
  socket.end('PING\r\n');
  await once(socket, 'close');
  expect(socket.got).toBe(PONG);
  await expect.poll(clients, SOON).toBe(0);
});

test('QUIT is answered before the connection ends', async () => {
  const { client } = await start();
  const socket = await client();
  socket.write('PING\r\nQUIT\r\nPING\r\n');
  await once(socket, 'close');
  expect(socket.got).toBe(`${PONG}+OK\r\n`);
});

test('behind a command that waits no more than its limit is read, and then it goes on where it was', async () => {
  const { client } = await start();
  const [waiting, other] = [await client(), await client()];
  waiting.write('BLPOP list 0\r\n');
  const count = 400;
  let sent = false;
  waiting.write(encoded(['SETRANGE', 'no', 0, 'x'.repeat(60_000)]).repeat(count), () => (sent = true));
  await later(300);
  expect([sent, waiting.got]).toEqual([false, '']);
  other.write('LPUSH list a\r\n');
  await expect.poll(() => waiting.got.split('\r\n').length - 1, SOON).toBe(5 + count);
  expect(sent).toBe(true);
});

test('a client that leaves within a command has run those before, and nobody else notices', async () => {
  const { client, clients } = await start();
  const [leaving, other] = [await client(), await client()];
  const command = encoded(['INCR', 'n']);
  leaving.write(command.repeat(3) + command.slice(0, -4));
  await expect.poll(() => leaving.got, SOON).toBe(':1\r\n:2\r\n:3\r\n');
  leaving.resetAndDestroy();
  await expect.poll(clients, SOON).toBe(1);
  other.write('GET n\r\n');
  await expect.poll(() => other.got, SOON).toBe('$1\r\n3\r\n');
});

test('a thousand clients come and go', async () => {
  const { server, client, clients } = await start();
  const one = async (at: number): Promise<void> => {
    const socket = await client();
    socket.write(encoded(['ECHO', at]).repeat(10));
    if (at % 3 === 0) return void socket.resetAndDestroy(); // perhaps before it is read
    await expect.poll(() => socket.got, SOON).toBe(`$${String(at).length}\r\n${at}\r\n`.repeat(10));
    if (at % 3 === 1) socket.destroy();
    else socket.end();
  };
  for (let round = 0; round < 10; round++) await Promise.all(Array.from({ length: 100 }, (_, at) => one(100 * round + at)));
  await expect.poll(clients, SOON).toBe(0);
  expect(server.accepted).toBeLessThanOrEqual(1_000);
  expect(server.accepted).toBeGreaterThan(600);
  const last = await client();
  last.write('PING\r\n');
  await expect.poll(() => last.got, SOON).toBe(PONG);
});

test('a client that takes nothing for a lease is dropped, one that reads slowly is not', async () => {
  const LEASE_MS = 6_000;
  const { client, clients } = await start({ sessionLeaseMs: LEASE_MS });
  const [slow, sleeper] = [await client(), await client()];
  const value = 'v'.repeat(60_000);
  const count = 1_000; // 60 MB, much more than the kernel takes
  for (const socket of [slow, sleeper]) {
    socket.pause();
    socket.write(encoded(['ECHO', value]).repeat(count));
  }
  const startMs = performance.now();
  // Reads some MB, and sleeps again for less than a lease.
  let wanted = 0;
  slow.on('data', () => void (slow.got.length > wanted && slow.pause()));
  while (clients() === 2) {
    await later(500);
    wanted = slow.got.length + 1_500_000;
    slow.resume();
    await expect.poll(() => slow.got.length, { ...SOON, interval: 1 }).toBeGreaterThan(wanted);
  }
  expect(performance.now() - startMs).toBeGreaterThan(LEASE_MS);
  expect(slow.got.length).toBeLessThan(count * value.length);
  wanted = Infinity;
  slow.resume();
  await expect.poll(() => slow.got.length, SOON).toBe(count * (value.length + 10));
  sleeper.resume();
  if (!sleeper.closed) await once(sleeper, 'close');
  expect(sleeper.got.length).toBeLessThan(count * (value.length + 10));
});

test('before there is a shard, the port is taken and clients are turned away', async () => {
  const { server, host, port, client, clients } = await start({ serves: false });
  await server.listen();
  const other = new RespServer({ address: `127.0.0.1:${port}`, bind: '', connectionsMax: Infinity }, { warn: () => {} });
  onTestFinished(() => other.close());
  await expect(other.listen()).rejects.toThrow(
    new RegExp(`^cannot listen on 127\\.0\\.0\\.1:${port} \\(Redis\\): listen EADDRINUSE: address already in use 127\\.0\\.0\\.1:${port}$`),
  );
  const early = await client();
  await once(early, 'close');
  server.serve(host);
  await client();
  await expect.poll(clients, SOON).toBe(1);
  expect(server.accepted).toBe(1);
});

test('the host to listen on may be another one than others are told, and has to be known', async () => {
  const [port] = await freePorts(1);
  const server = new RespServer({ address: `10.255.255.1:${port}`, bind: 'localhost', connectionsMax: Infinity }, { warn: () => {} });
  onTestFinished(() => server.close());
  await server.listen();
  const socket = connect(port!, 'localhost');
  await once(socket, 'connect');
  expect(socket.remotePort).toBe(port);
  await once(socket, 'close');
  const nowhere = new RespServer({ address: `no-such-host.invalid:${port}`, bind: '', connectionsMax: Infinity }, { warn: () => {} });
  onTestFinished(() => nowhere.close());
  await expect(nowhere.listen()).rejects.toThrow(/^cannot listen on no-such-host\.invalid:\d+ \(Redis\): getaddrinfo E/);
});

test('more connections than fit are closed as they come, and the log says so', async () => {
  const { client, clients, warnings } = await start({ connectionsMax: 2 });
  const first = await client();
  await client();
  await once(await client(), 'close');
  expect([clients(), warnings]).toEqual([2, [expect.stringMatching(/^Redis: 2 connections are open.* 1 closed as they came$/)]]);
  first.destroy();
  await expect.poll(clients, SOON).toBe(1);
  const next = await client();
  next.write('PING\r\n');
  await expect.poll(() => next.got, SOON).toBe(PONG);
});

test('at the end the port is free first, while clients stay; then they go, whether they read or not', async () => {
  const { server, port, client, clients } = await start();
  const [reader, sleeper] = [await client(), await client()];
  await expect.poll(clients, SOON).toBe(2);
  server.stopListening();
  const refused = connect(port, '127.0.0.1');
  expect(((await once(refused, 'error'))[0] as { code: string }).code).toBe('ECONNREFUSED');
  sleeper.pause();
  let sent = 0;
  const send = () => void (sent++ < 500 && sleeper.write(encoded(['ECHO', 'x'.repeat(60_000)]), send));
  send();
  // Until neither the kernel nor the server takes any more.
  for (let [before, same] = [0, 0]; same < 3; [before, same] = [sent, sent === before ? same + 1 : 0]) await later(100);
  expect(sent).toBeLessThan(500);
  reader.write('PING\r\n');
  await expect.poll(() => reader.got, SOON).toBe(PONG);
  const readerClosed = once(reader, 'close');
  const began = performance.now();
  await server.close();
  expect(performance.now() - began).toBeGreaterThan(150); // the grace, for the one that does not read
  await readerClosed;
  expect(reader.got).toBe(PONG);
  expect(clients()).toBe(0);
});

/** A log whose entries become durable when the test says so. */
class SlowLog {
  appended: { position: number; onDurable: (position: number) => void }[] = [];
  append(_entries: Uint8Array, position: number, onDurable: (position: number) => void): void {
    this.appended.push({ position, onDurable });
  }
  durable(): void {
    for (const { position, onDurable } of this.appended.splice(0)) onDurable(position);
  }
}

test('with a log, a change is answered once it is durable, also to a client that has sent its last command', async () => {
  const log = new SlowLog();
  const { client } = await start({ log });
  log.durable();
  const [one, last] = [await client(), await client()];
  one.write('PING\r\nSET k 1\r\nGET k\r\n');
  last.end('SET l 1\r\n');
  await expect.poll(() => log.appended.length, SOON).toBeGreaterThan(0);
  await later(100);
  expect([one.got, last.got]).toEqual(['', '']); // the commands of one chunk are answered together
  const answers = () => {
    log.durable(); // one of the two may have been late
    return [one.got, last.got];
  };
  await expect.poll(answers, SOON).toEqual([`${PONG}+OK\r\n$1\r\n1\r\n`, '+OK\r\n']);
  if (!last.closed) await once(last, 'close');
  expect(last.got).toBe('+OK\r\n');
});

test('without a lease nothing is answered, until it is renewed', async () => {
  let untilMs = 0;
  const { host, client } = await start({ answersUntilMs: () => untilMs });
  const socket = await client();
  socket.write('PING\r\n');
  await later(100);
  expect(socket.got).toBe('');
  untilMs = Infinity;
  host.leaseRenewed();
  await expect.poll(() => socket.got, SOON).toBe(PONG);
});
