// The whole native boundary: bytes go into a shard, and bytes come out. No callbacks but those of RespSockets, no threads; every call returns at once.
// Times are milliseconds: `wallMs` since the Unix epoch, `monotonicMs` since an arbitrary start (fractions allowed).

import type { InstalledType } from './installed-types.js';
import type { Conditions } from './conditions.js';
import type { Totals } from './totals.js';

export type { Conditions };
export { readDefinition, TYPE_CHECK, type InstalledType } from './installed-types.js';
export { RespSockets, type RespHostCalls, type RespServerCalls } from './resp-sockets.js';

export interface ShardOptions {
  /** this shard's number, from 0 */
  shard: number;
  /** the number of shards among which the slots were dealt in equal runs; it never changes. A shard with a greater number joined later. */
  shards: number;
  /** greater at each start of this shard; 0: `restored` says it */
  incarnation: number;
  /** a session silent for longer is lost */
  sessionLeaseMs: number;
  /** the time for which a phase may let in newcomers while other operations wait */
  phaseCapMs: number;
  /** an older transaction waits this long before it wounds a younger one across shards */
  woundDelayMs: number;
  /** the time that a wounded attempt has before its shard aborts it */
  woundGraceMs: number;
  /** an attempt that is silent for longer is aborted if another one waits for it */
  idleMs: number;
  /** telemetry measures the work within a call too; otherwise, and for all else, time stands still there */
  stopwatch?: boolean;
  /** the number of recent conflicts that make a record hot; absent: 3. Tests of chains take 1 */
  heatHot?: number;
  /** how long a grant of a warranty stands after the last frame of its session; absent or 0: none is ever granted */
  warrantyTermMs?: number;
  /** a warranty that answers fewer operations of each session makes its operation pause; absent or 0: none does, and all is promised that may be */
  warrantyUsesMin?: number;
  /** for so long at most, a grant can be made firm; 0, the default: never */
  warrantyFirmMsMax?: number;
  /** what a record was is kept for so long, for reads of the past; absent or 0: it is not kept */
  pastMs?: number;
  /** what is kept takes no more than about this; absent: 64 MiB */
  pastBytes?: number;
  /** 16 random bytes of this start, which no client knows: the key of the digests of results. Absent: all 0 */
  digestKey?: Uint8Array;
  /** a frame larger than this ends its session */
  frameBytesMax: number;
  /** a session whose unread output grows beyond this is closed */
  outputBytesMax: number;
  /**
   * The shard writes a log (`takeLog`), and output that depends on an entry leaves once the entry is durable. False: durability none; the
   * shard restarts empty.
   */
  logged: boolean;
}

/** One row of the bounded conflict table: the labels and operations of the holder and of the transaction or native that met it. */
export interface Conflict {
  holderLabel: string;
  comerLabel: string;
  /** "Set.add" */
  holderOperation: string;
  comerOperation: string;
  /** broke: a native has ended the holder; again: the holder was taken out of its chain, and the other was executed again */
  outcome: 'waited' | 'broke' | 'again';
  count: number;
}

/** Totals since the shard was created. */
export interface Counters extends Totals {
  /** committed changes that are kept, so that records can be seen as they were, and their memory */
  pastVersions: number;
  pastBytes: number;
  /** grants that stand */
  grantsStanding: number;
  /**
   * Home commits by the time since their transaction's begin, earlier attempts and waiting at the app server included: [bucket, count] of
   * the buckets that are not empty (client/telemetry/latency.ts).
   */
  latencies: [number, number][];
  /** the sum of these times */
  latencyTotalMs: number;
  /** by error code */
  aborts: Record<string, number>;
  /** chainsBroken by reason */
  breaks: Record<string, number>;
  /** stoodBack by reason */
  standBacks: Record<string, number>;
  /** ended waits, by cause: lock_wait (for holders), phase_wait (for its turn), native_wait (of natives, for holders), turn (of members, for other chains), warranty_wait (for the end of a warranty), epoch_wait (for a member of an epoch) */
  waits: Record<string, { count: number; totalMs: number }>;
  conflicts: Conflict[];
  /** conflicts for which the table had no row left */
  conflictsDropped: number;
  attemptsInFlight: number;
  /** members of chains that have come and are not decided */
  undecidedMembers: number;
  waiting: number;
  /** attempts that have voted, and about whose outcome the other participants are asked */
  inDoubt: number;
  records: number;
  /** that were deleted, have expired or become empty, and are kept: with a log, for some checkpoints */
  vacantRecords: number;
  sessions: number;
  watches: number;
  /** Redis clients that are connected, and links from other doors */
  respConnections: number;
}

