// The server of the Redis door in front of a host that notes what it is told.
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { freePorts } from '../../../scripts/run/ports.js';
import type { PeerLink, ShardHost } from '../store/shard-host.ts';
import type { Source } from '../store/inputs.ts';
import { RespServer } from './server.ts';

const SOON = { interval: 5, timeout: 5_000 };

class NotingHost implements Pick<ShardHost, 'connectResp' | 'receive' | 'writable' | 'hangUp' | 'disconnect'> {
  readonly links: (PeerLink & Source)[] = [];
  readonly addresses: [string, string][] = [];
  readonly told: string[] = [];
  bytes = 0;

  connectResp(link: PeerLink & Source, address: string, localAddress: string): number {
    this.addresses.push([address, localAddress]);
    return this.links.push(link);
  }
  receive(peer: number, { length }: Uint8Array): void {
    this.bytes += length;
    this.told.push(`${peer} bytes`);
  }
  writable(peer: number): void {
    this.told.push(`${peer} writable`);
  }
  async hangUp(peer: number): Promise<void> {
    this.told.push(`${peer} hangs up`);
    this.links[peer - 1]!.end();
  }
  disconnect(peer: number): void {
    this.told.push(`${peer} gone`);
  }
}

async function start({ connectionsMax = Infinity, bind = '' } = {}) {
  const [port] = await freePorts(1);
  const warnings: string[] = [];
  const log = { warn: (text: string) => warnings.push(text) } as unknown as ConstructorParameters<typeof RespServer>[1];
  const server = new RespServer({ address: `127.0.0.1:${port}`, bind, connectionsMax }, log);
  onTestFinished(() => server.close());
  const client = async (): Promise<Socket> => {
    const socket = connect({ port: port!, host: '127.0.0.1' });
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  return { server, port: port!, warnings, client };
}

test('bytes pass both ways, and both ends know the addresses', async () => {
  const { server, port, client } = await start();
  const host = new NotingHost();
  server.serve(host);
  await server.listen();
  await server.listen(); // as for a gateway that has waited
  const socket = await client();
  await expect.poll(() => host.addresses, SOON).toEqual([[`127.0.0.1:${socket.localPort}`, `127.0.0.1:${port}`]]);
  expect(server.accepted).toBe(1);
  socket.write('PING\r\n');
  await expect.poll(() => host.bytes, SOON).toBe(6);
  host.links[0]!.write(Buffer.from('+PONG\r\n'));
  expect(String((await once(socket, 'data'))[0])).toBe('+PONG\r\n');
  socket.destroy();
  await expect.poll(() => host.told.at(-1), SOON).toBe('1 gone');
});

test('a client that has sent its last command still gets an answer', async () => {
  const { server, client } = await start();
  const host = new NotingHost();
  host.hangUp = async (peer) => {
    host.links[peer - 1]!.write(Buffer.from('+PONG\r\n'));
    host.links[peer - 1]!.end();
  };
  server.serve(host);
  await server.listen();
  const socket = await client();
  socket.end('PING\r\n');
  expect(String((await once(socket, 'data'))[0])).toBe('+PONG\r\n');
  await once(socket, 'close');
  await expect.poll(() => host.told, SOON).toEqual(['1 bytes', '1 gone']);
});

test('a socket that is paused is read no further, and goes on where it was', async () => {
  const { server, client } = await start();
  const host = new NotingHost();
  server.serve(host);
  await server.listen();
  const socket = await client();
  socket.write('PING\r\n');
  await expect.poll(() => host.bytes, SOON).toBe(6);
  host.links[0]!.pause();
  const flood = Buffer.alloc(32 << 20, 'x');
  let sent = false;
  socket.write(flood, () => (sent = true));
  await new Promise((resolve) => setTimeout(resolve, 300));
  const whilePaused = host.bytes;
  expect([sent, whilePaused < 1 << 20]).toEqual([false, true]);
  host.links[0]!.resume();
  await expect.poll(() => host.bytes, SOON).toBe(6 + flood.length);
});

test('a client that does not read blocks its link, until it does', async () => {
  const { server, client } = await start();
  const host = new NotingHost();
  server.serve(host);
  await server.listen();
  const socket = await client();
  socket.pause();
  await expect.poll(() => host.links.length, SOON).toBe(1);
  expect(host.links[0]!.write(Buffer.from('+OK\r\n'))).toBe(true);
  expect(host.links[0]!.write(Buffer.alloc(32 << 20, 'x'))).toBe(false);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(host.told).toEqual([]);
  socket.resume();
  await expect.poll(() => host.told, SOON).toEqual(['1 writable']);
});

test('before there is a shard, the port is taken and clients are turned away', async () => {
  const { server, port, client } = await start();
  await server.listen();
  const other = new RespServer({ address: `127.0.0.1:${port}`, bind: '', connectionsMax: Infinity }, { warn: () => {} });
  await expect(other.listen()).rejects.toThrow(new RegExp(`^cannot listen on 127\\.0\\.0\\.1:${port} \\(Redis\\): .*EADDRINUSE`));
  const early = await client();
  await once(early, 'close');
  const host = new NotingHost();
  server.serve(host);
  await client();
  await expect.poll(() => host.links.length, SOON).toBe(1);
  expect(server.accepted).toBe(1);
});

test('the host to listen on may be another one than others are told', async () => {
  const [port] = await freePorts(1);
  const server = new RespServer({ address: `10.255.255.1:${port}`, bind: '127.0.0.1', connectionsMax: Infinity }, { warn: () => {} });
  onTestFinished(() => server.close());
  await server.listen();
  const socket = connect(port!, '127.0.0.1');
  await once(socket, 'connect');
  expect(socket.remotePort).toBe(port);
  await once(socket, 'close');
});

test('more connections than fit are closed as they come, and the log says so', async () => {
  const { server, client, warnings } = await start({ connectionsMax: 2 });
  const host = new NotingHost();
  server.serve(host);
  await server.listen();
  await client();
  await client();
  await once(await client(), 'close');
  expect([host.links.length, warnings]).toEqual([2, [expect.stringMatching(/^Redis: 2 connections are open.* 1 closed as they came$/)]]);
});

test('at the end the port is free first, while clients stay; then they go, whether they read or not', async () => {
  const { server, port, client } = await start();
  const host = new NotingHost();
  server.serve(host);
  await server.listen();
  const [reader, sleeper] = [await client(), await client()];
  await expect.poll(() => host.links.length, SOON).toBe(2);
  server.stopListening();
  const refused = connect(port, '127.0.0.1');
  expect(((await once(refused, 'error'))[0] as { code: string }).code).toBe('ECONNREFUSED');
  reader.write('PING\r\n');
  await expect.poll(() => host.bytes, SOON).toBe(6);
  sleeper.pause();
  host.links[0]!.write(Buffer.from('+PONG\r\n'));
  host.links[1]!.write(Buffer.alloc(32 << 20, 'x'));
  const read: string[] = [];
  reader.on('data', (bytes) => read.push(String(bytes)));
  const readerClosed = once(reader, 'close');
  await server.close();
  await readerClosed;
  expect(read).toEqual(['+PONG\r\n']);
  await expect.poll(() => host.told.filter((text) => text.endsWith('gone')).toSorted(), SOON).toEqual(['1 gone', '2 gone']);
});
