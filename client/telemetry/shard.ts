// What one shard reports about the time since its last frame, as server-core/src/telemetry/frame_json.cc writes it. Lists are bounded
// (server-core/src/counters/bounds.h); items that found no room are counted. Times that end in `agoMs` count back from the frame.
import { LATENCY_BUCKETS } from './latency.ts';
import { amount, count, flag, list, map, number, object, oneOf, orNull, pair, text, withDefault, type TypeOf } from './schema.ts';
import { FRAME_TOTALS, type FrameTotal } from './totals.ts';

/** A member that recordings of older versions lack. */
const ADDED_LATER = { default: 0 };

/** The label of natives in conflicts and waits. */
export const NATIVE = '(native)';
/** The label of clients that rely on warranties, as what a change has to wait for. */
export const WARRANTY = '(warranty)';

/** A row of the bounded conflict table: labels and operations of the holder and of the transaction or native that conflicted with it. */
const conflict = object({
  holderLabel: text(),
  comerLabel: text(),
  holderOperation: text('"Set.add"'),
  comerOperation: text(),
  outcome: withDefault(
    oneOf(
      ['waited', 'broke', 'again'],
      'waited: the comer had to wait, or was denied; broke: the comer, a native, has ended the holder; again: the holder, a member of a chain, ' +
        'was taken out, and the comer, which stood on it, was executed again',
    ),
    'waited',
  ),
  count: count(),
});
export type Conflict = TypeOf<typeof conflict>;

/** A phase of a hot record during which, or before which, an operation waited; or a run in which a member stood on another. */
const phase = object({
  mode: text('as the catalogue names it, "exclusive", "read" under reader/writer locks, or "run": members of one chain are executed'),
  session: withDefault(text('of a run: the name of the client whose chain it is; else empty, or if that name cannot be shown'), ''),
  agoMs: number('its beginning'),
  lengthMs: amount('so far, if it has not ended'),
  letIn: count('operations'),
  capped: flag('its cap has held an operation back'),
});
export type Phase = TypeOf<typeof phase>;

/** A result that the shard has promised, so that clients answer from memory. */
const warranty = object({
  operation: text('"TopK.top"'),
  holders: count('clients that have it now'),
  agoMs: number('its beginning'),
  lengthMs: amount('so far, if it stands'),
  recalledMs: amount('the last part of that time, in which a change waited for its end'),
  ended: flag(),
  lapsed: flag('a client that had it did not return it, and was waited for no longer'),
});
export type Warranty = TypeOf<typeof warranty>;

const hotRecord = object({
  key: text('96 bytes at most: a longer key is cut, and ends with "…" and a digest of all of it'),
  type: text(),
  heat: amount('the measure by which records are ranked: operations and, more heavily, conflicts; it halves every ten seconds'),
  trackedMs: amount('the time that the counts cover, where that is less than elapsedMs'),
  operations: count(),
  conflicts: count(),
  waits: count('ended'),
  waitMs: amount('summed over the ended waits'),
  natives: count('native operations, among operations', ADDED_LATER),
  nativeWaits: count('natives that have begun to wait', ADDED_LATER),
  nativeBreaks: count('attempts that natives have ended', ADDED_LATER),
  waiting: count('claims, and members of chains, that wait now'),
  modes: list(
    object({
      mode: text(),
      holders: count('operations that hold the record now, or are in its run'),
      waiting: count('claims and members that wait now, of the 4,096 oldest'),
    }),
    'modes that are in use now',
  ),
  phases: list(phase, 'ended since the last frame, oldest first'),
  phase: orNull(phase, 'the current one'),
  warranties: withDefault(list(warranty, 'those that have ended since the last frame, oldest first, and then some that stand'), []),
});
export type HotRecord = TypeOf<typeof hotRecord>;

const blocker = object({
  transaction: text(),
  label: text(),
  operation: text(),
  holds: flag('false: it waits in front'),
  voted: flag(),
  waits: flag('the blocker itself waits at this shard'),
});

