// From the text of a message to the message, or to what is wrong with it. Nothing that comes in makes it throw, and what it
// lets pass is what ui/telemetry/frame.ts says.
import { LATENCY_BUCKETS, TELEMETRY_VERSION } from '../../../telemetry/frame.ts';
import type { TelemetryMessage } from '../../../telemetry/frame.ts';
import { amount, either, finite, flag, listOf, mapOf, object, oneOf, orMissing, orNull, text, type Shape } from './shape.ts';

export type Decoded =
  | { message: TelemetryMessage }
  /** a welcome of another version: what follows it is not ours to read */
  | { otherVersion: number }
  | { fault: 'malformed' };

const SHARDS_MAX = 256;
const MALFORMED: Decoded = { fault: 'malformed' };

const conditions = object({ locks: oneOf('none', 'rw', 'abstract'), phasing: flag, combining: oneOf('auto', 'on', 'off') });

const what = either(
  object({ conditions }),
  object({ spike: oneOf('began', 'ended'), name: text }),
  object({ note: text }),
  object({ shard_restarted: amount }),
);

const mark = object({ kind: oneOf('mark'), id: text, at_ms: finite, what });

const conflict = object({ holderLabel: text, comerLabel: text, holderOperation: text, comerOperation: text, count: amount });

const phase = object({ mode: text, agoMs: finite, lengthMs: amount, letIn: amount, capped: flag });

const hotRecord = object({
  key: text,
  type: text,
  heat: amount,
  trackedMs: amount,
  operations: amount,
  conflicts: amount,
  waits: amount,
  waitMs: amount,
  waiting: amount,
  modes: listOf(object({ mode: text, holders: amount, waiting: amount })),
  phases: listOf(phase),
  phase: orNull(phase),
});

const blocker = object({ transaction: orNull(text), label: text, operation: text, holds: flag, voted: flag, waits: flag });

const waiter = object({
  transaction: text,
  label: text,
  key: text,
  operation: text,
  mode: text,
  cause: text,
  waitedMs: amount,
  blockers: listOf(blocker),
  moreBlockers: flag,
});

const slice = object({
  key: text,
  operation: text,
  verdict: oneOf('granted', 'waited', 'waiting', 'denied', 'refused', 'joined', 'untried'),
  beside: amount,
  waitedMs: amount,
  blockingLabel: text,
  blockingOperation: orNull(text),
});

const sample = object({
  transaction: text,
  label: text,
  retries: amount,
  traced: flag,
  begunAgoMs: finite,
  votedAgoMs: orNull(finite),
  endedAgoMs: finite,
  outcome: oneOf('committed', 'aborted'),
  code: text,
  cause: text,
  operationsLeftOut: amount,
  requests: listOf(object({ agoMs: orNull(finite), operations: listOf(slice) })),
});

const latency: Shape = (value) =>
  Array.isArray(value) && Number.isInteger(value[0]) && value[0] >= 0 && value[0] < LATENCY_BUCKETS && amount(value[1]);

const AMOUNTS = [
  'elapsedMs',
  'number',
  'begun',
  'retries',
  'commits',
  'homeCommits',
  'denials',
  'operations',
  'joined',
  'shared',
  'framesIn',
  'framesOut',
  'latencyTotalMs',
  'inFlight',
  'waiting',
  'inDoubt',
  'records',
  'sessions',
  'sharedHolders',
  'conflictsLeftOut',
  'recordsTracked',
  'phasesLeftOut',
  'commitsSampledOneIn',
  'abortsLeftOut',
] as const;

/** Recordings from before these were told are without them. */
const LATER = ['thrownAwayMs', 'backingOffMs', 'queuedMs', 'clocksApart'] as const;

const shardTelemetry = object({
  wallMs: finite,
  monotonicMs: finite,
  ...Object.fromEntries(AMOUNTS.map((name) => [name, amount])),
  ...Object.fromEntries(LATER.map((name) => [name, orMissing(amount)])),
  aborts: mapOf(amount),
  waits: mapOf(object({ count: amount, totalMs: amount })),
  latencies: listOf(latency),
  conflicts: listOf(conflict),
  hotRecords: listOf(hotRecord),
  waiters: listOf(waiter),
  samples: listOf(sample),
});

const shardNumber: Shape = (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) < SHARDS_MAX;

const SHAPES: Record<string, Shape> = {
  welcome: object({
    at_ms: finite,
    shards: amount,
    frames_per_second: amount,
    conditions,
    normal: orMissing(conditions),
    marks: listOf(mark),
  }),
  frame: object({
    number: amount,
    at_ms: finite,
    shards: listOf(object({ shard: shardNumber, at_ms: finite, telemetry: shardTelemetry })),
    silent: listOf(shardNumber),
    missed: amount,
  }),
  mark,
};

export function decode(data: string): Decoded {
  let message: unknown;
  try {
    message = JSON.parse(data);
  } catch {
    return MALFORMED;
  }
  if (typeof message !== 'object' || message === null) return MALFORMED;
  const { kind, version } = message as { kind?: unknown; version?: unknown };
  if (typeof kind !== 'string' || !Object.hasOwn(SHAPES, kind)) return MALFORMED;
  if (kind === 'welcome' && version !== TELEMETRY_VERSION)
    return Number.isFinite(version) ? { otherVersion: version as number } : MALFORMED;
  return SHAPES[kind]!(message) ? { message: completed(message as TelemetryMessage) } : MALFORMED;
}

function completed(message: TelemetryMessage): TelemetryMessage {
  if (message.kind === 'frame') {
    for (const { telemetry } of message.shards) for (const name of LATER) telemetry[name] ??= 0;
  }
  return message;
}
