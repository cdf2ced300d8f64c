// Gateways that stop and restart while there are viewers.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { unary } from '../testing/calls.ts';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';
import { FeedReaders } from '../testing/feed.ts';
import type { FeedReader } from '../testing/feed.ts';

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

const soon = { interval: 20 };
const inject = (gateway: number, url: string, payload: object) => cluster.gateways[gateway]!.rest.inject({ method: 'POST', url, payload });
const restarts = (reader: FeedReader) =>
  [...(reader.welcome?.marks ?? []), ...reader.marks].map(({ what }) => what).filter((what) => 'shard_restarted' in what);

test('a peer that is down is silent, then back, and its restart is marked once, at the time of its start', async () => {
  const reader = watch(0);
  await expect.poll(() => reader.frames.some(({ shards }) => shards.some(({ shard }) => shard === 1)), soon).toBe(true);
  await cluster.gateways[1]!.close();
  await expect.poll(() => reader.frames.at(-1)!.silent, soon).toEqual([1]);
  expect(reader.frames.at(-1)!.shards.map(({ shard }) => shard)).not.toContain(1);
  const startMs = Date.now();
  await cluster.restart(1);
  await expect.poll(() => reader.frames.at(-1)!.silent, soon).toEqual([]);
  await expect.poll(() => reader.frames.at(-1)!.shards.some(({ shard }) => shard === 1), soon).toBe(true);
  await expect.poll(() => restarts(reader), soon).toEqual([{ shard_restarted: 1 }]);
  const [mark] = reader.marks;
  expect(mark!.at_ms).toBeGreaterThanOrEqual(startMs - 50);
  expect(mark!.at_ms).toBeLessThanOrEqual(Date.now() + 50);
  const back = reader.frames.findLast(({ shards }) => shards.some(({ shard }) => shard === 1))!;
  expect(Math.abs(back.at_ms - back.shards.find(({ shard }) => shard === 1)!.at_ms), 'its new clock is on the axis').toBeLessThan(
    CLOCKS_MS,
  );
});

test('a page that reconnects to a restarted gateway sees the restart marked, and so do all other viewers there', async () => {
  const first = watch(0);
  await expect.poll(() => first.lastId, soon).toMatch(/^0-\d+$/);
  const { id } = (await inject(1, '/v1/admin/marks', { text: 'made elsewhere' })).json();
  await expect.poll(() => first.marks.map((mark) => mark.id), soon).toContain(id);
  await cluster.restart(0);
  await expect.poll(() => first.ended, soon).toBe(true);
  const again = watch(0, { 'last-event-id': first.lastId });
  await expect.poll(() => again.welcome !== undefined, soon).toBe(true);
  expect(restarts(again)).toEqual([{ shard_restarted: 0 }]);
  expect(again.lastId).not.toBe(first.lastId);
  await expect.poll(() => again.marks.map((mark) => mark.id), soon).toEqual([id]); // a page knows it from before

  const once = watch(0, { 'last-event-id': first.lastId });
  await expect.poll(() => restarts(once), soon).toEqual([{ shard_restarted: 0 }]);
});

test.each(['1-1', '0-99999999999999', 'nonsense', '0-', '', '-1-5', '0-1-1'])('coming back with %j says nothing', async (id) => {
  await cluster.restart(0);
  const reader = watch(0, { 'last-event-id': id });
  await expect.poll(() => reader.frames.length, soon).toBeGreaterThan(0);
  expect(restarts(reader)).toEqual([]);
});

test('marks made at one gateway reach the viewers of all gateways, also later ones, under one id and at one time', async () => {
  const viewers = [watch(0), watch(1)];
  await expect.poll(() => viewers.every(({ frames }) => frames.some(({ shards }) => shards.length === 2)), soon).toBe(true);
  const before = viewers.map(({ welcome, marks }) => welcome!.marks.length + marks.length);
  const made = (await inject(1, '/v1/admin/marks', { text: 'load test begins' })).json();
  expect(made).toEqual({
    kind: 'mark',
    id: expect.stringMatching(/^1-\d+-\d+$/),
    at_ms: expect.any(Number),
    what: { note: 'load test begins' },
  });
  const told = (reader: FeedReader) => [...reader.welcome!.marks, ...reader.marks].filter(({ id }) => id === made.id);
  await expect.poll(() => viewers.map((viewer) => told(viewer).length), soon).toEqual([1, 1]);
  expect(told(viewers[1]!)).toEqual([made]);
  expect(Math.abs(told(viewers[0]!)[0]!.at_ms - made.at_ms)).toBeLessThan(CLOCKS_MS);
  expect(viewers.map(({ welcome, marks }) => welcome!.marks.length + marks.length)).toEqual(before.map((count) => count + 1));

  readers.close();
  await expect.poll(() => cluster.gateways.map(({ host }) => host.takeTelemetry()), soon).toEqual([null, null]);
  const unseen = (await inject(1, '/v1/admin/marks', { text: 'nobody watches' })).json();
  const late = watch(0);
  await expect.poll(() => late.marks.map(({ id }) => id), soon).toEqual([unseen.id]);
  expect(late.welcome!.marks.map(({ id }) => id)).toContain(made.id);
  expect(Math.abs(late.marks[0]!.at_ms - unseen.at_ms)).toBeLessThan(CLOCKS_MS);
});

test('conditions that a gateway adopts at its start are no change, and conditions set at that gateway alone are one', async () => {
  const rw = { locks: 'rw', phasing: true, combining: 'off', warranties: 'auto' } as const;
  const start = { locks: 'abstract', phasing: true, combining: 'auto', warranties: 'off' } as const;
  const [first, second] = [cluster.grpcClient(0), cluster.grpcClient(1)];
  await unary(first, 'SetConditions', { conditions: rw });
  await cluster.restart(1);
  await cluster.untilConnected();
  const reader = watch(1);
  await expect.poll(() => reader.frames.length, soon).toBeGreaterThan(0);
  expect(reader.welcome).toMatchObject({ conditions: rw });
  const changes = () => [...reader.welcome!.marks, ...reader.marks].map(({ what }) => what).filter((what) => 'conditions' in what);
  expect(changes()).toEqual([]);
  await unary(second, 'SetConditions', { conditions: start, localOnly: true });
  await expect.poll(changes, soon).toEqual([{ conditions: start }]);
  await unary(first, 'SetConditions', { conditions: start });
  const after = await unary<{ locks: string }>(second, 'GetConditions', {});
  expect([after.locks, changes().length]).toEqual(['abstract', 1]);
});
