// CutsHost: the part of a shard's host for checkpoints, and for cuts of the log over all shards (backup/): each step of the core, with its entries in
// the log. Cuts need a log.
import type { Shard } from '@claret/core';

export class CutsHost {
  private readonly shard: Shard;
  private readonly keepLog: () => void;

  /** `keepLog`: appends the entries of the step */
  constructor(shard: Shard, keepLog: () => void) {
    this.shard = shard;
    this.keepLog = keepLog;
  }

  /** Begins a checkpoint of everything appended so far (Shard.beginCheckpoint). REQUIRES: no checkpoint is running. */
  beginCheckpoint(): void {
    this.keepLog();
    this.shard.beginCheckpoint();
  }

  /** As Shard.takeCheckpoint; the entries on which the pairs depend are appended first. */
  takeCheckpoint(bytesMax: number): { pairs: Uint8Array; position: number } {
    this.keepLog();
    return this.shard.takeCheckpoint(bytesMax);
  }

  /**
   * Prepares a cut over all shards (Shard.prepareCut). Null: a run of slots is between two shards, or members of epochs are undecided, and the log
   * must not be cut now. Throws without a log.
   */
  prepare(): bigint | null {
    const reached = this.shard.prepareCut();
    this.keepLog();
    return reached;
  }

  /** As Shard.setCut; false: the clock is already past `at`. */
  set(at: bigint): boolean {
    const isSet = this.shard.setCut(at);
    this.keepLog();
    return isSet;
  }

  /** As Shard.cut: returns the position of the cut. */
  cut(): number {
    const position = this.shard.cut();
    this.keepLog();
    return position;
  }

  callOff(): void {
    this.shard.callOffCut();
    this.keepLog();
  }
}
