import { expect, test } from 'vitest';
import { summary } from './collections.ts';

const heap = (young: number, old: number) =>
  ({
    heapSpaceStatistics: [
      { spaceName: 'new_space', spaceUsedSize: young },
      { spaceName: 'old_space', spaceUsedSize: old },
    ],
  }) as never;
const collection = (gcType: string, cost: number, beforeGC: never, afterGC: never) => ({ gcType, cost, beforeGC, afterGC });

test('the promoted share is what the old generation gained by collections of the young one, times are in microseconds', () => {
  const statistics = [
    collection('Scavenge', 2_000, heap(100, 500), heap(10, 530)),
    collection('MarkSweepCompact', 7_000, heap(50, 530), heap(0, 40)),
    collection('Scavenge', 3_000, heap(100, 40), heap(10, 40)),
  ];
  expect(summary({ statistics })).toEqual({ total_ms: 12, longest_ms: 7, promoted_share: 30 / 200 });
  expect(summary({ statistics: [] })).toEqual({ total_ms: 0, longest_ms: 0, promoted_share: 0 });
});
