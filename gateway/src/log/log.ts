// Log: stores a shard's entries (docs/wire-format.md, "The log") and its checkpoint. The shard host appends the core's entries and tells
// the core when they are durable. The checkpointer stores the core's checkpoints, after which older entries can be removed. A starting
// shard reads the log's contents. `LocalLog` stores them on this machine's disk, `JetStreamLog` on several machines; both pass the same
// tests (testing.ts).
//
// A log preserves order: data becomes durable in the order in which it was given to the log.

import type { LogPoint } from './lineage.ts';

export interface Log {
  /**
   * Appends whole entries; `position` is that of the last one, and the first follows the last entry of the previous call. `durable` is
   * called when they and all earlier entries would survive a crash, in order, and possibly once for several appends. It is called after
   * `append` has returned, except under durability `async`, where it may be called within `append`. The caller must not change the bytes
   * afterwards.
   */
  append(entries: Uint8Array, position: number, durable: (position: number) => void): void;
  /**
   * Stores pairs of a running checkpoint (docs/wire-format.md, "Checkpoints"). `kept` is called, asynchronously, when they and everything
   * before them are durable; more pairs may be given then.
   */
  keep(pairs: Uint8Array, kept: () => void): void;
  /**
   * Stores the checkpoint's last pairs and, atomically with them, makes the checkpoint valid. Entries up to `position` are then no longer
   * needed, and are removed in the background. `sealed` is called, asynchronously, when this is durable.
   */
  seal(pairs: Uint8Array, position: number, sealed: () => void): void;
  /**
   * The log's contents at the moment of the call, up to the entry `position`, as a start would read them: first the checkpoint, then the
   * entries. Later writes do not change the snapshot. It must be read to its end or released by `return`. REQUIRES: that entry is durable,
   * and no checkpoint has begun after it.
   */
  snapshot(position: number): AsyncIterable<KeptPiece>;
  /** Bytes of entries that a restart would replay. */
  readonly replayBytes: number;
  /** The last entry that survives any crash, including one of the machine. */
  readonly safePosition: number;
  /** Entries that were appended and would be missing if the process ended now. */
  readonly unstored: number;
  /** Writes that have begun and are not durable yet, for /metrics. */
  readonly inFlight: number;
  /** Writes what was appended, then closes the log, which must not be used again. */
  close(): Promise<void>;
}

/** A piece of the log's contents: checkpoint pairs (puts only, in the order of their keys) come first, then whole entries, in order. */
export type KeptPiece = { checkpoint: Uint8Array; records: number } | { entries: Uint8Array; count: number };

/**
 * Why nothing becomes durable. `full`: the disk is full; `unavailable`: too few machines of a replicated log can be reached. The log tries
 * again in both cases. `failed`: it has stopped for good.
 */
export type LogTrouble = { kind: 'full' | 'unavailable'; message: string } | { kind: 'failed'; code: LogFailure; message: string };

/** The code with which a shard refuses changes meanwhile. */
export const REFUSALS = { full: 'disk_full', unavailable: 'log_unavailable' } as const;

/**
 * `write_failed`: the state of the disk is unknown; `another_writer`: another gateway has taken the log over, or something foreign writes
 * to it; `log_lost`: something acknowledged is missing.
 */
export type LogFailure = 'write_failed' | 'another_writer' | 'log_lost';

export type LogDurability = 'sync' | 'async';

/** The options that both kinds of log have. */
export interface CommonLogOptions {
  clusterName: string;
  shard: number;
  shards: number;
  /** the incarnation of this start, recorded in every segment */
  incarnation: number;
  /** null: the trouble is over. After `failed`, nothing is reported as durable. */
  onTrouble(trouble: LogTrouble | null): void;
  /** For /metrics: a write with `bytes` bytes of entries and pairs was synced, which took `ms`. */
  onWrite?(ms: number, bytes: number): void;
}

/** The options of a log on this machine's disk. */
export interface LogOptions extends CommonLogOptions {
  /** the log's folder; created if it does not exist */
  dir: string;
  /** the file outside that folder that records how far the log has come (log-end.ts); absent: it is not recorded */
  endFile?: string;
  durability: LogDurability;
}

export interface OpenedLog {
  log: Log;
  /** unique among all logs */
  id: string;
  /** the log's contents, verified while they are read; must be read to the end before the first append; throws LogDamaged */
  kept: AsyncIterable<KeptPiece>;
  sizes: { checkpointBytes: number; entriesBytes: number };
  /** a message for the operator if the torn write of a crash was cut off at the end */
  cut: string | null;
  /** The durable end of this log, for the other shards of its transactions. REQUIRES: `kept` has been read. */
  point(): LogPoint;
  /** False: entries are missing that this log had reported to others. REQUIRES: `kept` has been read. */
  hasBeenAt(point: LogPoint): boolean;
}

/** A start on this folder is refused; the message says why and what to do. */
export class LogRefused extends Error {
  override name = 'LogRefused';
}

/** Durable data cannot be read; the message says where, in which file or stream, and what to do. */
export class LogDamaged extends Error {
  override name = 'LogDamaged';
  readonly file: string;
  readonly offset: number;
  readonly what: string;

  /** `unit`: what `offset` counts in a file (offset) or in a stream (message) */
  constructor(file: string, offset: number, what: string, unit: 'offset' | 'message' = 'offset') {
    super(`${file}, ${unit} ${offset}: ${what}`);
    this.file = file;
    this.offset = offset;
    this.what = what;
  }
}
