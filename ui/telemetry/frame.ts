// The messages that a gateway sends to whoever watches the cluster: the one place that says what they are, for both
// sides. A viewer that meets another version says so, and does not guess.
//
// First `welcome`, then a `frame` several times a second, which carries what every shard has told since the one before, and
// a `mark` when something was done to the cluster. No frame is repeated: who misses one has missed it, and is told.
//
// One time axis: every `at_ms` is the sending gateway's wall clock. What a shard tells counts back from its own frame
// (`agoMs`), so that its clock does not matter; `at_ms - agoMs` is the time on the axis. Figures of shards add up, but for
// `commits`: a transaction over several shards commits at each of them, and counts once in `homeCommits`.

export const TELEMETRY_VERSION = 1;

export interface Conditions {
  locks: 'none' | 'rw' | 'abstract';
  phasing: boolean;
  combining: 'auto' | 'on' | 'off';
}

export interface WelcomeMessage {
  kind: 'welcome';
  version: number;
  at_ms: number;
  /** in the cluster */
  shards: number;
  frames_per_second: number;
  conditions: Conditions;
  /** those that the gateway was started with; recordings from before they were told are without */
  normal?: Conditions;
  /** of the last ten minutes, oldest first */
  marks: MarkMessage[];
}

export interface FrameMessage {
  kind: 'frame';
  /** from 1, for this viewer's stream */
  number: number;
  at_ms: number;
  shards: { shard: number; at_ms: number; telemetry: ShardTelemetry }[];
  /** shards that have told nothing for half a second: not reached, or hanging */
  silent: number[];
  /** frames that this viewer did not get since the last one, because it was too slow to take them */
  missed: number;
}

/** Something that was done to the cluster, to be marked on the time axis. May be told late, and again after a reconnect. */
export interface MarkMessage {
  kind: 'mark';
  /** the same wherever and however often it is told */
  id: string;
  at_ms: number;
  what:
    | { conditions: Conditions }
    | { spike: 'began' | 'ended'; name: string }
    /** somebody's own words (`POST /v1/admin/marks`): 1 to 80 printable characters */
    | { note: string }
    /** a shard has started anew: its totals begin again */
    | { shard_restarted: number };
}

export type TelemetryMessage = WelcomeMessage | FrameMessage | MarkMessage;

/** `ShardTelemetry.latencies`: where a bucket ends, in ms; Infinity for the last one. */
export const LATENCY_BUCKETS = 74;
export function latencyBoundMs(bucket: number): number {
  if (bucket >= LATENCY_BUCKETS - 1) return Infinity;
  return (1 / 16) * 2 ** Math.floor(bucket / 4) * (1 + (bucket % 4) / 4);
}

// ---- what one shard tells; as in server-core/core.d.ts, which a test compares ----------------------------------------

/** One row of the bounded conflict table: who held, who came. */
export interface Conflict {
  holderLabel: string;
  comerLabel: string;
  /** "Set.add" */
  holderOperation: string;
  comerOperation: string;
  count: number;
}

/** A phase of a hot record in which, or before which, somebody waited. */
export interface Phase {
  /** by its name in the catalogue, "exclusive", or "read" under reader/writer locks */
  mode: string;
  /** it began so long before the frame */
  agoMs: number;
  /** so far, where it goes on */
  lengthMs: number;
  /** operations */
  letIn: number;
  /** its cap has held somebody back */
  capped: boolean;
}

export interface HotRecord {
  /** of 96 bytes at most: a longer one is cut, and ends with "…" and a digest of all of it */
  key: string;
  type: string;
  /** by which records are ranked: operations and, more heavily, conflicts; it halves every ten seconds */
  heat: number;
  /** the counts are of so long, where that is less than `elapsedMs`: exact from then on */
  trackedMs: number;
  operations: number;
  conflicts: number;
  /** that have ended */
  waits: number;
  waitMs: number;
  /** claims that wait now */
  waiting: number;
  /** those that are not empty, now: operations that hold, claims that wait (of the 4,096 oldest) */
  modes: { mode: string; holders: number; waiting: number }[];
  /** that have ended since the last frame, oldest first */
  phases: Phase[];
  /** the one now */
  phase: Phase | null;
}

