// Disk: one shard's log and checkpoints, as a log on a disk keeps them: everything in the order in which it came, what came
// together written and synced together, and told only then. A crash keeps a part of what was not synced, from its
// beginning on, cut anywhere: between two writes, two entries or two pairs of a checkpoint. The disk may be slow or full, and
// a sync may fail.
//
// It steps: whoever wants a crash at a particular moment counts steps (`crashAfter`).
import type { Log, LogTrouble } from '@claret/gateway/log/log.ts';
import type { Chance } from '../../kit/random.ts';
import { KeptPairs, cutPairs } from './kept-pairs.ts';
import { cutEntries } from './log-reader.ts';
import type { SimulatedNode } from './node.ts';
import type { World } from './world.ts';

interface Entries {
  kind: 'entries';
  bytes: Uint8Array;
  /** of the last one */
  position: number;
  told(position: number): void;
}

interface Pairs {
  kind: 'pairs';
  bytes: Uint8Array;
  /** 0: the checkpoint goes on; else it is complete with these, and entries up to here are no longer needed */
  position: number;
  told(): void;
}

export type KeptPiece = { checkpoint: Uint8Array } | { entries: Uint8Array };
/** What a shard's process needs of a log. */
export type ShardLog = Pick<Log, 'append' | 'keep' | 'seal' | 'replayBytes'>;

const QUICK_MS: readonly [number, number] = [0.05, 0.5];
/** Behind a write: what it made superfluous goes. */
const TRIM_MS = 20;
const FULL_RETRY_MS = 5;
/** A start reads checkpoints in pieces of about so much. */
const PIECE_BYTES = [100, 2_000, 50_000];

export class Disk {
  /** how long a write takes */
  writeMs = QUICK_MS;
  /** nothing more can be written for now */
  full = false;
  /** the next sync fails */
  failing = false;
  readonly #world: World;
  readonly #chance: Chance;
  readonly #pairs = new KeptPairs();
  #entries: { bytes: Uint8Array; position: number }[] = [];
  /** every entry that was ever durable, in order, whatever has been trimmed; since `takeAll` */
  #all: Uint8Array[] = [];
  /** entries up to here are not needed */
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

  /** The log as the process on `node` sees it. */
  open(node: SimulatedNode, onTrouble: (trouble: LogTrouble | null) => void): ShardLog {
    const take = (write: Entries | Pairs) => {
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

  /** What a start finds: first what checkpoints have kept, in order of keys, then the entries that a start needs. */
  read(): KeptPiece[] {
    const bytesMax = this.#chance.pick(PIECE_BYTES);
    const needed = this.#entries.filter(({ position }) => position > this.#sealed);
    return [...this.#pairs.pieces(bytesMax).map((checkpoint) => ({ checkpoint })), ...needed.map(({ bytes }) => ({ entries: bytes }))];
  }

  /** All entries that have become durable since this was asked last, in order. */
  takeAll(): Uint8Array[] {
    return this.#all.splice(0);
  }

  /** Nothing waits to be written. */
  get idle(): boolean {
    return this.#writes.length === 0;
  }

  /** Calls `crash` after so many steps of whatever is done with the disk. */
  crashAfter(steps: number, crash: () => void): void {
    this.#stepsLeft = steps;
    this.#crash = crash;
  }

  /** True: the process has died of it. */
  step(): boolean {
    if (--this.#stepsLeft > 0) return false;
    this.#stepsLeft = Infinity;
    this.#crash();
    return true;
  }

  /** From now on it works. */
  heal(): void {
    this.writeMs = QUICK_MS;
    this.full = this.failing = false;
    this.#stepsLeft = Infinity;
  }

  slow(writeMs: readonly [number, number], forMs: number): void {
    this.writeMs = writeMs;
    this.#world.after(forMs, () => void (this.writeMs = QUICK_MS));
  }

  /** The process that wrote is gone. */
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
          onTrouble({ kind: 'failed', message: 'the sync failed' });
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

  /** A part of the write reached the disk; the last of a checkpoint's pieces counts as a whole or not at all. */
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

/** Positions once for all of them, as a log that writes them together does. */
function tell(written: readonly (Entries | Pairs)[]): void {
  const last = written.findLast((write) => write.kind === 'entries');
  last?.told(last.position);
  for (const write of written) if (write.kind === 'pairs') write.told();
}
