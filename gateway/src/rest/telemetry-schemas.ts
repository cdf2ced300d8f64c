// The messages of ui/telemetry/frame.ts as schemas, for /openapi.json. telemetry.test.ts holds them against the types and
// against what a cluster sends.
import Type from 'typebox';
import type { TSchema } from 'typebox';
import { ConditionsSchema } from './schemas.ts';

const count = (description?: string) => Type.Integer(description === undefined ? {} : { description });
const number = (description?: string) => Type.Number(description === undefined ? {} : { description });
const text = (description?: string) => Type.String(description === undefined ? {} : { description });
const nullable = <T extends TSchema>(schema: T, description: string) => Type.Union([schema, Type.Null()], { description });

const Conflict = Type.Object({
  holderLabel: text(),
  comerLabel: text(),
  holderOperation: text('"Set.add"'),
  comerOperation: text(),
  count: count(),
});

const Phase = Type.Object({
  mode: text('as the catalogue names it, "exclusive", or "read" under reader/writer locks'),
  agoMs: number('it began so long before the frame'),
  lengthMs: number('so far, where it goes on'),
  letIn: count('operations'),
  capped: Type.Boolean({ description: 'its cap has held somebody back' }),
});

const HotRecord = Type.Object({
  key: text('of 96 bytes at most'),
  type: text(),
  heat: number('by which records are ranked'),
  trackedMs: number('the counts are of so long'),
  operations: count(),
  conflicts: count(),
  waits: count('that have ended'),
  waitMs: number(),
  waiting: count('claims that wait now'),
  modes: Type.Array(Type.Object({ mode: text(), holders: count(), waiting: count() })),
  phases: Type.Array(Phase, { description: 'ended since the last frame, oldest first' }),
  phase: nullable(Phase, 'the one now'),
});

const Waiter = Type.Object({
  transaction: text('the same on every shard'),
  label: text(),
  key: text(),
  operation: text(),
  mode: text(),
  cause: text(),
  waitedMs: number(),
  blockers: Type.Array(
    Type.Object({
      transaction: nullable(Type.String(), 'null: a session holds the operation for its transactions to join'),
      label: text(),
      operation: text(),
      holds: Type.Boolean({ description: 'false: it waits in front' }),
      voted: Type.Boolean(),
      waits: Type.Boolean({ description: 'itself, at this shard' }),
    }),
  ),
  moreBlockers: Type.Boolean(),
});

const OperationSlice = Type.Object({
  key: text(),
  operation: text(),
  verdict: Type.Enum(['granted', 'waited', 'waiting', 'denied', 'refused', 'joined', 'untried']),
  beside: count('operations of others that it commutes with'),
  waitedMs: number(),
  blockingLabel: text('of the first that was in its way'),
  blockingOperation: nullable(Type.String(), 'null: nobody was'),
});

const Sample = Type.Object({
  transaction: text(),
  label: text(),
  retries: count(),
  traced: Type.Boolean({ description: 'false: an abort that was not sampled from its beginning' }),
  begunAgoMs: number(),
  votedAgoMs: nullable(Type.Number(), 'null: it did not, or commits where it runs'),
  endedAgoMs: number(),
  outcome: Type.Enum(['committed', 'aborted']),
  code: text('of the abort, else empty'),
  cause: text(),
  operationsLeftOut: count(),
  requests: Type.Array(Type.Object({ agoMs: nullable(Type.Number(), 'null: not known'), operations: Type.Array(OperationSlice) })),
});

const ShardTelemetry = Type.Object(
  {
    wallMs: number(),
    monotonicMs: number(),
    elapsedMs: number('since the last frame, or since somebody watches: what the counts are of'),
    number: count('from 1'),
    begun: count('attempts'),
    retries: count('attempts that repeat one that failed'),
    commits: count('at this shard'),
    homeCommits: count('of transactions that began here: over all shards, each counts once'),
    denials: count(),
    operations: count(),
    joined: count('shared operations taken over'),
    shared: count('operations that sessions came to hold'),
    framesIn: count(),
    framesOut: count(),
    aborts: Type.Record(Type.String(), Type.Integer(), { description: 'by error code' }),
    waits: Type.Record(Type.String(), Type.Object({ count: count(), totalMs: number() }), { description: 'ended, by cause' }),
    latencies: Type.Array(Type.Tuple([Type.Integer(), Type.Integer()]), {
      description:
        "home commits by the time from their transaction's begin, earlier attempts included: [bucket, count]; bucket n ends below 1/16 ms * 2^floor(n / 4) * (1 + (n mod 4) / 4), " +
        'the last one, 73, has no end',
    }),
    latencyTotalMs: number('all these times, summed'),
    thrownAwayMs: number('of them, in attempts that were thrown away, less what these waited for locks'),
    backingOffMs: number('of them, backing off between attempts'),
    queuedMs: number('of them, queued in the client until fewer of its transactions ran'),
    inFlight: count('now'),
    waiting: count('now'),
    inDoubt: count('now'),
    records: count('now'),
    sessions: count('now'),
    sharedHolders: count('now'),
    clocksApart: count("shards whose clocks are too far from this one's: transactions over both are refused"),
    conflicts: Type.Array(Conflict, { description: 'most frequent first' }),
    conflictsLeftOut: count(),
    hotRecords: Type.Array(HotRecord, { description: 'hottest first' }),
    recordsTracked: count(),
    phasesLeftOut: count(),
    waiters: Type.Array(Waiter, { description: 'the longest waits first' }),
    samples: Type.Array(Sample, { description: 'in order of their ends' }),
    commitsSampledOneIn: count(),
    abortsLeftOut: count(),
  },
  { description: 'What a shard tells of the time since its last frame. agoMs counts back from the frame.' },
);

export const FrameSchema = Type.Object({
  kind: Type.Literal('frame'),
  number: count('from 1'),
  at_ms: number('since the Unix epoch, by the clock of the gateway that answers'),
  shards: Type.Array(Type.Object({ shard: count(), at_ms: number(), telemetry: ShardTelemetry })),
  silent: Type.Array(Type.Integer(), { description: 'shards that have told nothing for half a second' }),
  missed: count('frames not sent since the one before, since the viewer was too slow'),
});

export const FramesSchema = Type.Object({ version: count('of the messages'), frames: Type.Array(FrameSchema) });

export const MarkSchema = Type.Object({
  kind: Type.Literal('mark'),
  id: text('the same wherever the mark is told'),
  at_ms: number(),
  what: Type.Union([
    Type.Object({ conditions: ConditionsSchema }),
    Type.Object({ spike: Type.Enum(['began', 'ended']), name: text() }),
    Type.Object({ note: text() }),
    Type.Object({ shard_restarted: count() }),
  ]),
});
