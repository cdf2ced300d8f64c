// The telemetry of a cluster: messages, their types, and the check of a message in JSON. Beside it, the answers of REST that others than the
// gateway read.
export { accepts } from './accepts.ts';
export {
  CONDITIONS,
  USUAL,
  completed,
  conditions,
  differ,
  wordOf,
  wordsOf,
  type Condition,
  type ConditionName,
  type Conditions,
  type ListedValue,
} from './conditions.ts';
export { decode, type Decoded } from './decode.ts';
export { LATENCY_BUCKETS, latencyBoundMs } from './latency.ts';
export { TELEMETRY_VERSION, change, frameMessage, markMessage, welcomeMessage } from './messages.ts';
export type { Change, FrameMessage, MarkMessage, TelemetryMessage, WelcomeMessage } from './messages.ts';
export type { Replication, ShardOwner, ShardStandby } from './replication.ts';
export type { Schema } from './schema.ts';
export { NATIVE, WARRANTY, shardTelemetry } from './shard.ts';
export { moving, type MovingSlots, type SlotOwner, type Slots } from './slots.ts';
export { FRAME_TOTALS, TOTALS, type FrameTotal, type Total, type TotalName } from './totals.ts';
export { recordWarranties, type RecordWarranties, type ShownWarranty } from './warranties.ts';
export type { Conflict, EpochSlice, HotRecord, OperationSlice, Phase, Sample, ShardTelemetry, Turns, Waiter, Warranty } from './shard.ts';
