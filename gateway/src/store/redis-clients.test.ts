// The shard host with Redis clients, around a core whose door answers each chunk of bytes with the same chunk.
import { Shard } from '@claret/core';
import type { ShardOptions, WantedLink } from '@claret/core';
import { afterEach, expect, test } from 'vitest';
import { clientFrame } from '../testing/calls.ts';
import { ShardHost } from './shard-host.ts';
import type { PeerLink, ShardHostDependencies, ShardHostOptions } from './shard-host.ts';

const OPTIONS: ShardHostOptions = {
  shard: 0,
  shards: 2,
  incarnation: 5,
  sessionLeaseMs: 60_000,
  phaseCapMs: 20,
  woundDelayMs: 20,
  woundGraceMs: 50,
  idleMs: 1_000,
  frameBytesMax: 65_536,
  outputBytesMax: 1_048_576,
  pollMicroseconds: 0,
  conditions: { locks: 'abstract', phasing: true, combining: 'auto' },
};
const SOON = { interval: 2 };

class EchoShard extends Shard {
  /** Answers wait for this entry of the log; 0: they do not. */
  waitsFor = 0;
  wants = true;
  wanted: WantedLink[] = [];
  door: object | undefined;
  readonly told: string[] = [];
  private readonly clients = new Set<number>();
  private output: [peer: number, bytes: Uint8Array][] = [];
  private held: [peer: number, bytes: Uint8Array][] = [];

  override openDoor(options: { password: string; redirect: boolean }): void {
    this.door = options;
  }
  override connectResp(peer: number, address: string, localAddress: string): void {
    this.clients.add(peer);
    this.told.push(`${peer} from ${address} at ${localAddress}`);
  }
  override connectLink(peer: number, link: number): void {
    this.clients.add(peer);
    this.told.push(`${peer} is link ${link}`);
  }
  override wantsInput(peer: number): boolean {
    if (!this.clients.has(peer)) throw new Error('not a Redis client');
    return this.wants;
  }
  override wantedLinks(): WantedLink[] {
    return this.wanted.splice(0);
  }
  override logPosition(): number {
    return this.waitsFor || super.logPosition();
  }
  override process(peers: number[], frames: Uint8Array[], wallMs: number, monotonicMs: number): number[] {
    const own = peers.map((peer) => this.clients.has(peer));
    peers.forEach((peer, at) => own[at] && (this.waitsFor > 0 ? this.held : this.output).push([peer, frames[at]!]));
    const ready = super.process(
      peers.filter((_, at) => !own[at]),
      frames.filter((_, at) => !own[at]),
      wallMs,
      monotonicMs,
    );
    return [...ready, ...new Set(this.output.map(([peer]) => peer))];
  }
  override durable(position: number, wallMs: number, monotonicMs: number): number[] {
    if (position >= this.waitsFor) this.output.push(...this.held.splice(0));
    return [...super.durable(Math.min(position, super.logPosition()), wallMs, monotonicMs), ...new Set(this.output.map(([peer]) => peer))];
  }
  override drain(peer: number): Uint8Array | null {
    if (!this.clients.has(peer)) return super.drain(peer);
    const at = this.output.findIndex(([of]) => of === peer);
    return at < 0 ? null : this.output.splice(at, 1)[0]![1];
  }
  override closed(peer: number): boolean {
    return !this.clients.has(peer) && super.closed(peer);
  }
  override disconnect(peer: number, wallMs: number, monotonicMs: number): void {
    this.told.push(`${peer} gone`);
    if (!this.clients.delete(peer)) super.disconnect(peer, wallMs, monotonicMs);
  }
}

const hosts: ShardHost[] = [];
afterEach(() => {
  for (const host of hosts.splice(0)) host.close();
});

function start(overrides: Partial<ShardHostOptions> = {}, dependencies: ShardHostDependencies = {}) {
  let shard!: EchoShard;
  const createShard = (options: ShardOptions) => (shard = new EchoShard(options));
  const host = new ShardHost({ ...OPTIONS, ...overrides }, { ...dependencies, createShard });
  hosts.push(host);
  return { host, shard };
}

class Socket implements PeerLink {
  readonly did: string[] = [];
  takes = true;
  write(bytes: Uint8Array): boolean {
    this.did.push(Buffer.from(bytes).toString());
    return this.takes;
  }
  end(): void {
    this.did.push('end');
  }
  destroy(): void {
    this.did.push('destroy');
  }
  pause(): void {
    this.did.push('pause');
  }
  resume(): void {
    this.did.push('resume');
  }
}

function connect(host: ShardHost) {
  host.openDoor('', false);
  const socket = new Socket();
  const peer = host.connectResp(socket, '127.0.0.1:5', '127.0.0.1:6379');
  return { socket, peer, send: (text: string) => host.receive(peer, Buffer.from(text)) };
}