/** A node of the Redis cluster that clients see: a shard, and where its gateway's door is. */
export interface RespNode {
  /** 40 hexadecimal digits, always the same for the shard */
  id: string;
  host: string;
  /** 0: it has no door */
  port: number;
  /** in order */
  slots: [first: number, last: number][];
}

/** A stream to another shard's door that commands of clients need. */
export interface WantedLink {
  link: number;
  host: string;
  port: number;
}

/** An operation of a transaction that a command of a Redis client is run as. */
export interface WantedOperation {
  key: string;
  type: string;
  operation: string;
  /** integers beyond 2^53 - 1 are of type bigint; absent: null */
  arguments: unknown[];
}

/** A session that holds a warranty. */
export interface WarrantyHolder {
  /** its name; empty if it cannot be shown */
  session: string;
  /** more than one: it asked for the result several times at once */
  grants: number;
  /** its stream has broken */
  lost: boolean;
  /** since its last frame; null: it is lost */
  silentMs: number | null;
  /** when it is waited for no longer; null: its grant is not recalled */
  lapsesInMs: number | null;
}

/** A result that the shard has promised. */
export interface ListedWarranty {
  /** "TopK.top" */
  operation: string;
  /** integers beyond 2^53 - 1 as bigint, an absent value as null */
  arguments: unknown[];
  ageMs: number;
  /** since when something waits for its end; null: nothing does */
  recalledAgoMs: number | null;
  /** the latest end; null: it is not recalled */
  endsInMs: number | null;
  /** grants, returned ones included */
  granted: number;
  /** operations that it has answered, as far as sessions have said by returning their grants */
  uses: number;
  holders: WarrantyHolder[];
}

/** The slots from `first` to `last`. */
export interface SlotRun {
  first: number;
  last: number;
}

/** Why a step of a move was refused. Nothing has changed then, except where `importPiece` says so. */
export interface MoveRefusal {
  /**
   * invalid_move: never possible. unknown_move: not under way at this shard. move_in_progress: another one is, or what an earlier one left is
   * not removed yet. move_not_ready: an earlier step is not over. cut_in_progress: a backup is about to cut the log. overloaded: no room for
   * kept answers.
   */
  code:
    | 'invalid_move'
    | 'unknown_move'
    | 'move_in_progress'
    | 'move_not_ready'
    | 'cut_in_progress'
    | 'overloaded'
    | 'disk_full'
    | 'log_unavailable';
  message: string;
  retryable: boolean;
}

/** A piece of a run that is given. */
export interface GivePiece {
  /** empty: there is nothing to be sent */
  bytes: Uint8Array;
  /** the run is drained, and with this piece nothing of it is missing */
  complete: boolean;
  /** an estimate of what is left of the records; 0: nothing is left for now */
  bytesLeft: number;
}

/** A run that the shard has given, and of which it does not know yet that it was taken. */
export interface GivenRun extends SlotRun {
  move: string;
  /** the version of the slots at the other shard */
  version: number;
  to: number;
}

/** A run of which the shard has pieces. */
export interface ImportedRun extends SlotRun {
  move: string;
  version: number;
  from: number;
  /** the number of the last piece that has come */
  pieces: number;
  complete: boolean;
}

