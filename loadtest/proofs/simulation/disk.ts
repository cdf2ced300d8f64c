// Disk: one shard's log and checkpoints, with the guarantees of a log on a disk: everything in order of arrival, writes that
// arrived together are written and synced together, and reported only then. A crash keeps a prefix of the unsynced data, cut
// anywhere: between two writes, two entries or two pairs of a checkpoint. The disk may be slow or full, and a sync may fail.
//
// It advances in steps: a crash at a particular moment is requested by a number of steps (`crashAfter`).
import type { Log, LogTrouble } from '@claret/gateway/log/log.ts';
import type { Chance } from '../../kit/random.ts';
import { KeptPairs, cutPairs } from './kept-pairs.ts';
import { cutEntries } from './log-reader.ts';
import type { SimulatedNode } from './node.ts';
import type { World } from './world.ts';

interface Entries {
  kind: 'entries';
  bytes: Uint8Array;
  /** of the last entry */
  position: number;
  told(position: number): void;
}

interface Pairs {
  kind: 'pairs';
  bytes: Uint8Array;
  /** 0: the checkpoint continues; otherwise it is complete, and entries up to this position are no longer needed */
  position: number;
  told(): void;
}

export type KeptPiece = { checkpoint: Uint8Array } | { entries: Uint8Array };
/** The part of a log that a shard's process needs. */
export type ShardLog = Pick<Log, 'append' | 'keep' | 'seal' | 'replayBytes'>;

const QUICK_MS: readonly [number, number] = [0.05, 0.5];
/** Delay after a write until obsolete data is removed. */
const TRIM_MS = 20;
const FULL_RETRY_MS = 5;
/** A start reads checkpoints in pieces of about this size. */
const PIECE_BYTES = [100, 2_000, 50_000];

export class Disk {
  /** duration of a write */
  writeMs = QUICK_MS;
  /** nothing can be written for now */
  full = false;
  /** the next sync fails */
  failing = false;
  readonly #world: World;
  readonly #chance: Chance;
  readonly #pairs = new KeptPairs();
  #entries: { bytes: Uint8Array; position: number }[] = [];
  /** every entry that has become durable, in order, including trimmed ones; since `takeAll` */
  #all: Uint8Array[] = [];
  /** entries up to this position are not needed */
  #sealed = 0;
  #writes: (Entries | Pairs)[] = [];
  #busy = false;
  #troubled = false;
  #stepsLeft = Infinity;
  #crash: () => void = () => {};

  constructor(world: World, chance: Chance) {
    this.#world = world;
    this.#chance = chance;
  }

