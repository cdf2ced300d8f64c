// Gateways with a replicated log take shards over: owners die, freeze beyond their lease, are cut off from the servers or from clients; standbys
// die and lag behind; the servers lose their quorum, and their leaders change.
import type { Plan } from '../plan.ts';

export const takeover: Plan = {
  name: 'takeover',
  weather: { delayMs: [0.05, 1], spike: 0.001, spikeMs: 100 },
  everyMs: {
    killOwner: 1_500,
    freezeOwner: 600,
    cutOffOwner: 2_000,
    hideOwner: 4_000,
    stopOwner: 4_000,
    killGateways: 15_000,
    killStandby: 4_000,
    freezeStandby: 4_000,
    neglectStandby: 1_500,
    loseQuorum: 5_000,
    loseQuorumOfLogs: 3_000,
    loseServers: 10_000,
    changeLeader: 1_500,
    breakStream: 2_000,
    killClient: 5_000,
    stallClient: 5_000,
  },
  shardsMax: 2,
  isReplicated: true,
};