const waiter = object({
  transaction: text('the same on every shard and for every attempt of the transaction; a waiting native has one of its own'),
  label: text(),
  key: text(),
  operation: text("the first of the transaction's operations on that record"),
  mode: text(),
  cause: text('as in waits'),
  waitedMs: amount(),
  blockers: list(blocker),
  moreBlockers: flag('there are further blockers, or may be'),
  warranty: withDefault(
    orNull(
      object({
        operation: orNull(text('whose result is promised'), 'null: the shard has started, and promises from before may stand'),
        holders: list(
          object({
            session: text('the name of the client; empty if it cannot be shown'),
            lost: flag('its stream has broken'),
            silentMs: amount('since its last frame, unless it is lost'),
          }),
          'who has not returned it, the lost and the longest silent ones first',
        ),
        moreHolders: flag(),
      }),
      'of a change that waits for the end of a warranty',
    ),
    null,
  ),
});
export type Waiter = TypeOf<typeof waiter>;

/** The result of one operation of a sampled attempt. */
const operationSlice = object({
  key: text(),
  operation: text(),
  verdict: oneOf(
    ['granted', 'waited', 'waiting', 'denied', 'refused', 'ahead', 'untried'],
    'granted: at once; waited: granted after a wait; waiting: still waiting when the attempt ended; ahead: of a member, executed ahead of its commit',
  ),
  beside: count(
    'operations of other transactions that held the record at the same time; of one executed ahead: that were undecided below it',
  ),
  waitedMs: amount(),
  blockingLabel: text('of the first blocker; empty: there was none'),
  blockingOperation: orNull(text(), 'null: there was none'),
});
export type OperationSlice = TypeOf<typeof operationSlice>;

/** An attempt at this shard, as slices on its time axis. */
const sample = object({
  transaction: text(),
  label: text(),
  retries: count('earlier attempts of the transaction'),
  traced: flag('false: an abort that was not sampled from its beginning, so that its requests and earlier waits are unknown'),
  begunAgoMs: number(),
  votedAgoMs: orNull(number(), 'null: it did not vote, or commits where it runs'),
  endedAgoMs: number(),
  outcome: oneOf(['committed', 'aborted']),
  code: text('of the abort, else empty'),
  cause: text('why it aborted; of a member with the code chain_broken: why the chain broke'),
  warranted: count('readings that the client answered from memory, of records of any shard; known once it asks for the vote', ADDED_LATER),
  batchMembers: count('of the batch in which the member voted; 0: in none', ADDED_LATER),
  stoodBack: withDefault(text('why that batch stood back; empty: it did not'), ''),
  operationsLeftOut: count(),
  requests: list(object({ agoMs: orNull(number(), 'null: unknown'), operations: list(operationSlice) })),
});
export type Sample = TypeOf<typeof sample>;

/** One turn to send members with parts at several shards; or several short turns of one session, which then lie beside others' of that time. */
const turns = object({
  session: text('the name of the client that had it; empty if it cannot be shown'),
  peer: count('the number of its session at the shard: clients may have equal names'),
  agoMs: number('its beginning'),
  lengthMs: amount('of all of them together; so far, if it has not ended'),
  turns: count(),
  waiting: count('the most clients that waited for it at once'),
  recalled: count('turns that another client wanted'),
  timedOut: count('of these, those that were waited for no longer'),
});
export type Turns = TypeOf<typeof turns>;

/** One epoch at this shard; or several that began within a few milliseconds: their times and counts are added up. */
const epochSlice = object({
  manager: count('the number of the shard that manages it'),
  agoMs: number('its close, from which on the shard lists; of several: the first close'),
  gatherMs: amount('for how long before that the member that waited longest had been gathered'),
  listMs: amount('in which the shard put its list together'),
  heldMs: amount('from the list to the seal, in which listed members hold their records'),
  turnMs: amount('from the seal to the turn of the last member'),
  epochs: count(),
  reads: count('members that committed, and only observe'),
  writes: count('other members that committed'),
  readOperations: count('of reads'),
  writeOperations: count('of writes'),
  cameBack: count('times that a member was not listed, or was listed and not committed; it is gathered again'),
  calledOff: count('of epochs, those that were called off'),
  late: list(count(), 'the numbers of the shards whose lists were late for those'),
});
export type EpochSlice = TypeOf<typeof epochSlice>;

