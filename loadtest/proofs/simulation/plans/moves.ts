// Runs of slots move between shards, back and forth, and to a shard that has joined, while processes crash and stall and cannot reach each other.
import type { Plan } from '../plan.ts';

export const moves: Plan = {
  name: 'moves',
  weather: { delayMs: [0.05, 1], spike: 0.002, spikeMs: 100 },
  everyMs: {
    moveSlots: 150,
    callOffMove: 2_000,
    crashShard: 1_500,
    stallShard: 2_500,
    partition: 2_000,
    breakStream: 2_000,
    slowDisk: 3_000,
    crashAtWrite: 4_000,
    fullDisk: 8_000,
    killClient: 5_000,
    stallClient: 5_000,
  },
  least: { shards: 2, appServers: 1 },
  movesSlots: true,
};