export interface Waiter {
  /** the same on every shard and for every attempt of it */
  transaction: string;
  label: string;
  key: string;
  /** the first of its operations on that record */
  operation: string;
  mode: string;
  /** as in `waits` */
  cause: string;
  waitedMs: number;
  blockers: {
    /** null: a session holds the operation for its transactions to join */
    transaction: string | null;
    label: string;
    operation: string;
    /** false: it waits in front */
    holds: boolean;
    voted: boolean;
    /** itself, at this shard */
    waits: boolean;
  }[];
  /** there are others, or may be */
  moreBlockers: boolean;
}

/** What became of one operation of a sampled attempt. */
export interface OperationSlice {
  key: string;
  operation: string;
  /**
   * granted at once, beside so many operations of others that it commutes with; waited, then granted; waiting when the
   * attempt ended; joined: shared within its session, and taken over
   */
  verdict: 'granted' | 'waited' | 'waiting' | 'denied' | 'refused' | 'joined' | 'untried';
  beside: number;
  waitedMs: number;
  /** of the first that was in its way; empty where nobody was */
  blockingLabel: string;
  blockingOperation: string | null;
}

/** An attempt at this shard, as slices on its time axis. */
export interface Sample {
  transaction: string;
  label: string;
  /** attempts of its transaction before it */
  retries: number;
  /** false: an abort that was not sampled from its beginning: when its requests came and whom it has waited for before is not known */
  traced: boolean;
  begunAgoMs: number;
  /** null: it did not, or commits where it runs */
  votedAgoMs: number | null;
  endedAgoMs: number;
  outcome: 'committed' | 'aborted';
  /** of the abort, else empty */
  code: string;
  cause: string;
  operationsLeftOut: number;
  requests: { agoMs: number | null; operations: OperationSlice[] }[];
}

/**
 * What a shard tells of the time since the last frame. Lists are bounded (server-core/src/telemetry/bounds.h); what found
 * no room is counted. `…AgoMs` and `agoMs` count back from the frame.
 */
export interface ShardTelemetry {
  wallMs: number;
  monotonicMs: number;
  /** since the last frame, or since somebody watches */
  elapsedMs: number;
  /** from 1 */
  number: number;

  // Since the last frame.
  begun: number;
  retries: number;
  commits: number;
  /** of transactions that began at this shard: summed over all shards, each transaction counts once */
  homeCommits: number;
  denials: number;
  operations: number;
  joined: number;
  /** operations that a session came to hold for its attempts */
  shared: number;
  framesIn: number;
  framesOut: number;
  aborts: Record<string, number>;
  waits: Record<string, { count: number; totalMs: number }>;
  /**
   * Home commits by the time from their transaction's begin, earlier attempts and waiting at the app server included: [bucket,
   * count] of those that are not empty; summed over all shards, each transaction counts once. Bucket n ends below 1/16 ms * 2^floor(n / 4) * (1 + (n mod 4) / 4) and begins where n - 1 ends; the last one, 73, has no end.
   */
  latencies: [number, number][];
  /** all these times, summed */
  latencyTotalMs: number;
  // Of them, what the transactions spent before the attempt that committed began.
  /** in attempts that were thrown away, less what these waited for locks */
  thrownAwayMs: number;
  /** backing off between attempts */
  backingOffMs: number;
  /** queued in their client, until fewer of its transactions ran */
  queuedMs: number;

  // Now.
  inFlight: number;
  waiting: number;
  inDoubt: number;
  records: number;
  sessions: number;
  sharedHolders: number;
  /** shards whose clocks are too far from this one's: it refuses transactions over both */
  clocksApart: number;

  /** most frequent first */
  conflicts: Conflict[];
  conflictsLeftOut: number;
  /** hottest first */
  hotRecords: HotRecord[];
  /** how many are tracked */
  recordsTracked: number;
  /** phases of records that are not shown, or that found no room */
  phasesLeftOut: number;
  /** the longest waits first */
  waiters: Waiter[];
  /** in order of their ends: all aborts, as far as there is room, and one commit in so many */
  samples: Sample[];
  commitsSampledOneIn: number;
  abortsLeftOut: number;
}
