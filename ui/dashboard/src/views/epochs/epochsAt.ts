// Epochs in a span in numbers: those of a shard, and those in a short time, such as that of one pixel.
import type { EpochLane, ToldEpochs } from '../../store/epochSeries.ts';
import type { Span } from '../../store/span.ts';

export interface ShardEpochs {
  shard: number;
  epochs: number;
  /** members that committed */
  reads: number;
  writes: number;
  operations: number;
  /** times that a member was not committed, and was gathered again */
  cameBack: number;
  calledOff: number;
  /** the shards whose lists were late for these, by number */
  late: readonly number[];
  /** the share of the span in which members held records, from the list to the end of the turn, 0..1 */
  heldShare: number;
  /** means of an epoch, from the list to the seal, and from there to the end of the turn */
  held_ms: number;
  turn_ms: number;
}

const within = (from_ms: number, to_ms: number, span: Span): number =>
  Math.max(0, Math.min(to_ms, span.to_ms) - Math.max(from_ms, span.from_ms));

const isDuring = ({ began_ms, ended_ms }: ToldEpochs, span: Span): boolean => within(began_ms, ended_ms, span) > 0;

/** Epochs of which no part but the gathering of members is in the span do not count. */
export function shardEpochs(lane: EpochLane, span: Span): ShardEpochs {
  const all = { reads: 0, writes: 0, operations: 0, cameBack: 0, calledOff: 0, epochs: 0 };
  const late = new Set<number>();
  let [shown_ms, held_ms, turn_ms] = [0, 0, 0];
  lane.slices(span, (slice) => {
    if (!isDuring(slice, span)) return;
    const { listed_ms, sealed_ms, ended_ms } = slice;
    all.epochs += slice.epochs;
    all.reads += slice.reads;
    all.writes += slice.writes;
    all.operations += slice.readOperations + slice.writeOperations;
    all.cameBack += slice.cameBack;
    all.calledOff += slice.calledOff;
    for (const one of slice.late) late.add(one);
    shown_ms += within(listed_ms, ended_ms, span);
    held_ms += sealed_ms - listed_ms;
    turn_ms += ended_ms - sealed_ms;
  });
  const each = Math.max(1, all.epochs);
  return {
    shard: lane.shard,
    ...all,
    late: [...late].sort((one, other) => one - other),
    heldShare: Math.min(1, shown_ms / (span.to_ms - span.from_ms)),
    held_ms: held_ms / each,
    turn_ms: turn_ms / each,
  };
}

export interface EpochsAt {
  /** the slice, if there was only one */
  only: ToldEpochs | null;
  /** several; null: one or none */
  several: ShardEpochs | null;
  /** the epoch for which members were gathered then, without holding anything */
  gathered: ToldEpochs | null;
}

export function epochsAt(lane: EpochLane, span: Span): EpochsAt {
  let count = 0;
  let only: ToldEpochs | null = null;
  let gathered: ToldEpochs | null = null;
  lane.slices(span, (slice) => {
    if (isDuring(slice, span)) {
      only = count === 0 ? { ...slice } : null;
      count += 1;
    } else if (within(slice.gathered_ms, slice.began_ms, span) > 0) gathered = { ...slice };
  });
  return { only, several: count > 1 ? shardEpochs(lane, span) : null, gathered };
}
