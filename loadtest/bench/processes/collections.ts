// Collections: what the garbage collections of this process took, and how much of the young generation they took for long-lived.

import { GCProfiler, type GCProfilerResult, type HeapSpaceStatistics } from 'node:v8';

export interface Collected {
  total_ms: number;
  longest_ms: number;
  promoted_share: number;
}

/** Begins to count. Returns a function that ends it. */
export function countCollections(): () => Collected {
  const profiler = new GCProfiler();
  profiler.start();
  return () => summary(profiler.stop()!);
}

export function summary({ statistics }: Pick<GCProfilerResult, 'statistics'>): Collected {
  const times = statistics.map(({ cost }) => cost / 1000);
  let young = 0;
  let promoted = 0;
  for (const { gcType, beforeGC, afterGC } of statistics) {
    if (gcType !== 'Scavenge') continue;
    young += bytesIn('new_space', beforeGC);
    promoted += Math.max(0, bytesIn('old_space', afterGC) - bytesIn('old_space', beforeGC));
  }
  return {
    total_ms: times.reduce((sum, ms) => sum + ms, 0),
    longest_ms: Math.max(0, ...times),
    promoted_share: young === 0 ? 0 : promoted / young,
  };
}

function bytesIn(space: string, { heapSpaceStatistics }: { heapSpaceStatistics: readonly HeapSpaceStatistics[] }): number {
  return heapSpaceStatistics.find(({ spaceName }) => spaceName === space)!.spaceUsedSize;
}
