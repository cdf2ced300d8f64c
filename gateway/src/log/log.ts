// Log: where a shard's entries (docs/wire-format.md, "The log") and its checkpoint are kept. The shard host appends what the
// core hands out and tells the core when it is durable; the checkpointer keeps what the core gives it, after which older
// entries may go; a shard that starts is fed with what is kept. `LocalLog` keeps it on this machine's disk; another
// implementation (a replicated log) passes the same tests (testing.ts).
//
// A log keeps its order: what was given first is never durable later than what was given after it.

import type { LogPlace } from './lineage.ts';

export interface Log {
  /**
   * Keeps whole entries, the last of which is number `position`; the first follows the last of the call before. `durable` is
   * called once they and all before them would survive a crash; in order, and perhaps once for several appends. It is called
   * later, never within the call, but by a log that waits for nothing (durability `async`). The bytes are not touched again.
   */
  append(entries: Uint8Array, position: number, durable: (position: number) => void): void;
  /**
   * Pairs of a checkpoint under way (docs/wire-format.md, "Checkpoints"). `kept` is called, later, when they and all before them are
   * kept as durably as entries are: then more may be given.
   */
  keep(pairs: Uint8Array, kept: () => void): void;
  /**
   * The checkpoint's last pairs: with them, atomically, it counts, and entries up to `position` are no longer needed; they go in
   * the background. `sealed` is called, later, once this is durable.
   */
  seal(pairs: Uint8Array, position: number, sealed: () => void): void;
  /**
   * What is kept at the moment of the call, up to the entry `position`, as a start would find it: first the checkpoint, then the
   * entries. REQUIRES: that entry is durable; no checkpoint has begun after it. Stays what it is whatever is appended meanwhile;
   * to be read to its end or let go by `return`.
   */
  snapshot(position: number): AsyncIterable<KeptPiece>;
  /** Bytes of entries that a restart would replay. */
  readonly replayBytes: number;
  /** The last entry that no crash can take any more, of this machine either. */
  readonly safePosition: number;
  /** What was appended is written first. The log is not used again. */
  close(): Promise<void>;
}

/** What was kept: checkpoint pairs (puts only, in the order of their keys), then whole entries, in order. */
export type KeptPiece = { checkpoint: Uint8Array; records: number } | { entries: Uint8Array; count: number };

/** Why nothing becomes durable. `full`: it is tried again; `failed`: the log has stopped for good. */
export interface LogTrouble {
  kind: 'full' | 'failed';
  message: string;
}

export type LogDurability = 'sync' | 'async';

export interface LogOptions {
  /** the log's own folder; made where there is none */
  dir: string;
  /** A file outside that folder that says how far the log has come (log-end.ts); none: nobody says it. */
  endFile?: string;
  clusterName: string;
  shard: number;
  shards: number;
  /** of this start: named in every batch */
  incarnation: number;
  durability: LogDurability;
  /** null: it is over. After `failed` nothing is called durable again. */
  onTrouble(trouble: LogTrouble | null): void;
  /** For /metrics: a write was synced, which took `ms`; it held so many bytes of entries and pairs. */
  onWrite?(ms: number, bytes: number): void;
}

export interface OpenedLog {
  log: Log;
  /** no other log ever has it */
  id: string;
  /** Verified. To be read to its end before the first append. Throws LogDamaged. */
  kept: AsyncIterable<KeptPiece>;
  sizes: { checkpointBytes: number; entriesBytes: number };
  /** What a crash left half written behind the last entry, and is gone: for the operator's log. */
  cut: string | null;
  /** Once `kept` has been read: what is certain of this log, for those who hold the other half of its transactions. */
  place(): LogPlace;
  /** Likewise: whether this log has been there, so that nothing is missing that it told others of. */
  hasBeenAt(place: LogPlace): boolean;
}

/** The folder is not one to start on; the message says why and what to do. */
export class LogRefused extends Error {
  override name = 'LogRefused';
}

/** Something that had been durable cannot be read; the message names the place, and what to do. */
export class LogDamaged extends Error {
  override name = 'LogDamaged';
  readonly file: string;
  readonly offset: number;
  readonly what: string;

  constructor(file: string, offset: number, what: string) {
    super(`${file}, offset ${offset}: ${what}`);
    this.file = file;
    this.offset = offset;
    this.what = what;
  }
}
