// Runs of slots move between shards that gateways take over meanwhile.
import type { Plan } from '../plan.ts';

export const movesTakeover: Plan = {
  name: 'moves-takeover',
  weather: { delayMs: [0.05, 1], spike: 0.001, spikeMs: 100 },
  everyMs: {
    moveSlots: 150,
    callOffMove: 2_000,
    killOwner: 1_500,
    freezeOwner: 1_500,
    cutOffOwner: 2_000,
    hideOwner: 2_500,
    stopOwner: 4_000,
    killGateways: 15_000,
    killStandby: 6_000,
    neglectStandby: 3_000,
    loseQuorum: 6_000,
    loseQuorumOfLogs: 4_000,
    changeLeader: 3_000,
    breakStream: 2_000,
    killClient: 5_000,
  },
  least: { shards: 2, appServers: 1 },
  shardsMax: 2,
  isReplicated: true,
  movesSlots: true,
};
