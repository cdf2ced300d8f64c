// Fixtures for tests of backups: a shard in memory, a stream of buffers, a folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dealtRun } from '@claret/client';
import type { SlotRun } from '@claret/client';
import type { KeptPiece } from '../log/log.ts';
import { entries, put } from '../log/sample.ts';
import type { BackupSource } from './shard-backup.ts';

export async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

/** Splits `bytes` into buffers of `size` bytes. */
export async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** A new folder; `remove` deletes it. */
export function temporaryFolder(): { path: string; remove: () => void; in: (name: string) => string } {
  const path = mkdtempSync(join(tmpdir(), 'claret-backup-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }), in: (name) => join(path, name) };
}

/** A backup source with fixed contents and a clock that tests move. */
export class MemoryShard implements BackupSource {
  readonly shard: number;
  readonly dealtShards: number;
  readonly incarnation = 7;
  clusterName = 'memory';
  clock = 1_000n;
  position = 12;
  pieces: KeptPiece[];
  /** the calls in order, as "SHARD: CALL"; several shards may share one list */
  calls: string[];
  held = 0;
  /** snapshots that have not been released */
  snapshots = 0;
  isPrepared = false;
  ownSlots: SlotRun[];
  /** how often a run of slots is between two shards when a cut is to be prepared */
  moving = 0;
  cutAt = 0n;
  // It is all of its parts.
  readonly host = { durable: (position: number) => this.durable(position), cuts: this, moving: { slots: () => this.ownSlots } };
  readonly log = this;
  readonly checkpointer = this;
  /** called during each call, before it returns or resolves */
  meanwhile: (what: string) => void | Promise<void> = () => {};

  constructor(shard: number, shards: number, calls: string[] = []) {
    this.shard = shard;
    this.dealtShards = shards;
    this.ownSlots = [dealtRun(shard, shards)];
    this.calls = calls;
    this.pieces = [
      { checkpoint: Buffer.concat([put(`a${shard}`, '1'), put(`b${shard}`, '2')]), records: 2 },
      { entries: entries(10, 11), count: 2 },
      { entries: entries(12, 12), count: 1 },
    ];
  }

  async checkpoint(): Promise<void> {
    await this.record('hold');
  }

  async hold(): Promise<() => void> {
    this.held++;
    let held = true;
    return () => {
      if (held) this.held--;
      held = false;
    };
  }

  prepare(): bigint | null {
    void this.record('prepare');
    if (this.moving-- > 0) return null;
    this.isPrepared = true;
    this.cutAt = 0n;
    return (this.clock << 8n) | 0xffn;
  }

  set(at: bigint): boolean {
    void this.record('set');
    if (!this.isPrepared) throw new Error('a cut that was not prepared');
    if (this.clock > at >> 8n) return false;
    this.cutAt = at >> 8n;
    return true;
  }

  cut(): number {
    void this.record('cut');
    if (this.cutAt === 0n) throw new Error('a cut that has no time');
    this.clock = this.cutAt;
    this.isPrepared = false;
    return this.position;
  }

  callOff(): void {
    void this.record('call off');
    this.isPrepared = false;
  }

  async durable(position: number): Promise<void> {
    await this.record(`durable ${position}`);
  }

  snapshot(position: number): AsyncIterable<KeptPiece> {
    void this.record(`snapshot ${position}`);
    this.snapshots++;
    const pieces = this.read();
    let release = () => {
      this.snapshots--;
      release = () => {};
    };
    const iterator: AsyncIterator<KeptPiece> = {
      next: async () => {
        const next = await pieces.next();
        if (next.done === true) release();
        return next;
      },
      return: async () => {
        release();
        return pieces.return(undefined);
      },
    };
    return { [Symbol.asyncIterator]: () => iterator };
  }

  private async *read(): AsyncGenerator<KeptPiece, undefined> {
    for (const piece of this.pieces) {
      await this.meanwhile('piece');
      yield piece;
    }
  }

  private record(what: string): void | Promise<void> {
    this.calls.push(`${this.shard}: ${what}`);
    return this.meanwhile(what);
  }
}
