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
  commits: number;
  /** by error code */
  aborts: Record<string, number>;
  /** by cause: lock_wait, phase_wait; count and total time */
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

export class Shard {
  constructor(options: ShardOptions);
  /**
   * The log of this shard so far (whole entries, as `takeLog` gave them, in order), before anything else and as often as
   * there are pieces. Throws where the bytes are damaged, leave a gap or are another shard's; the shard is then of no use.
   */
  restore(entries: Uint8Array): void;
  /**
   * The log has been read: what had voted holds its locks again, and this start is logged. Call it before anything else,
   * also on an empty log. Throws as `restore` does.
   */
  restored(wallMs: number, monotonicMs: number): void;
  /** The log entries appended since the last call, whole and in order (docs/wire-format.md, "The log"); null if none. */
  takeLog(): Uint8Array | null;
  /** The number of the last entry appended, counted over all starts; 0 before the first. */
  logPosition(): number;
  /** Every entry up to this one is durable. Returns the peers that now have output. */
  durable(position: number, wallMs: number, monotonicMs: number): number[];
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
  counters(): Counters;
}

/** Every data type as JSON text; shape in server-core/src/adt/registry.h. */
export function catalogue(): string;
/** The slot of a key: CRC16 of the key, or of its {tag}, modulo 16,384. */
export function slotOf(key: string): number;