/** The sums that every recording has: a frame without one of them is malformed. */
const FROM_THE_FIRST: ReadonlySet<FrameTotal['name']> = new Set<FrameTotal['name']>([
  'begun',
  'retries',
  'commits',
  'homeCommits',
  'denials',
  'operations',
  'framesIn',
  'framesOut',
]);

const frameTotals = Object.fromEntries(
  FRAME_TOTALS.map(({ name, kind, meaning }) => {
    const sum = kind === 'time' ? amount : count;
    return [name, FROM_THE_FIRST.has(name) ? sum(meaning) : sum(meaning, ADDED_LATER)];
  }),
) as unknown as Record<FrameTotal['name'], ReturnType<typeof count>>;

const latencies = list(
  pair(count('bucket', { maximum: LATENCY_BUCKETS - 1 }), count()),
  "home commits by the time since their transaction's begin, earlier attempts and waiting at the app server included: [bucket, count] of the " +
    'buckets that are not empty. Bucket n ends below 1/16 ms * 2^floor(n / 4) * (1 + (n mod 4) / 4) and begins where n - 1 ends; the last one, ' +
    '73, has no end',
);

export const shardTelemetry = object(
  {
    wallMs: number(),
    monotonicMs: number(),
    elapsedMs: amount('since the last frame, or since the shard is watched: the time that the counts cover'),
    number: count('from 1'),

    // Since the last frame.
    ...frameTotals,
    aborts: map(count(), 'by error code'),
    breaks: withDefault(map(count(), 'chainsBroken by reason (docs/errors.md)'), {}),
    standBacks: withDefault(map(count(), 'stoodBack by reason (docs/errors.md)'), {}),
    waits: map(
      object({ count: count(), totalMs: amount() }),
      'ended, by cause; native_wait: of natives; turn: of members of chains, for other chains; warranty_wait: for the end of a warranty; ' +
        'epoch_wait: for members of epochs',
    ),
    latencies,
    latencyTotalMs: amount('the sum of these times'),
    thrownAwayMs: amount('the share of it in attempts that were thrown away, less their waits for locks', ADDED_LATER),
    backingOffMs: amount('the share of it between attempts', ADDED_LATER),
    queuedMs: amount('the share of it in the client, until fewer of its transactions ran', ADDED_LATER),

    // Now.
    inFlight: count('attempts, now'),
    waiting: count('attempts that wait for a lock or for their turn, now'),
    inDoubt: count('now'),
    records: count('now'),
    sessions: count('now'),
    undecidedMembers: count('members that have come and are not decided, now', ADDED_LATER),
    membersOfEpochs: count('attempts that are gathered or listed, now', ADDED_LATER),
    grantsStanding: count('grants of warranties that clients have, now', ADDED_LATER),
    clocksApart: count("shards whose clocks are too far from this one's: transactions over both are refused", ADDED_LATER),

    conflicts: list(conflict, 'most frequent first'),
    conflictsLeftOut: count(),
    hotRecords: list(hotRecord, 'hottest first'),
    recordsTracked: count(),
    phasesLeftOut: count('of records that are not shown, or that found no room'),
    warrantiesLeftOut: count('likewise: those that have ended', ADDED_LATER),
    turnSlices: withDefault(list(turns, 'turns that have ended, oldest first; they do not overlap'), []),
    turn: withDefault(orNull(turns, 'the current one'), null),
    turnsLeftOut: count('that found no room', ADDED_LATER),
    epochSlices: withDefault(list(epochSlice, 'epochs that have ended here, oldest first'), []),
    epochsLeftOut: count('that found no room', ADDED_LATER),
    waiters: list(waiter, 'the longest waits first'),
    samples: list(sample, 'in order of their ends: all aborts that find room, and one commit in commitsSampledOneIn'),
    commitsSampledOneIn: count(),
    abortsLeftOut: count(),
  },
  'What a shard reports about the time since its last frame. agoMs counts back from the frame.',
);
export type ShardTelemetry = TypeOf<typeof shardTelemetry>;
