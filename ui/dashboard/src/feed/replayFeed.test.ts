import { describe, expect, it } from 'vitest';
import { TelemetryStore } from '../store/telemetryStore.ts';
import { PageWorld } from '../testing/pageWorld.ts';
import { SyntheticCluster } from '../testing/synthetic.ts';
import { readRecording, writeRecording, type Recording } from './recording.ts';
import { ReplayFeed } from './replayFeed.ts';

const ALL = { from_ms: -Infinity, to_ms: Infinity };

async function recordingOf(frames: number, frame_ms: number): Promise<Recording> {
  const cluster = new SyntheticCluster({ hotRecords: 1, conflicts: 2, waiters: 0, samples: 0, frame_ms });
  const messages = [
    ...cluster.messages(frames / 2),
    cluster.change({ locks: 'rw' }),
    ...Array.from({ length: frames / 2 }, () => cluster.frame()),
  ];
  const file = await writeRecording(
    { name: 'x', made_at_ms: 0 },
    messages.map((message) => new TextEncoder().encode(JSON.stringify(message))),
  );
  const read = await readRecording(file);
  if ('problem' in read) throw new Error(read.problem.code);
  return read.recording;
}

async function replayOf(frames: number, frame_ms = 1_000) {
  const [world, store, recording] = [new PageWorld(), new TelemetryStore(), await recordingOf(frames, frame_ms)];
  let changes = 0;
  const replay = new ReplayFeed(recording, store, world, () => void (changes += 1));
  return { world, store, replay, changes: () => changes, at: () => (store.newest_ms === null ? null : store.newest_ms - replay.from_ms) };
}

/** The state of a store that took the recording up to that time. */
function expected({ lines, times }: Recording, at_ms: number): TelemetryStore {
  const store = new TelemetryStore();
  lines.forEach((line, index) => {
    if (times[index]! <= at_ms) store.take(JSON.parse(new TextDecoder().decode(line)));
  });
  return store;
}

function expectSame(one: TelemetryStore, other: TelemetryStore): void {
  expect([one.newest_ms, one.oldest_ms, one.conditions, one.marks]).toEqual([
    other.newest_ms,
    other.oldest_ms,
    other.conditions,
    other.marks,
  ]);
  expect(one.totals.sum(ALL, 'commits')).toBe(other.totals.sum(ALL, 'commits'));
  expect(one.conflicts.rows(ALL)).toEqual(other.conflicts.rows(ALL));
}

describe('a replay', () => {
  it('says that it is catching up until it has all messages up to the position', async () => {
    const { world, replay, at, changes } = await replayOf(40);
    replay.jump(replay.to_ms);
    expect([replay.isCatchingUp, changes()]).toEqual([true, 1]);
    await world.pass(1);
    expect([replay.isCatchingUp, at(), changes()]).toEqual([false, 40_000, 2]);
  });

  it('plays at the original speed, and stops at the end', async () => {
    const { world, replay, at } = await replayOf(20);
    expect(at()).toBeNull();
    replay.play();
    await world.pass(5_020);
    expect(at()).toBe(5_000);
    expect(replay.isPlaying).toBe(true);
    await world.pass(30_000);
    expect([at(), replay.isPlaying, replay.isAtEnd, replay.at_ms]).toEqual([20_000, false, true, replay.to_ms]);
  });

  it('does not advance while it is paused', async () => {
    const { world, replay, at } = await replayOf(20);
    replay.play();
    await world.pass(3_100);
    replay.pause();
    await world.pass(60_000);
    expect([at(), replay.isPlaying]).toEqual([3_000, false]);
    replay.play();
    await world.pass(1_000);
    expect(at()).toBe(4_000);
  });

  it('jumps to any time, with the store as it would have been then', async () => {
    const { world, replay, store } = await replayOf(1_400);
    replay.play();
    for (const part of [0.9, 0.2, 0.5, 0.05, 1, 0.7]) {
      const to_ms = replay.from_ms + part * (replay.to_ms - replay.from_ms);
      replay.pause();
      replay.jump(to_ms);
      await world.pass(1);
      expect(replay.at_ms).toBe(to_ms);
      expectSame(store, expected(replay.recording, to_ms));
    }
  });

  it('jumps within the recording only', async () => {
    const { world, replay, at } = await replayOf(20);
    replay.jump(Infinity);
    await world.pass(1);
    expect([at(), replay.isAtEnd]).toEqual([20_000, true]);
    replay.jump(-Infinity);
    await world.pass(1);
    expect(replay.at_ms).toBe(replay.from_ms);
  });

  it('plays again from the beginning', async () => {
    const { world, replay, at } = await replayOf(4);
    replay.play();
    await world.pass(10_000);
    replay.play();
    await world.pass(1_020);
    expect([at(), replay.isPlaying]).toEqual([1_000, true]);
  });

  it('notifies about starts, stops and jumps, not about every step', async () => {
    const { world, replay, changes } = await replayOf(20);
    replay.play();
    await world.pass(10_000);
    expect(changes()).toBe(1);
    replay.jump(replay.from_ms);
    replay.pause();
    expect(changes()).toBe(3);
  });

  it('does nothing after it is closed', async () => {
    const { world, replay, at } = await replayOf(20);
    replay.play();
    await world.pass(2_020);
    replay.close();
    await world.pass(10_000);
    expect(at()).toBe(2_000);
  });
});
