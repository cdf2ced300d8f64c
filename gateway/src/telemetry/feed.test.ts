// The feed of two real gateways: each of them shows its viewers the whole cluster.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { TELEMETRY_VERSION } from '@claret/client/telemetry';
import type { FrameMessage } from '@claret/client/telemetry';
import { unary } from '../testing/calls.ts';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';
import { FeedReaders } from '../testing/feed.ts';

/** Clocks agree by far more than any busy machine lets things be late. */
const CLOCKS_MS = 10_000;

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster(2);
});
afterAll(() => cluster.close());

const readers = new FeedReaders();
afterEach(() => readers.close());
const watch = (gateway: number, headers = {}) => readers.watch(cluster.gateways[gateway]!, headers);

const soon = { interval: 10 };
const inject = (method: 'GET' | 'POST' | 'PUT', url: string, payload: object | undefined = undefined, gateway = 0) =>
  cluster.gateways[gateway]!.rest.inject({ method, url, payload });
const add = (key: string) =>
  inject('POST', '/v1/transactions', { label: 'Visit', operations: [{ key, type: 'counter', operation: 'add', arguments: [1] }] });
const sum = (frames: FrameMessage[], shard: number, read: (frame: FrameMessage['shards'][number]['telemetry']) => number) =>
  frames
    .flatMap(({ shards }) => shards)
    .filter((told) => told.shard === shard)
    .reduce((all, { telemetry }) => all + read(telemetry), 0);

test.each([0, 1])('gateway %i welcomes a viewer, then shows both shards on one time axis, five times a second', async (gateway) => {
  const reader = watch(gateway);
  await expect.poll(() => reader.frames.length, soon).toBeGreaterThanOrEqual(2);
  expect(reader.headers).toMatchObject({ 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' });
  expect(reader.messages[0]).toEqual({
    kind: 'welcome',
    version: TELEMETRY_VERSION,
    at_ms: expect.any(Number),
    shards: 2,
    frames_per_second: 5,
    conditions: { locks: 'abstract', phasing: true, combining: 'auto', warranties: 'off' },
    normal: { locks: 'abstract', phasing: true, combining: 'auto', warranties: 'off' },
    marks: [],
  });
  const before = reader.frames.length;
  const [here, there] = [cluster.keyOn(0, 'seen'), cluster.keyOn(1, 'seen')];
  for (let i = 0; i < 10; i++) await Promise.all([add(here), add(there)]);
  await expect
    .poll(() => [0, 1].map((shard) => sum(reader.frames.slice(before - 1), shard, ({ homeCommits }) => homeCommits)), soon)
    .toEqual([10, 10]);
  // A gateway that stood still is silent in some frames.
  const unsilent = () => reader.frames.filter(({ silent }) => silent.length === 0);
  await expect.poll(() => unsilent().length, soon).toBeGreaterThanOrEqual(before + 10);

  const frames = reader.frames;
  expect(frames.map(({ number }) => number)).toEqual(frames.map((_, i) => i + 1));
  expect(frames.every(({ missed }) => missed === 0)).toBe(true);

  const times = frames.map(({ at_ms }) => at_ms);
  const everyMs = (times.at(-1)! - times[0]!) / (times.length - 1);
  expect(everyMs).toBeGreaterThan(180);
  for (const shard of [0, 1]) {
    const told = frames.flatMap(({ at_ms, shards }) =>
      shards.filter((each) => each.shard === shard).map((each) => ({ ...each, behindMs: at_ms - each.at_ms })),
    );
    const numbers = told.map(({ telemetry }) => telemetry.number);
    expect(numbers, 'every frame of the shard, once').toEqual(numbers.map((_, i) => numbers[0]! + i));
    for (let i = 1; i < told.length; i++) {
      const { at_ms, telemetry, behindMs } = told[i]!;
      expect(Math.abs(at_ms - told[i - 1]!.at_ms - telemetry.elapsedMs), 'frames abut on the axis').toBeLessThan(CLOCKS_MS);
      expect(behindMs).toBeGreaterThanOrEqual(0);
      expect(behindMs).toBeLessThan(CLOCKS_MS);
    }
  }
  expect(Math.abs(Date.now() - times.at(-1)!)).toBeLessThan(CLOCKS_MS);
});

test('a shard is observed only while there are viewers', async () => {
  const [own, other] = cluster.gateways.map(({ host }) => host);
  await expect.poll(() => [own!.takeTelemetry(), other!.takeTelemetry()], soon).toEqual([null, null]);
  const reader = watch(0);
  await expect.poll(() => reader.frames.some(({ shards }) => shards.length === 2), soon).toBe(true);
  expect(own!.takeTelemetry()).not.toBeNull();
  expect(other!.takeTelemetry()).not.toBeNull();
  reader.close();
  await expect.poll(() => [own!.takeTelemetry(), other!.takeTelemetry()], soon).toEqual([null, null]);
});

test('a change of conditions is marked once at every gateway, however it was made, and later viewers see the mark', async () => {
  const viewers = [watch(0), watch(1)];
  await expect.poll(() => viewers.every(({ welcome }) => welcome !== undefined), soon).toBe(true);
  const wanted = { locks: 'rw', phasing: true, combining: 'off', warranties: 'auto' } as const;
  const start = { locks: 'abstract', phasing: true, combining: 'auto', warranties: 'off' } as const;
  await inject('PUT', '/v1/admin/conditions', wanted);
  await inject('PUT', '/v1/admin/conditions', wanted); // changes nothing
  await unary(cluster.grpcClient(1), 'SetConditions', { conditions: start });
  const expected = [{ conditions: wanted }, { conditions: start }];
  await expect.poll(() => viewers.map(({ marks }) => marks.map(({ what }) => what)), soon).toEqual([expected, expected]);
  const late = watch(0);
  await expect.poll(() => late.welcome?.marks.map(({ what }) => what), soon).toEqual(expected);
  expect(late.welcome!.marks).toEqual(viewers[0]!.marks);
  const [first, second] = late.welcome!.marks;
  expect(second!.at_ms).toBeGreaterThanOrEqual(first!.at_ms);
  expect(Math.abs(Date.now() - second!.at_ms)).toBeLessThan(CLOCKS_MS);
});