/** A log that is durable when the test says so. */
function slowLog() {
  const appended: ((position: number) => void)[] = [];
  const log = { append: (_entries: Uint8Array, _position: number, onDurable: (position: number) => void) => void appended.push(onDurable) };
  return { log, durable: (position: number) => appended[0]!(position) };
}

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('the bytes of Redis clients go to the core as they come, and its answers go back', async () => {
  const { host, shard } = start();
  const { socket, peer, send } = connect(host);
  expect([shard.door, shard.told]).toEqual([
    { password: '', redirect: false, spreads: true },
    [`${peer} from 127.0.0.1:5 at 127.0.0.1:6379`],
  ]);
  send('SET a 1');
  send('GET a');
  await expect.poll(() => socket.did, SOON).toEqual(['SET a 1', 'GET a']);
  host.disconnect(peer);
  send('too late');
  await later(10);
  expect([socket.did.length, shard.told.at(-1)]).toEqual([2, `${peer} gone`]);
});

test('a client is paused while the core wants none of its bytes, and read again once the log is durable', async () => {
  const { log, durable } = slowLog();
  const { host, shard } = start({}, { log });
  host.restored();
  const { socket, send } = connect(host);
  send('one');
  await expect.poll(() => socket.did, SOON).toEqual(['one']);
  shard.wants = false;
  send('two');
  await expect.poll(() => socket.did, SOON).toEqual(['one', 'two', 'pause']);
  shard.wants = true;
  durable(1);
  expect(socket.did).toEqual(['one', 'two', 'pause', 'resume']);
});

test('once a blocked client reads again, it is read again, and the core goes on', async () => {
  const { host, shard } = start();
  const { socket, peer, send } = connect(host);
  socket.takes = false;
  shard.wants = false;
  send('one');
  await expect.poll(() => socket.did, SOON).toEqual(['one', 'pause']);
  await later(5);
  let turns = 0;
  const turn = shard.process.bind(shard);
  shard.process = (...all) => (turns++, turn(...all));
  socket.takes = shard.wants = true;
  host.writable(peer);
  expect(socket.did).toEqual(['one', 'pause', 'resume']);
  await expect.poll(() => turns, SOON).toBeGreaterThan(0);
});

test('without a lease no answer leaves, until the lease is renewed', async () => {
  let untilMs = Infinity;
  const { host } = start({}, { answersUntilMs: () => untilMs });
  const { socket, send } = connect(host);
  untilMs = -Infinity;
  send('one');
  await later(20);
  expect(socket.did).toEqual([]);
  untilMs = Infinity;
  host.leaseRenewed();
  expect(socket.did).toEqual(['one']);
});

test('a client that has sent its last bytes is answered once they are durable, and then its session ends', async () => {
  const { log, durable } = slowLog();
  const { host, shard } = start({}, { log });
  host.restored();
  const { socket, peer, send } = connect(host);
  shard.waitsFor = 1_000;
  send('SET a 1');
  const ended = host.hangUp(peer);
  await later(20);
  expect(socket.did).toEqual([]);
  durable(999);
  await later(5);
  expect(socket.did).toEqual([]);
  durable(1_000);
  await ended;
  expect([socket.did, shard.told.at(-1)]).toEqual([['SET a 1', 'end'], `${peer} gone`]);
  await host.hangUp(peer); // again, as a socket may
  expect(socket.did).toHaveLength(2);
});

test('one whose last bytes do not become durable is let go after a lease', async () => {
  const { host, shard } = start({ sessionLeaseMs: 100 }, { log: { append: () => {} } });
  host.restored();
  const { socket, peer, send } = connect(host);
  shard.waitsFor = 1_000;
  send('SET a 1');
  await host.hangUp(peer);
  expect([socket.did, shard.told.at(-1)]).toEqual([['end'], `${peer} gone`]);
});

test('links to other doors are asked for once the door is open, and bound under numbers of their own', async () => {
  const { host, shard } = start();
  const wanted: WantedLink[] = [];
  host.onWantedLinks = (links) => wanted.push(...links);
  const link = { link: 3, host: 'db2', port: 6379 };
  shard.wanted.push(link);
  const session = host.connect(new Socket());
  host.receive(session, clientFrame({ sequence: 1, hello: { protocol: 1 } }));
  await later(20);
  expect(wanted).toEqual([]);
  const { peer, send } = connect(host);
  send('GET b');
  await expect.poll(() => wanted, SOON).toEqual([link]);
  const stream = new Socket();
  const bound = host.connectLink(stream, 3);
  expect(shard.told.at(-1)).toBe(`${bound} is link 3`);
  host.receive(bound, Buffer.from('answer'));
  await expect.poll(() => stream.did, SOON).toEqual(['answer']);
  expect(new Set([session, peer, bound]).size).toBe(3);
});
