import { expect, test } from 'vitest';
import type { EpochLane, ToldEpochs } from '../../store/epochSeries.ts';
import type { Span } from '../../store/span.ts';
import { epochsAt, shardEpochs } from './epochsAt.ts';
import { calledOffWords, cameBackWords, committedWords, lengthWords } from './epochWords.ts';

const epoch = (began_ms: number, more: Partial<ToldEpochs> = {}): ToldEpochs => ({
  manager: 0,
  gathered_ms: began_ms - 10,
  began_ms,
  listed_ms: began_ms + 1,
  sealed_ms: began_ms + 3,
  written_ms: began_ms + 6,
  ended_ms: began_ms + 8,
  epochs: 1,
  reads: 2,
  writes: 3,
  readOperations: 200,
  writeOperations: 300,
  cameBack: 1,
  calledOff: 0,
  late: [],
  ...more,
});
const OFF = { sealed_ms: 161, written_ms: 161, ended_ms: 161, reads: 0, writes: 0, readOperations: 0, writeOperations: 0, cameBack: 5 };

const laneOf = (...slices: ToldEpochs[]) =>
  ({
    shard: 1,
    slices: ({ from_ms, to_ms }: Span, visit: (one: ToldEpochs) => void) =>
      slices.filter(({ gathered_ms, ended_ms }) => gathered_ms < to_ms && ended_ms >= from_ms).forEach(visit),
  }) as unknown as EpochLane;
const lane = laneOf(epoch(10), epoch(30), epoch(110, { ...OFF, calledOff: 1, late: [2] }));

test('a shard’s epochs add up, with the share of the time in which members held records', () => {
  expect(shardEpochs(lane, { from_ms: 0, to_ms: 200 })).toEqual({
    shard: 1,
    epochs: 3,
    reads: 4,
    writes: 6,
    operations: 1_000,
    cameBack: 7,
    calledOff: 1,
    late: [2],
    heldShare: (7 + 7 + 50) / 200,
    held_ms: (2 + 2 + 50) / 3,
    turn_ms: 10 / 3,
  });
  expect(shardEpochs(lane, { from_ms: 20, to_ms: 28 }), 'members are gathered, and hold nothing').toMatchObject({
    epochs: 0,
    heldShare: 0,
  });
});

test('a pixel tells of one epoch, of several, or of those that are gathered', () => {
  expect(epochsAt(lane, { from_ms: 12, to_ms: 13 })).toMatchObject({ only: { began_ms: 10 }, several: null, gathered: null });
  expect(epochsAt(lane, { from_ms: 16, to_ms: 32 })).toMatchObject({ only: null, several: { epochs: 2 }, gathered: null });
  expect(epochsAt(lane, { from_ms: 20, to_ms: 21 })).toMatchObject({ only: null, several: null, gathered: { began_ms: 30 } });
  expect(epochsAt(lane, { from_ms: 60, to_ms: 61 })).toEqual({ only: null, several: null, gathered: null });
});

test('epochs are described in words', () => {
  expect(lengthWords(epoch(10))).toBe('Listed in 1.0 ms, held for 2.0 ms, turn of 5.0 ms');
  expect(lengthWords(epoch(110, { ...OFF, calledOff: 1 }))).toBe('Listed in 1.0 ms, held for 50 ms');
  expect(committedWords({ reads: 1, writes: 12, operations: 3_900 })).toBe('12 writes and 1 read with 3,900 operations committed');
  expect(committedWords({ reads: 0, writes: 0, operations: 0 })).toBe('Nobody committed');
  expect(calledOffWords({ epochs: 1, calledOff: 1, late: [1] })).toBe('Called off: the list of shard 1 was late');
  expect(calledOffWords({ epochs: 9, calledOff: 2, late: [0, 1] })).toBe('2 called off: the lists of shards 0 and 1 were late');
  expect(calledOffWords({ epochs: 1, calledOff: 0, late: [] })).toBeNull();
  expect([cameBackWords(0), cameBackWords(1)]).toEqual([null, '1 member came back, to be gathered again']);
});
