// Links to doors of other gateways: real sockets, and a host that notes what it is told.
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import type { WantedLink } from '@claret/core';
import { expect, onTestFinished, test } from 'vitest';
import { freePorts } from '../../../scripts/run/ports.js';
import type { Source } from '../store/inputs.ts';
import type { PeerLink } from '../store/shard-host.ts';
import { DoorLinks } from './links.ts';

const SOON = { interval: 5 };

class NotingHost {
  onWantedLinks: (links: WantedLink[]) => void = () => {};
  readonly streams: (PeerLink & Source)[] = [];
  readonly told: string[] = [];

  connectLink(stream: PeerLink & Source, link: number): number {
    this.told.push(`link ${link}`);
    return this.streams.push(stream);
  }
  receive(peer: number, bytes: Uint8Array): void {
    this.told.push(`${peer}: ${Buffer.from(bytes).toString()}`);
  }
  writable(): void {}
  disconnect(peer: number): void {
    this.told.push(`${peer} gone`);
  }
}

function start(max = Infinity) {
  const host = new NotingHost();
  const links = new DoorLinks(host, max);
  onTestFinished(() => links.close());
  return { host, links };
}

/** Another gateway's door. */
async function openDoor(port?: number) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    sockets.push(socket);
  });
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const [free] = await freePorts(1);
  server.listen(port ?? free, '127.0.0.1');
  await once(server, 'listening');
  return { sockets, at: { host: '127.0.0.1', port: port ?? free! } };
}

test('a link that is wanted is bound at once, and takes bytes before it is connected', async () => {
  const { host } = start();
  const door = await openDoor();
  host.onWantedLinks([{ link: 7, ...door.at }]);
  expect(host.told).toEqual(['link 7']);
  host.streams[0]!.write(Buffer.from('PING\r\n'));
  await expect.poll(() => door.sockets.length, SOON).toBe(1);
  expect(String((await once(door.sockets[0]!, 'data'))[0])).toBe('PING\r\n');
  door.sockets[0]!.write('+PONG\r\n');
  await expect.poll(() => host.told, SOON).toEqual(['link 7', '1: +PONG\r\n']);
  door.sockets[0]!.destroy();
  await expect.poll(() => host.told.at(-1), SOON).toBe('1 gone');
});

test('a door that cannot be reached is said to be gone, and tried again after a pause only', async () => {
  const { host } = start();
  const [port] = await freePorts(1);
  const wanted = (link: number) => ({ link, host: '127.0.0.1', port: port! });
  host.onWantedLinks([wanted(1)]);
  await expect.poll(() => host.told, SOON).toEqual(['link 1', '1 gone']);
  const failedMs = performance.now();
  host.onWantedLinks([wanted(2)]);
  host.streams[1]!.write(Buffer.from('PING\r\n'));
  const door = await openDoor(port);
  await expect.poll(() => door.sockets.length, SOON).toBe(1);
  expect(performance.now() - failedMs).toBeGreaterThan(100);
  expect(String((await once(door.sockets[0]!, 'data'))[0])).toBe('PING\r\n');
  expect(host.told.slice(2)).toEqual(['link 2']);
});

test('a link that is ended before its door was tried again is gone, and the door is left alone', async () => {
  const { host } = start();
  const [port] = await freePorts(1);
  const wanted = (link: number) => ({ link, host: '127.0.0.1', port: port! });
  host.onWantedLinks([wanted(1)]);
  await expect.poll(() => host.told, SOON).toEqual(['link 1', '1 gone']);
  host.onWantedLinks([wanted(2)]);
  host.streams[1]!.write(Buffer.from('PING\r\n'));
  host.streams[1]!.end();
  await expect.poll(() => host.told.slice(2), SOON).toEqual(['link 2', '2 gone']);
  const door = await openDoor(port);
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(door.sockets).toEqual([]);
});

test('links beyond the limit end as they come, until others have gone', async () => {
  const { host } = start(1);
  const door = await openDoor();
  host.onWantedLinks([1, 2].map((link) => ({ link, ...door.at })));
  await expect.poll(() => host.told, SOON).toEqual(['link 1', 'link 2', '2 gone']);
  await expect.poll(() => door.sockets.length, SOON).toBe(1);
  door.sockets[0]!.destroy();
  await expect.poll(() => host.told.at(-1), SOON).toBe('1 gone');
  host.onWantedLinks([{ link: 3, ...door.at }]);
  await expect.poll(() => door.sockets.length, SOON).toBe(2);
});

test('a door that was reached once is tried again at once', async () => {
  const { host } = start();
  const door = await openDoor();
  host.onWantedLinks([{ link: 1, ...door.at }]);
  await expect.poll(() => door.sockets.length, SOON).toBe(1);
  door.sockets[0]!.destroy();
  await expect.poll(() => host.told, SOON).toEqual(['link 1', '1 gone']);
  host.onWantedLinks([{ link: 2, ...door.at }]);
  expect(host.told.at(-1)).toBe('link 2');
});

test('links to what is no door any more are broken, and no others', async () => {
  const { host, links } = start();
  const [one, other] = [await openDoor(), await openDoor()];
  host.onWantedLinks([
    { link: 1, ...one.at },
    { link: 2, ...other.at },
  ]);
  await expect.poll(() => one.sockets.length + other.sockets.length, SOON).toBe(2);
  links.keep([other.at, { host: 'elsewhere', port: 1 }]);
  await expect.poll(() => host.told, SOON).toEqual(['link 1', 'link 2', '1 gone']);
  other.sockets[0]!.write('+OK\r\n');
  await expect.poll(() => host.told.at(-1), SOON).toBe('2: +OK\r\n');
});

test('at the end all links are broken, and none is opened any more', async () => {
  const { host, links } = start();
  const door = await openDoor();
  host.onWantedLinks([{ link: 1, ...door.at }]);
  await expect.poll(() => door.sockets.length, SOON).toBe(1);
  links.close();
  await expect.poll(() => host.told, SOON).toEqual(['link 1', '1 gone']);
  host.onWantedLinks([{ link: 2, ...door.at }]);
  await expect.poll(() => host.told, SOON).toEqual(['link 1', '1 gone', 'link 2', '2 gone']);
  expect(door.sockets).toHaveLength(1);
});
