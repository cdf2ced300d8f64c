// The native boundary, whole: a shard is bytes in, bytes out. No callbacks, no threads; every call returns at once.
// Times are milliseconds: `wallMs` since the Unix epoch, `monotonicMs` since an arbitrary start (fractions allowed).

export interface ShardOptions {
  /** this shard's number, from 0 */
  shard: number;
  /** shards in the cluster: slots are dealt in equal runs */
  shards: number;
  /** greater at each start of this shard */
  incarnation: number;
  /** a session silent for longer is lost */
  sessionLeaseMs: number;
  /** how long a phase may go on letting in newcomers while others wait */
  phaseCapMs: number;
  /** an older transaction waits this long before it wounds a younger one across shards */
  woundDelayMs: number;
  /** after a wound, how long the wounded may go on before its shard aborts it */
  woundGraceMs: number;
  /** an attempt that sends nothing for this long while someone waits for it is aborted */
  idleMs: number;
  /** a frame larger than this ends its session */
  frameBytesMax: number;
  /** a session whose unread output grows beyond this is closed */
  outputBytesMax: number;
  /**
   * What happens is handed out as entries of a log (`takeLog`), and what depends on them leaves once they are durable.
   * False: durability none, the shard restarts empty.
   */
  logged: boolean;
}

export interface Conditions {
  locks: 'none' | 'rw' | 'abstract';
  phasing: boolean;
  combining: 'auto' | 'on' | 'off';
}

/** One row of the bounded conflict table: who held, who came. */
export interface Conflict {
  holderLabel: string;
  comerLabel: string;
  /** "Set.add" */
  holderOperation: string;
  comerOperation: string;
  count: number;
}

/** Everything counted since the shard was made. */
export interface Counters {
  operations: number;
  /** attempts */
  begun: number;
  /** of these, such that repeat an attempt that failed */
  retries: number;
  commits: number;
  /** of transactions that began at this shard: summed over all shards, each transaction counts once */
  homeCommits: number;
  /**
   * Home commits by the time from their transaction's begin, earlier attempts and waiting at the app server included: [bucket,
   * count] of those that are not empty; summed over all shards, each transaction counts once. Bucket n ends below 1/16 ms * 2^floor(n / 4) * (1 + (n mod 4) / 4) and begins where n - 1 ends; the last one, 73, has no end.
   */
  latencies: [number, number][];
  /** all these times, summed */
  latencyTotalMs: number;
  /** requests that met a lock while phasing was off */
  denials: number;
  /** shared operations that attempts took over instead of asking for their own */
  joined: number;
  /** operations that a session came to hold for its attempts */
  shared: number;
  /** by error code */
  aborts: Record<string, number>;
  /** ended ones, by cause: lock_wait (for holders), phase_wait (for its turn: the phase's cap is over, and elders wait) */
  waits: Record<string, { count: number; totalMs: number }>;
  conflicts: Conflict[];
  /** conflicts that found the table full */
  conflictsDropped: number;
  attemptsInFlight: number;
  /** operations that sessions hold for their attempts to join */
  sharedHolders: number;
  waiting: number;
  /** attempts that have voted, hold their locks, and whose outcome the other participants are asked for */
  inDoubt: number;
  records: number;
  sessions: number;
  framesIn: number;
  framesOut: number;
  watches: number;
}

/** A phase of a hot record in which, or before which, somebody waited. */
export interface TelemetryPhase {
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

export interface TelemetryHotRecord {
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
  phases: TelemetryPhase[];
  /** the one now */
  phase: TelemetryPhase | null;
}

export interface TelemetryWaiter {
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
export interface TelemetryOperation {
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
export interface TelemetrySample {
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
  requests: { agoMs: number | null; operations: TelemetryOperation[] }[];
}

/**
 * What a shard tells of the time since the last frame. Lists are bounded (server-core/src/counters/bounds.h); what found
 * no room is counted. `…AgoMs` and `agoMs` count back from the frame.
 */
export interface TelemetryFrame {
  wallMs: number;
  monotonicMs: number;
  /** since the last frame, or since somebody watches */
  elapsedMs: number;
  /** from 1 */
  number: number;

  // Since the last frame, as in Counters.
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
  /** as in Counters */
  latencies: [number, number][];
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
  /** shards whose clocks are too far from this one's (setSkewed) */
  clocksApart: number;

