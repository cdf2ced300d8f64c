// The buckets in which shards count latencies: four to an octave, from 1/16 ms on.

export const LATENCY_BUCKETS = 74;

/** The upper bound of a bucket in ms, exclusive; Infinity for the last one. */
export function latencyBoundMs(bucket: number): number {
  if (bucket >= LATENCY_BUCKETS - 1) return Infinity;
  return (1 / 16) * 2 ** Math.floor(bucket / 4) * (1 + (bucket % 4) / 4);
}
