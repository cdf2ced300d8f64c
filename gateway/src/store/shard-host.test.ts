// The shard host around a real core: turns, backpressure, deadlines.
import { Shard } from '@claret/core';
import type { ShardOptions } from '@claret/core';
import { afterEach, expect, test } from 'vitest';
import { clientFrame, serverFrame } from '../testing/calls.ts';
import { ShardHost } from './shard-host.ts';
import type { PeerLink, ShardHostOptions } from './shard-host.ts';

const OPTIONS: ShardHostOptions = {
  shard: 0,
  shards: 1,
  incarnation: 5,
  sessionLeaseMs: 60_000,
  phaseCapMs: 20,
  woundDelayMs: 20,
  woundGraceMs: 50,
  idleMs: 1_000,
  frameBytesMax: 65_536,
  outputBytesMax: 1_048_576,
  pollMicroseconds: 200,
  conditions: { locks: 'abstract', phasing: true, combining: 'auto' },
};

const hosts: ShardHost[] = [];
afterEach(() => {
  for (const host of hosts.splice(0)) host.close();
});
function startHost(overrides: Partial<ShardHostOptions> = {}): ShardHost {
  const host = new ShardHost({ ...OPTIONS, ...overrides });
  hosts.push(host);
  return host;
}

class TestLink implements PeerLink {
  readonly frames: ReturnType<typeof serverFrame>[] = [];
  takes = true;
  ended = 0;
  /** when it was destroyed, each time */
  readonly destroyedMs: number[] = [];
  write(frame: Uint8Array): boolean {
    this.frames.push(serverFrame(Buffer.from(frame)));
    return this.takes;
  }
  end(): void {
    this.ended++;
  }
  destroy(): void {
    this.destroyedMs.push(performance.now());
  }
}

const hello = clientFrame({ sequence: 1, hello: { protocol: 1 } });
const heartbeat = (sequence: number) => clientFrame({ sequence, incarnation: 5 });
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('frames that arrive within one turn are processed together and answered by one frame', async () => {
  const host = startHost();
  const link = new TestLink();
  const peer = host.connect(link);
  for (const frame of [hello, heartbeat(2), heartbeat(3), heartbeat(4)]) host.receive(peer, frame);
  expect(link.frames).toEqual([]); // the core does not run within the call
  await expect.poll(() => link.frames.length, { interval: 2 }).toBe(1);
  await later(20);
  expect(link.frames.map((frame) => frame.acknowledged)).toEqual(['4']);
  expect(host.counters()).toMatchObject({ framesIn: 4, framesOut: 1, sessions: 1 });
});

test('a blocked link gets nothing until it is writable, then everything', async () => {
  const host = startHost();
  const link = new TestLink();
  link.takes = false;
  const peer = host.connect(link);
  host.receive(peer, hello);
  await expect.poll(() => link.frames.length, { interval: 2 }).toBe(1);
  for (const sequence of [2, 3, 4]) {
    host.receive(peer, heartbeat(sequence));
    await later(5);
  }
  await expect.poll(() => host.counters().framesIn, { interval: 2 }).toBe(4);
  expect(link.frames).toHaveLength(1);
  link.takes = true;
  host.writable(peer);
  expect(link.frames.map((frame) => frame.acknowledged)).toEqual(['1', '4']);
});

test('a link that is blocked for a whole lease is dropped', async () => {
  const LEASE_MS = 100;
  const host = startHost({ sessionLeaseMs: LEASE_MS });
  const link = new TestLink();
  link.takes = false;
  const startMs = performance.now();
  host.receive(host.connect(link), hello);
  await expect.poll(() => link.destroyedMs.length, { interval: 5 }).toBe(1);
  expect(link.destroyedMs[0]! - startMs, 'but for rounding').toBeGreaterThan(LEASE_MS - 2);
});

test('a session that is silent for longer than its lease is closed, even if no frame arrives', async () => {
  const host = startHost({ sessionLeaseMs: 100 });
  const link = new TestLink();
  host.receive(host.connect(link), hello);
  await expect.poll(() => link.ended, { interval: 5 }).toBe(1);
  expect(link.frames.at(-1).closing.code).toBe('session_lost');
});

test('frames that a peer sent before it disconnected still count', async () => {
  const host = startHost();
  const peer = host.connect(new TestLink());
  const operations = [{ key: 'last-word', name: 'Counter.add', arguments: [{ integer: 1 }] }];
  const begin = { id: Buffer.alloc(16, 1), priority: 1, expiresInMs: 1_000 };
  host.receive(peer, hello);
  host.receive(peer, clientFrame({ sequence: 2, incarnation: 5, requests: [{ attempt: 1, begin, operations, prepare: {} }] }));
  host.disconnect(peer);
  host.disconnect(peer); // again, as several events of a stream may call it
  expect(host.counters()).toMatchObject({ commits: 1, sessions: 0 });
});

test('frames of an unknown peer are dropped', async () => {
  const host = startHost();
  host.receive(99, hello);
  await later(10);
  expect(host.counters().framesIn).toBe(0);
});

test('without polling the replies are the same', async () => {
  const host = startHost({ pollMicroseconds: 0 });
  const link = new TestLink();
  const peer = host.connect(link);
  host.receive(peer, hello);
  await expect.poll(() => link.frames.length, { interval: 2 }).toBe(1);
  host.receive(peer, heartbeat(2));
  await expect.poll(() => link.frames.map((frame) => frame.acknowledged), { interval: 2 }).toEqual(['1', '2']);
});

test('without a lease no reply leaves, until the lease is renewed', async () => {
  let untilMs = Infinity;
  const host = new ShardHost(OPTIONS, { answersUntilMs: () => untilMs });
  hosts.push(host);
  const link = new TestLink();
  const peer = host.connect(link);
  host.receive(peer, hello);
  await expect.poll(() => link.frames.length, { interval: 2 }).toBe(1);
  untilMs = performance.now();
  host.receive(peer, heartbeat(2));
  await expect.poll(() => host.counters().framesIn).toBe(2);
  host.writable(peer);
  expect(link.frames).toHaveLength(1);
  untilMs = Infinity;
  host.leaseRenewed();
  expect(link.frames.map((frame) => frame.acknowledged)).toEqual(['1', '2']);
});

test('a start begins above the wall time that it is told, if the own clock is behind it', () => {
  const times: number[] = [];
  class Watched extends Shard {
    override restored(wallMs: number, ...rest: [number, number?]): void {
      times.push(wallMs);
      super.restored(wallMs, ...rest);
    }
  }
  const createShard = (options: ShardOptions): Shard => new Watched(options);
  const later = Date.now() + 3_600_000;
  for (const wallMsLeast of [0, later]) {
    const host = new ShardHost(OPTIONS, { log: { append: () => {} }, wallMsLeast: () => wallMsLeast, createShard });
    hosts.push(host);
    host.restored();
  }
  expect(times[0]).toBeLessThan(later);
  expect(times[1]).toBe(later);
});