  /** most frequent first */
  conflicts: Conflict[];
  conflictsLeftOut: number;
  /** hottest first */
  hotRecords: TelemetryHotRecord[];
  /** how many are tracked */
  recordsTracked: number;
  /** phases of records that are not shown, or that found no room */
  phasesLeftOut: number;
  /** the longest waits first */
  waiters: TelemetryWaiter[];
  /** in order of their ends, once these are durable: all aborts, as far as there is room, and one commit in so many */
  samples: TelemetrySample[];
  commitsSampledOneIn: number;
  abortsLeftOut: number;
}

export class Shard {
  constructor(options: ShardOptions);
  /**
   * The log of this shard so far (whole entries, as `takeLog` gave them, in order), before anything else and as often as
   * there are pieces. After a checkpoint from the entry behind its position on; entries before that are skipped.
   * Throws where the bytes are damaged, leave a gap or are another shard's; the shard is then of no use.
   */
  restore(entries: Uint8Array): void;
  /**
   * Before `restore`, as often as there are pieces: the pairs that checkpoints have put and not removed, in order of keys (pieces of
   * puts alone). Throws as `restore` does.
   */
  restoreCheckpoint(pairs: Uint8Array): void;
  /**
   * The log has been read: what had voted holds its locks again, and this start is logged. Call it before anything else,
   * also on an empty log. Throws as `restore` does.
   */
  restored(wallMs: number, monotonicMs: number): void;
  /** The log entries appended since the last call, whole and in order (docs/wire-format.md, "The log"); null if none. */
  takeLog(): Uint8Array | null;
  /** The number of the last entry appended, counted over all starts; 0 before the first. */
  logPosition(): number;
  /** Begins a checkpoint of everything up to the last entry appended. Throws without a log, and while one is under way. */
  beginCheckpoint(): void;
  /**
   * Its next pairs (docs/wire-format.md, "Checkpoints"): about `bytesMax` bytes, and never much work. `pairs` may be empty: ask again in a
   * later turn. They may hold effects of any entry that `takeLog` has given, which therefore has to be kept before them; while there are
   * entries that it has not given, `pairs` is empty. `position` is 0 until the last piece: once that and all before it are durable, a restart needs
   * no entry up to `position`.
   */
  takeCheckpoint(bytesMax: number): { pairs: Uint8Array; position: number };
  /** Every entry up to this one is durable. Returns the peers that now have output. */
  durable(position: number, wallMs: number, monotonicMs: number): number[];
  /**
   * A consistent cut over all shards begins (docs/decisions/0018-backup.md): until it is passed or called off this shard
   * forgets no commit over several shards. Answers the timestamp that its clock has reached. Every shard is prepared before any
   * is told when the cut is, and so again before each further try. Throws where there is no log.
   */
  prepareCut(): bigint;
  /**
   * The cut is at that timestamp, which is to come: entries up to some position will not be above it, all later ones will. False: the
   * clock has gone beyond; prepare all shards again, and try a greater one. Throws where it is not prepared.
   */
  setCut(at: bigint): boolean;
  /** The clock passes the cut, unless it has. Answers the position. Throws where none is set. */
  cut(): number;
  /** There will be no cut. May be called at any time. */
  callOffCut(): void;
  /** A peer's stream has opened. Peers are numbered by the caller, never reused. */
  connect(peer: number, wallMs: number, monotonicMs: number): void;
  /** The stream is gone: its session is lost. */
  disconnect(peer: number, wallMs: number, monotonicMs: number): void;
  /**
   * Takes in frames (frames[i] came from peers[i], in order of arrival), runs what is due, and returns the peers that
   * have output. Call it with no frames when `nextDeadlineMs` has come.
   */
  process(peers: number[], frames: Uint8Array[], wallMs: number, monotonicMs: number): number[];
  /** One whole frame for this peer; null when there is none. */
  drain(peer: number): Uint8Array | null;
  /** True when the peer's session has ended (its `closing` frame has been drained): close the stream. */
  closed(peer: number): boolean;
  /** Monotonic time at which `process` wants to be called, Infinity if nothing is due. */
  nextDeadlineMs(): number;
  /**
   * Shards whose stream this shard wants, to settle what a dead client left: open a Session to each, `connect` it under
   * a fresh peer number and bind it with `bindShard`. Empty in quiet times.
   */
  wantedShards(): number[];
  /** The outgoing stream `peer` leads to that shard. */
  bindShard(peer: number, shard: number): void;
  conditions(): Conditions;
  setConditions(conditions: Conditions, wallMs: number, monotonicMs: number): void;
  /**
   * Nothing can be made durable for now (the disk is full), or again. Meanwhile what would have to be logged, or would see what
   * is not durable, is refused with `disk_full`; reads of the rest go on. Sessions for which something waits for the log are closed.
   * Call `process` after it.
   */
  refuseChanges(on: boolean, wallMs: number, monotonicMs: number): void;
  /**
   * These shards' clocks are too far from this one's: an attempt over this shard and one of them is refused with `clock_skew` when it
   * asks for its vote. What has a vote already ends as it would have.
   */
  setSkewed(shards: number[]): void;
  counters(): Counters;
  /** Somebody watches from now on, or nobody does any more: then nothing is kept for them. */
  observe(on: boolean, wallMs: number, monotonicMs: number): void;
  /** A `TelemetryFrame` as JSON text, to be parsed or passed on; null while nobody watches. Changes nothing else. */
  takeTelemetry(wallMs: number, monotonicMs: number): string | null;
}

/** Every data type as JSON text; shape in server-core/src/adt/registry.h. */
export function catalogue(): string;
/** The slot of a key: CRC16 of the key, or of its {tag}, modulo 16,384. */
export function slotOf(key: string): number;

/**
 * Gives memory that is free within this process back to the system, on another thread. Until it is done, calls may wait for some
 * milliseconds: for times when nobody works.
 */
export function releaseMemory(): Promise<void>;