  /** The log as seen by the process on `node`. */
  open(node: SimulatedNode, onTrouble: (trouble: LogTrouble | null) => void): ShardLog {
    const take = (write: Entries | Pairs) => {
      this.#world.note(`${node.name} writes ${write.kind} ${write.position}`, write.bytes);
      this.#writes.push(write);
      if (!this.#busy) this.#write(node, onTrouble);
    };
    const replayBytes = () => this.#replayBytes();
    return {
      append: (bytes, position, told) => take({ kind: 'entries', bytes, position, told }),
      keep: (bytes, told) => take({ kind: 'pairs', bytes, position: 0, told }),
      seal: (bytes, position, told) => take({ kind: 'pairs', bytes, position, told }),
      get replayBytes() {
        return replayBytes();
      },
    };
  }

  /** The data found by a start: first the pairs of checkpoints, in order of keys, then the needed entries. */
  read(): KeptPiece[] {
    const bytesMax = this.#chance.pick(PIECE_BYTES);
    const needed = this.#entries.filter(({ position }) => position > this.#sealed);
    return [...this.#pairs.pieces(bytesMax).map((checkpoint) => ({ checkpoint })), ...needed.map(({ bytes }) => ({ entries: bytes }))];
  }

  /** All entries that have become durable since the last call, in order. */
  takeAll(): Uint8Array[] {
    return this.#all.splice(0);
  }

  /** There are no pending writes. */
  get idle(): boolean {
    return this.#writes.length === 0;
  }

  /** Calls `crash` after this number of steps of any disk operation. */
  crashAfter(steps: number, crash: () => void): void {
    this.#stepsLeft = steps;
    this.#crash = crash;
  }

  /** Returns true if the process has died at this step. */
  step(): boolean {
    if (--this.#stepsLeft > 0) return false;
    this.#stepsLeft = Infinity;
    this.#crash();
    return true;
  }

  /** Removes all faults. */
  heal(): void {
    this.writeMs = QUICK_MS;
    this.full = this.failing = false;
    this.#stepsLeft = Infinity;
  }

  slow(writeMs: readonly [number, number], forMs: number): void {
    this.writeMs = writeMs;
    this.#world.after(forMs, () => void (this.writeMs = QUICK_MS));
  }

  /** The writing process has ended. */
  crash(): void {
    const reached = this.#writes.splice(0, this.#chance.below(this.#writes.length + 1));
    const torn = this.#writes[0];
    for (const write of reached) this.#apply(write);
    if (torn !== undefined) this.#tear(torn);
    this.#writes = [];
    this.#busy = false;
    this.#troubled = false;
    this.#stepsLeft = Infinity;
    this.failing = false;
  }

  #write(node: SimulatedNode, onTrouble: (trouble: LogTrouble | null) => void): void {
    this.#busy = true;
    const group = this.#writes.length;
    this.#world.after(
      this.#chance.between(...this.writeMs),
      () => {
        if (this.step()) return;
        if (this.failing) {
          onTrouble({ kind: 'failed', code: 'write_failed', message: 'the sync failed' });
          return;
        }
        if (this.full) {
          if (!this.#troubled) onTrouble({ kind: 'full', message: 'the disk is full' });
          this.#troubled = true;
          this.#world.after(FULL_RETRY_MS, () => this.#write(node, onTrouble), node);
          return;
        }
        if (this.#troubled) onTrouble(null);
        this.#troubled = this.#busy = false;
        const written = this.#writes.splice(0, group);
        for (const write of written) this.#apply(write);
        if (this.step()) return;
        tell(written);
        if (this.#writes.length > 0 && !this.#busy) this.#write(node, onTrouble);
      },
      node,
    );
  }

  #apply(write: Entries | Pairs): void {
    if (write.kind === 'entries') {
      this.#entries.push(write);
      this.#all.push(write.bytes);
      return;
    }
    this.#pairs.apply(write.bytes);
    if (write.position === 0) return;
    this.#sealed = write.position;
    this.#world.after(TRIM_MS, () => void (this.#entries = this.#entries.filter(({ position }) => position > this.#sealed)));
  }

  /** Part of the write has reached the disk; the last piece of a checkpoint counts completely or not at all. */
  #tear(write: Entries | Pairs): void {
    if (write.kind === 'entries') {
      const { bytes, count, dropped } = cutEntries(write.bytes, (all) => this.#chance.below(all));
      if (count > 0) this.#apply({ ...write, bytes, position: write.position - dropped });
    } else if (write.position === 0) {
      this.#apply({ ...write, bytes: cutPairs(write.bytes, (all) => this.#chance.below(all)) });
    }
  }

  #replayBytes(): number {
    const entries = [...this.#entries, ...this.#writes.filter((write) => write.kind === 'entries')];
    return entries.reduce((sum, { bytes, position }) => (position > this.#sealed ? sum + bytes.length : sum), 0);
  }
}

/** Reports one position for all entries, as a log that writes them together does. */
function tell(written: readonly (Entries | Pairs)[]): void {
  const last = written.findLast((write) => write.kind === 'entries');
  last?.told(last.position);
  for (const write of written) if (write.kind === 'pairs') write.told();
}
