// Processes stand still, from any reading of a clock on, machines are suspended, and ways between them are cut in one direction: each for about
// as long as grants of warranties stand.
import type { Plan } from '../plan.ts';

export const leases: Plan = {
  name: 'leases',
  weather: { delayMs: [0.05, 2], spike: 0.002, spikeMs: 50 },
  everyMs: {
    stallInTurn: 120,
    silenceClient: 400,
    suspendClient: 1_500,
    cutOneWay: 250,
    breakStream: 2_000,
    crashShard: 3_000,
    killClient: 4_000,
  },
  least: { shards: 2, appServers: 2 },
};
