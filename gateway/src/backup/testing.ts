// What tests of backups share: a shard in memory, bytes in pieces, a folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeptPiece } from '../log/log.ts';
import { entries, put } from '../log/sample.ts';
import type { CutShard } from './shard-part.ts';

export async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

/** In pieces of so many bytes. */
export async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** A folder of one's own, gone after `remove`. */
export function temporaryFolder(): { path: string; remove: () => void; in: (name: string) => string } {
  const path = mkdtempSync(join(tmpdir(), 'claret-backup-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }), in: (name) => join(path, name) };
}

/** A shard that is nothing but what it keeps, and a clock that goes on by itself with each question. */
export class MemoryShard implements CutShard {
  readonly shard: number;
  readonly shards: number;
  readonly incarnation = 7;
  clusterName = 'memory';
  clock = 1_000n;
  position = 12;
  pieces: KeptPiece[];
  /** what has been asked of it, in order; several shards may write into one */
  told: string[];
  held = 0;
  /** that have not been let go */
  snapshots = 0;
  isPrepared = false;
  cutAt = 0n;
  /** called between a question and its answer */
  meanwhile: (what: string) => void | Promise<void> = () => {};

  constructor(shard: number, shards: number, told: string[] = []) {
    this.shard = shard;
    this.shards = shards;
    this.told = told;
    this.pieces = [
      { checkpoint: Buffer.concat([put(`a${shard}`, '1'), put(`b${shard}`, '2')]), records: 2 },
      { entries: entries(10, 11), count: 2 },
      { entries: entries(12, 12), count: 1 },
    ];
  }

  async checkpointAndHold(): Promise<() => void> {
    await this.tell('hold');
    this.held++;
    let held = true;
    return () => {
      if (held) this.held--;
      held = false;
    };
  }

  prepareCut(): bigint {
    void this.tell('prepare');
    this.isPrepared = true;
    this.cutAt = 0n;
    return (this.clock << 8n) | 0xffn;
  }

  setCut(at: bigint): boolean {
    void this.tell('set');
    if (!this.isPrepared) throw new Error('a cut that was not prepared');
    if (this.clock > at >> 8n) return false;
    this.cutAt = at >> 8n;
    return true;
  }

  cut(): number {
    void this.tell('cut');
    if (this.cutAt === 0n) throw new Error('a cut that has no time');
    this.clock = this.cutAt;
    this.isPrepared = false;
    return this.position;
  }

  callOffCut(): void {
    void this.tell('call off');
    this.isPrepared = false;
  }

  async durable(position: number): Promise<void> {
    await this.tell(`durable ${position}`);
  }

  snapshot(position: number): AsyncIterable<KeptPiece> {
    void this.tell(`snapshot ${position}`);
    this.snapshots++;
    const pieces = this.read();
    let letGo = () => {
      this.snapshots--;
      letGo = () => {};
    };
    const iterator: AsyncIterator<KeptPiece> = {
      next: async () => {
        const next = await pieces.next();
        if (next.done === true) letGo();
        return next;
      },
      return: async () => {
        letGo();
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

  private tell(what: string): void | Promise<void> {
    this.told.push(`${this.shard}: ${what}`);
    return this.meanwhile(what);
  }
}
