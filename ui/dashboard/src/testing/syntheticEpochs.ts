// Plausible epochs for SyntheticCluster: all shards take part in each, the first one manages them, and now and then a list is late.
import { seeded, type Seeded } from '../../../kit/seeded.ts';
import type { EpochSlice, ShardTelemetry } from '@claret/client/telemetry';

type Epochs = Pick<
  ShardTelemetry,
  | 'epochs'
  | 'epochsCalledOff'
  | 'epochMembers'
  | 'epochOperations'
  | 'epochContested'
  | 'epochIncomplete'
  | 'membersOfEpochs'
  | 'epochSlices'
  | 'epochsLeftOut'
>;

/** Operations of a member at one shard. */
const OPERATIONS = 150;
/** How long a list is waited for. */
const STRAGGLE_MS = 50;

const round = (ms: number) => Math.round(ms * 1_000) / 1_000;
const total = (slices: readonly EpochSlice[], read: (slice: EpochSlice) => number) => slices.reduce((sum, slice) => sum + read(slice), 0);

/** An epoch at one shard that has ended, with the times of its close and of its end. */
interface Ended {
  shard: number;
  began_ms: number;
  ended_ms: number;
  slice: EpochSlice;
}

export class SyntheticEpochs {
  private readonly chance: Seeded;
  private readonly interval_ms: number;
  private readonly shards: number;
  private next_ms: number;
  private closed_ms: number;
  private ended: Ended[] = [];

  /** `per_s`: epochs per second; 0: there are none. */
  constructor(seed: string, shards: number, per_s: number, began_ms: number) {
    // Of its own, so that the rest of the telemetry is the same with epochs and without.
    this.chance = seeded(`${seed} epochs`);
    this.interval_ms = per_s > 0 ? 1_000 / per_s : Infinity;
    this.shards = shards;
    this.closed_ms = began_ms;
    this.next_ms = began_ms + this.interval_ms;
  }

  /** Lets time pass: epochs close at their times. */
  pass(to_ms: number): void {
    while (this.next_ms < to_ms) {
      const length_ms = this.close(this.next_ms);
      this.closed_ms = this.next_ms;
      this.next_ms += Math.max(length_ms, this.interval_ms * this.chance.between(0.7, 1.3));
    }
  }

  /** What the shard reports of the time since its last report. */
  told(shard: number, at_ms: number): Epochs {
    const isTold = (one: Ended) => one.shard === shard && one.ended_ms <= at_ms;
    const epochSlices = this.ended.filter(isTold).map(({ began_ms, slice }) => ({ ...slice, agoMs: round(at_ms - began_ms) }));
    this.ended = this.ended.filter((one) => !isTold(one));
    const cameBack = total(epochSlices, (slice) => slice.cameBack);
    return {
      epochs: epochSlices.length,
      epochsCalledOff: total(epochSlices, (slice) => slice.calledOff),
      epochMembers: total(epochSlices, (slice) => slice.reads + slice.writes),
      epochOperations: total(epochSlices, (slice) => slice.readOperations + slice.writeOperations),
      epochContested: Math.ceil(cameBack / 2),
      epochIncomplete: Math.floor(cameBack / 2),
      membersOfEpochs: epochSlices.length > 0 ? this.chance.integer(0, 20) : 0,
      epochSlices,
      epochsLeftOut: 0,
    };
  }

  /** Returns how long it takes at the slowest shard. */
  private close(began_ms: number): number {
    const { chance } = this;
    const late = chance.chance(0.02) ? chance.integer(0, this.shards - 1) : null;
    const held_ms = late === null ? chance.between(0.4, 2.5) : STRAGGLE_MS;
    let longest_ms = 0;
    for (let shard = 0; shard < this.shards; shard += 1) {
      if (shard === late) continue;
      const [reads, writes] = [chance.integer(0, 12), chance.integer(0, 12)];
      const listMs = chance.between(0.2, 0.8);
      const turnMs = late === null ? (reads + 2 * writes) * chance.between(0.1, 0.25) : 0;
      const ended_ms = began_ms + listMs + held_ms + turnMs;
      longest_ms = Math.max(longest_ms, ended_ms - began_ms);
      const committed = late === null ? 1 : 0;
      const slice: EpochSlice = {
        manager: 0,
        agoMs: 0,
        gatherMs: round((began_ms - this.closed_ms) * chance.between(0.6, 1)),
        listMs: round(listMs),
        heldMs: round(held_ms),
        turnMs: round(turnMs),
        epochs: 1,
        reads: committed * reads,
        writes: committed * writes,
        readOperations: committed * reads * OPERATIONS,
        writeOperations: committed * writes * OPERATIONS,
        cameBack: late === null ? (chance.chance(0.1) ? chance.integer(1, 2) : 0) : reads + writes,
        calledOff: 1 - committed,
        late: late === null ? [] : [late],
      };
      this.ended.push({ shard, began_ms, ended_ms, slice });
    }
    return longest_ms;
  }
}
