// What viewers and /metrics show of a shard that joins real gateways, and of slots that move to it.
import { connect } from '@claret/client';
import type { FrameMessage } from '@claret/client/telemetry';
import { afterEach, expect, test } from 'vitest';
import type { Gateway } from '../app.ts';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';
import { FeedReaders } from '../testing/feed.ts';

const SOON = { interval: 20 };

let cluster: TestCluster | undefined;
const readers = new FeedReaders();
afterEach(async () => {
  readers.close();
  await cluster?.close();
  cluster = undefined;
});

const slotsIn = (frame: FrameMessage | undefined) => frame?.slots?.shards.map(({ slots }) => slots);
const move = async ({ rest }: Gateway, payload: object) =>
  (await rest.inject({ method: 'POST', url: '/v1/admin/moves', payload })).json<{ move: string }>().move;
const metricsOf = async ({ rest }: Gateway) => (await rest.inject('/metrics')).body;
/** The value of a series that is named in full; undefined: there is none. */
const valueIn = (text: string, series: string) => {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
};

test('viewers that watch an old gateway see the joined shard, the slots on their way to it, and a mark at the end', async () => {
  cluster = await startCluster(2, { durability: 'sync' });
  const [first, second] = cluster.gateways as [Gateway, Gateway];
  const claret = await connect({ addresses: [first.member.grpc] });
  const text = 'x'.repeat(1_000);
  const keys = Array.from({ length: 1_500 }, (_, i) => `register-${i}`);
  for (let from = 0; from < keys.length; from += 100)
    await claret.transact(
      'Fill',
      keys.slice(from, from + 100).map((key) => claret.on.register(key).set(text)),
    );
  const viewers = [first, second].map((gateway) => readers.watch(gateway));
  for (const viewer of viewers) await expect.poll(() => slotsIn(viewer.frames.at(-1)), SOON).toEqual([8_192, 8_192]);
  await cluster.join();
  const third = cluster.gateways[2]!;
  for (const viewer of viewers) {
    await expect.poll(() => viewer.frames.at(-1)?.shards.some(({ shard }) => shard === 2), SOON).toBe(true);
    expect(viewer.frames.at(-1)!.slots!.shards.at(-1)).toMatchObject({ shard: 2, rest_address: third.member.rest, slots: 0 });
  }

  const id = await move(second, { from: 1, to: 2, count: 4_000 });
  const seen = (frames: readonly FrameMessage[]) => frames.flatMap((frame) => frame.slots!.moves).filter((one) => one.move === id);
  const ended = { slots_moved: 'done', count: 4_000, from: 1, to: 2, held_ms: expect.any(Number) };
  for (const viewer of viewers) {
    await expect.poll(() => viewer.marks.map(({ what }) => what), SOON).toContainEqual(ended);
    await expect.poll(() => slotsIn(viewer.frames.at(-1)), SOON).toEqual([8_192, 4_192, 4_000]);
    await expect.poll(() => viewer.frames.at(-1)!.slots!.moves, SOON).toEqual([]);
  }
  expect(
    seen(viewers[0]!.frames)
      .concat(seen(viewers[1]!.frames))
      .every(({ from, to }) => from === 1 && to === 2),
  ).toBe(true);
  const [one, other] = viewers.map((viewer) => viewer.marks.filter(({ what }) => 'slots_moved' in what));
  expect(
    one!.map((mark) => mark.id),
    'the same mark everywhere',
  ).toEqual(other!.map((mark) => mark.id));
  expect(one).toHaveLength(1);

  const [giver, taker] = [await metricsOf(second), await metricsOf(third)];
  expect(valueIn(giver, 'claret_slots{shard="1"}')).toBe(4_192);
  expect(valueIn(taker, 'claret_slots{shard="2"}')).toBe(4_000);
  expect(['done', 'called_off', 'failed'].map((outcome) => valueIn(giver, `claret_moves_total{outcome="${outcome}"}`))).toEqual([1, 0, 0]);
  expect(valueIn(taker, 'claret_moves_total{outcome="done"}'), 'counted once, by the giver').toBe(0);
  expect(valueIn(giver, 'claret_slots_given_total')).toBe(4_000);
  expect(valueIn(giver, 'claret_slots_held_seconds_count')).toBeGreaterThanOrEqual(1);
  await claret.close();
});