export class Shard {
  constructor(options: ShardOptions);
  /**
   * Replays a piece of this shard's log: whole entries, as `takeLog` returned them, in order. To be called for all pieces before any
   * other call except `restoreCheckpoint`. After a checkpoint, entries up to its position are skipped. Throws if the bytes are damaged,
   * leave a gap or belong to another shard; the shard is then unusable.
   */
  restore(entries: Uint8Array): void;
  /**
   * Restores a piece of the checkpoint, before `restore`: the pairs that checkpoints have put and not removed, in order of keys. Throws as
   * `restore` does.
   */
  restoreCheckpoint(pairs: Uint8Array): void;
  /**
   * The log has been read completely: attempts that had voted hold their locks again, and this start is logged. To be called even if the
   * log is empty. `incarnation`: of this start, if ShardOptions.incarnation is 0. Throws as `restore` does.
   */
  restored(wallMs: number, monotonicMs: number, incarnation?: number): void;
  /** The log entries appended since the last call, complete and in order (docs/wire-format.md, "The log"); null if there are none. */
  takeLog(): Uint8Array | null;
  /** The position of the last entry appended, counted over all starts; 0 before the first. */
  logPosition(): number;
  /** Begins a checkpoint of everything up to the last entry appended. Throws without a log, and while a checkpoint is in progress. */
  beginCheckpoint(): void;
  /**
   * The checkpoint's next pairs (docs/wire-format.md, "Checkpoints"): about `bytesMax` bytes, in a short time. `pairs` may be empty: call
   * again in a later turn. They may contain effects of any entry that `takeLog` has returned, which must therefore be stored before them;
   * `pairs` is empty while there are entries that `takeLog` has not returned. `position` is 0 until the last piece. Once that piece and all
   * earlier ones are durable, a restart needs no entry up to `position`.
   */
  takeCheckpoint(bytesMax: number): { pairs: Uint8Array; position: number };
  /** Every entry up to `position` is durable. Returns the peers that now have output. */
  durable(position: number, wallMs: number, monotonicMs: number): number[];
  /**
   * Prepares a consistent cut across all shards (docs/decisions/0018-backup.md): until the cut is passed or called off, this shard forgets
   * no commit over several shards, and lists no members of epochs. Returns the time that its clock has reached. Every shard is prepared
   * before any learns the cut's time, and again before each try. Null: not now, try again. Throws without a log.
   */
  prepareCut(): bigint | null;
  /**
   * Sets the timestamp of the cut, which lies ahead: entries up to some position will not be above it, and all later ones will. False: the
   * clock has passed `at` already; prepare all shards again, and try a later time. Throws if the cut is not prepared.
   */
  setCut(at: bigint): boolean;
  /** Makes the clock pass the cut, unless it has already. Returns the position of the cut. Throws if none is set. */
  cut(): number;
  /** Calls the cut off. May be called at any time. */
  callOffCut(): void;
  /**
   * ---- Runs of slots that move to another shard, or from one (docs/decisions/0033-slots-that-move.md). A shard gives one run at a time, and
   * takes one at a time. Call `process` after each of these. `move`: an id of 1 to 64 bytes that no other move has.
   *
   * Begins to copy a run that the shard owns, and goes on serving it.
   */
  beginGive(move: string, slots: SlotRun, to: number): MoveRefusal | null;
  /** The next piece, of about `bytesMax` bytes, in a short time. The pieces go to the other shard in order. */
  takeGive(bytesMax: number): GivePiece | MoveRefusal;
  /**
   * From now on requests wait that would hold a record of the run or change it. Attempts that hold one finish, or are wounded after
   * `woundAfterMs`. Pieces are taken meanwhile.
   */
  drainGive(woundAfterMs: number, wallMs: number, monotonicMs: number): MoveRefusal | null;
  /** Nobody holds a record of the run any more. */
  isDrained(): boolean;
  /** What has waited for the drain goes on, and so does the copy. */
  callOffDrain(wallMs: number, monotonicMs: number): MoveRefusal | null;
  /** As if the run had never been copied. Until `give`. */
  callOffGive(wallMs: number, monotonicMs: number): MoveRefusal | null;
  /** Logs that the run is the other shard's, once that has made all pieces durable. What has waited is refused with `wrong_shard`. */
  give(wallMs: number, monotonicMs: number): MoveRefusal | null;
  /** For `takeOver`, once it is durable that the run was given; null before, and for a move that is not among those of `moves`. */
  given(move: string): bigint | null;
  /** The other shard has taken the run: this one forgets the move. */
  settleGive(move: string): MoveRefusal | null;
  /**
   * Stages a piece; nobody sees it yet. It is durable with the entry that `logPosition` names afterwards. A piece that holds something else than
   * records of its run ends the import (`invalid_move`).
   */
  importPiece(move: string, from: number, bytes: Uint8Array, wallMs: number, monotonicMs: number): MoveRefusal | null;
  /**
   * Takes the run over; `at` is what `given` has returned. The shard owns it once that is durable (`hasTaken`). unknown_move, for a move that the
   * other shard has given: this one has taken it before.
   */
  takeOver(move: string, at: bigint, wallMs: number, monotonicMs: number): MoveRefusal | null;
  /** The move is the last one that this shard has taken, and that is durable. */
  hasTaken(move: string): boolean;
  /** The pieces are void: the other shard has not given the run, and will not. */
  dropImport(move: string, wallMs: number, monotonicMs: number): MoveRefusal | null;
  /** The slots that the shard owns. Of two shards that own a slot, the one with the greater version is right. */
  slots(): (SlotRun & { version: number })[];
  /** The moves that are not settled, also those from before this start. */
  moves(): { given: GivenRun | null; imported: ImportedRun | null };
  /** The number of shards in the cluster, if it has grown: transactions may name that many. */
  setShards(count: number): void;
  /** A peer's stream has opened. The caller numbers the peers, and never reuses a number. */
  connect(peer: number, wallMs: number, monotonicMs: number): void;
  /** The peer's stream has closed: its session is lost. */
  disconnect(peer: number, wallMs: number, monotonicMs: number): void;
  /**
   * Processes frames (frames[i] is from peers[i], in order of arrival), runs the work that is due, and returns the peers that have output.
   * To be called without frames when `nextDeadlineMs` has come.
   */
  process(peers: number[], frames: Uint8Array[], wallMs: number, monotonicMs: number): number[];
  /** The peer's next frame; null if there is none. */
  drain(peer: number): Uint8Array | null;
  /** True if the peer's session has ended and its `closing` frame has been drained: the stream is to be closed. */
  closed(peer: number): boolean;
  /** The monotonic time at which `process` is to be called; Infinity if nothing is due. */
  nextDeadlineMs(): number;
  /**
   * The shards to which this shard needs a stream, to settle the transactions of a dead client: open a Session to each, `connect` it under
   * a new peer number, and bind it with `bindShard`. Usually empty.
   */
  wantedShards(): number[];
  /** The stream of `peer` leads to that shard. */
  bindShard(peer: number, shard: number): void;
  /**
   * ---- The Redis door. A Redis client is a peer whose bytes go in by `process`, in chunks as they come, and come out by `drain`; `closed` and
   * `disconnect` are as for any peer.
   *
   * Opens the door: Redis clients may be connected from now on. `password`: what AUTH has to say; '' needs none. `redirect`: commands on keys
   * of other shards are answered with MOVED, and not forwarded. `spreads`: `wantedSpreads` is asked; otherwise commands on several shards are
   * refused.
   */
  openDoor(options: { password: string; redirect: boolean; spreads: boolean }): void;
  /** A Redis client's socket has opened. The addresses are "host:port". REQUIRES: the door is open. */
  connectResp(peer: number, address: string, localAddress: string, wallMs: number, monotonicMs: number): void;
  /** Whether bytes of the Redis client are to be read now: not while too much of what it has sent, or of what it gets, waits. */
  wantsInput(peer: number): boolean;
  /** Who serves which slots, and where its door is. `own`: the place of this shard in `nodes`. To be called again whenever that changes. */
  setRespNodes(nodes: RespNode[], own: number): void;
  /**
   * The links to other doors that clients' commands need, each once: bind each with `connectLink` under a new peer number, and connect a socket.
   * Usually empty.
   */
  wantedLinks(): WantedLink[];
  /**
   * The peer is the stream to another door that was wanted. It may be written to at once, before the socket is connected; `disconnect` tells
   * that it has ended, or has never come about.
   */
  connectLink(peer: number, link: number, wallMs: number, monotonicMs: number): void;
  /** Commands on several shards, each once: each is to be run as a transaction. Usually empty. */
  wantedSpreads(): number[];
  /** An attempt of that transaction begins. */
  restartSpread(spread: number): void;
  /**
   * The operations to be executed next, in order. None: the transaction is to be committed. Undefined: it is to be aborted, since the client has
   * left, or the commands are none that can be run so. `results`: of the operations of the step before, null for none.
   */
  stepSpread(spread: number, results?: unknown[]): WantedOperation[] | undefined;
  /** The transaction has ended. `error`: the client gets it; '': it has committed. `isUnknown`: nobody knows whether it has. */
  endSpread(spread: number, error: string, isUnknown: boolean, wallMs: number, monotonicMs: number): void;
  conditions(): Conditions;
  setConditions(conditions: Conditions, wallMs: number, monotonicMs: number): void;
  /** An installed type is to be as this one, another version once the attempts that run have ended. Returns why not. Call `process` afterwards. */
  changeType(type: InstalledType, wallMs: number, monotonicMs: number): string | undefined;
  /** `done`: all changes that were requested have been made, and are durable. */
  installedTypes(): { types: InstalledType[]; done: boolean };
  /** as the function `catalogue`, with the installed types that are not retired */
  catalogue(): string;
  /**
   * Nothing can be made durable for now; null: it can again. Operations that would be logged, or would see changes that are not durable, are
   * refused with the code `why`; other reads go on. Sessions with output that waits for the log are closed. Call `process` afterwards.
   */
  refuseChanges(why: 'disk_full' | 'log_unavailable' | null, wallMs: number, monotonicMs: number): void;
  /**
   * The shards whose clocks are too far from this one's: an attempt over this shard and one of them is refused with `clock_skew` when it
   * requests its vote. Attempts that have voted are not affected.
   */
  setSkewed(shards: number[]): void;
  /** The warranties that stand on the record, the oldest first. Changes nothing. */
  listWarranties(key: string, wallMs: number, monotonicMs: number): ListedWarranty[];
  /** Asks for all grants of all warranties of the record, as a change would that violates them. Call `process` afterwards. */
  recallWarranties(key: string, wallMs: number, monotonicMs: number): void;
  counters(): Counters;
  /** Starts or stops the collection of telemetry. */
  observe(on: boolean, wallMs: number, monotonicMs: number): void;
  /** The telemetry since the last call as JSON text (client/telemetry/shard.ts); null while the shard is not observed. Changes nothing else. */
  takeTelemetry(wallMs: number, monotonicMs: number): string | null;
}

/** All data types as JSON text; server-core/src/adt/registry.h describes its shape. */
export function catalogue(): string;
/** The slot of a key: CRC16 of the key, or of its {tag}, modulo 16,384. */
export function slotOf(key: string): number;

/**
 * Returns memory that is free within this process to the system, on another thread. Calls may be delayed by some milliseconds meanwhile, so
 * call it when the shard is idle.
 */
export function releaseMemory(): Promise<void>;
