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
  const slices: ToldEpochs[] = [];
  lane.slices(span, (slice) => {
    if (isDuring(slice, span)) slices.push(slice);
  });
  return together(lane.shard, slices, span);
}

function together(shard: number, slices: readonly ToldEpochs[], span: Span): ShardEpochs {
  const sum = (read: (slice: ToldEpochs) => number) => slices.reduce((all, slice) => all + read(slice), 0);
  const epochs = sum((slice) => slice.epochs);
  const late = new Set(slices.flatMap((slice) => slice.late));
  return {
    shard,
    epochs,
    reads: sum(({ reads }) => reads),
    writes: sum(({ writes }) => writes),
    operations: sum(({ readOperations, writeOperations }) => readOperations + writeOperations),
    cameBack: sum(({ cameBack }) => cameBack),
    calledOff: sum(({ calledOff }) => calledOff),
    late: [...late].sort((one, other) => one - other),
    heldShare: Math.min(1, sum(({ listed_ms, ended_ms }) => within(listed_ms, ended_ms, span)) / (span.to_ms - span.from_ms)),
    held_ms: epochs > 0 ? sum(({ listed_ms, sealed_ms }) => sealed_ms - listed_ms) / epochs : 0,
    turn_ms: epochs > 0 ? sum(({ sealed_ms, ended_ms }) => ended_ms - sealed_ms) / epochs : 0,
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
  const during: ToldEpochs[] = [];
  let gathered: ToldEpochs | null = null;
  lane.slices(span, (slice) => {
    if (isDuring(slice, span)) during.push(slice);
    else if (within(slice.gathered_ms, slice.began_ms, span) > 0) gathered = slice;
  });
  return {
    only: during.length === 1 ? during[0]! : null,
    several: during.length > 1 ? together(lane.shard, during, span) : null,
    gathered,
  };
}
