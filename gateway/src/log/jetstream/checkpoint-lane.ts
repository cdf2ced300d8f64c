// CheckpointLane: what is written to the checkpoint stream, one call after the other. Pairs are appended behind the entries that they
// depend on. A seal waits for all pairs, then for its last ones, and is written to the log stream.
//
// Each checkpoint holds what has changed since the one before, so old messages stay needed. When there are many more than live pairs, the
// lane writes the live pairs again, as a new base, and everything before it is removed. An unfinished base does no harm: its pairs are
// those that hold already.
import type { LogFailure } from '../log.ts';
import type { Changes } from './changes.ts';
import type { FencedStream } from './fenced-stream.ts';
import { cutPairs } from './frames.ts';
import type { Tail } from './frames.ts';
import type { Mirror, MirrorSnapshot } from './mirror.ts';
import type { StreamNames } from './names.ts';

/** A new base is not worth its while before so many bytes, nor before this multiple of the last base's. */
const REBASE_BYTES_LEAST = 64 << 20;
const REBASE_FACTOR = 2;

export type LaneItem =
  | { kind: 'pairs'; bytes: Uint8Array; after: number; done: () => void }
  | { kind: 'seal'; bytes: Uint8Array; after: number; position: number; done: () => void }
  | { kind: 'snapshot'; after: number; resolve: (snapshot: MirrorSnapshot) => void; reject: (why: Error) => void };

/** Where the checkpoint's pairs are in their stream. */
export interface Sealed {
  position: number;
  /** behind which they begin */
  base: Tail;
  /** bytes that the base had when it was written */
  baseBytes: number;
  /** the last of them */
  part: Tail;
}

export interface CheckpointLaneOptions {
  names: StreamNames['checkpoint'];
  parts: FencedStream;
  mirror: Mirror;
  changes: Changes;
  base: Tail;
  /** bytes of the messages of that base, and of those after it */
  baseBytes: number;
  laterBytes: number;
  /** for tests: REBASE_BYTES_LEAST */
  rebaseBytesLeast?: number | undefined;
  /** the last entry that is durable */
  safePosition(): number;
  /** Writes a seal to the log stream. */
  writeSeal(sealed: Sealed, written: () => void): void;
  /** a seal is durable; `isBase`: messages up to the base are not needed */
  onSealed(sealed: Sealed): void;
  onFailed(code: LogFailure, message: string): void;
}

export class CheckpointLane {
  readonly #options: CheckpointLaneOptions;
  #items: LaneItem[] = [];
  #work: Promise<void> | undefined;
  #base: Tail;
  #baseBytes: number;
  #laterBytes: number;
  /** pairs that are given to the stream and not applied to the mirror yet */
  #outstanding = 0;
  #applied: Promise<void> = Promise.resolve();
  #closing = false;
  #stopped: Error | undefined;

  constructor(options: CheckpointLaneOptions) {
    this.#options = options;
    this.#base = options.base;
    this.#baseBytes = options.baseBytes;
    this.#laterBytes = options.laterBytes;
  }

  get isIdle(): boolean {
    return this.#work === undefined && this.#outstanding === 0;
  }

  give(item: LaneItem): void {
    this.#items.push(item);
    this.#work ??= this.#run().finally(() => {
      this.#work = undefined;
      this.#options.changes.happened();
    });
  }

  /** A base that is being written is left unfinished. */
  close(): void {
    this.#closing = true;
  }

  /** What waits is never done. */
  stop(why: Error): void {
    this.#closing = true;
    this.#stopped = why;
    for (const item of this.#items.splice(0)) if (item.kind === 'snapshot') item.reject(why);
  }

  /** Throws when the lane is stopped. */
  async #until(isMet: () => boolean): Promise<void> {
    await this.#options.changes.until(() => this.#stopped !== undefined || isMet());
    if (this.#stopped !== undefined) throw this.#stopped;
  }

  async #run(): Promise<void> {
    for (let item = this.#items.shift(); item !== undefined; item = this.#items.shift()) {
      try {
        await this.#do(item);
      } catch (error) {
        if (item.kind === 'snapshot') item.reject(error as Error);
        if (error !== this.#stopped) this.#failed(error as Error);
        return;
      }
    }
  }

  async #do(item: LaneItem): Promise<void> {
    const { safePosition, mirror, names } = this.#options;
    await this.#until(() => safePosition() >= item.after);
    if (item.kind === 'pairs') return this.#append(names.part, item.bytes, this.#applying(item.bytes, item.done));
    await this.#until(() => this.#outstanding === 0);
    if (item.kind === 'seal') await this.#seal(item);
    else item.resolve(mirror.snapshot());
  }

  #failed({ message }: Error): void {
    this.#options.onFailed('write_failed', `the copy of the checkpoint on this machine's disk cannot be written (${message})`);
  }

  /** Appends one call's pairs, as there is room. `done` is called when they are durable. */
  async #append(subject: string, pairs: Uint8Array, done: () => void): Promise<void> {
    const { parts } = this.#options;
    const number = parts.tail.last + 1;
    for (const piece of cutPairs(pairs, number)) {
      await this.#until(() => parts.hasRoom);
      parts.append(subject, piece, piece.last === number ? done : () => {});
    }
    this.#laterBytes += pairs.length;
  }

  /** The callback that applies durable pairs to the mirror, in order. */
  #applying(pairs: Uint8Array, done: () => void): () => void {
    this.#outstanding++;
    return () => {
      this.#applied = this.#applied
        .then(() => this.#options.mirror.apply(pairs))
        .then(
          () => {
            this.#outstanding--;
            done();
            this.#options.changes.happened();
          },
          (error: Error) => this.#failed(error),
        );
    };
  }

  async #seal({ bytes, position, done }: Extract<LaneItem, { kind: 'seal' }>): Promise<void> {
    const { parts, names, mirror } = this.#options;
    await this.#durably(names.last, bytes);
    const sealed = { position, base: this.#base, baseBytes: this.#baseBytes, part: parts.tail };
    await this.#writeSeal(sealed);
    await mirror.apply(bytes);
    this.#options.onSealed(sealed);
    done();
    if (this.#isRebaseDue()) await this.#rebase(position);
  }

  #durably(subject: string, pairs: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => void this.#append(subject, pairs, resolve).catch(reject));
  }

  #writeSeal(sealed: Sealed): Promise<void> {
    return new Promise((resolve) => this.#options.writeSeal(sealed, resolve));
  }

  #isRebaseDue(): boolean {
    const { rebaseBytesLeast = REBASE_BYTES_LEAST } = this.#options;
    return !this.#closing && this.#laterBytes > Math.max(rebaseBytesLeast, REBASE_FACTOR * this.#baseBytes);
  }

  async #rebase(position: number): Promise<void> {
    const { parts, mirror, names } = this.#options;
    const base = parts.tail;
    let bytes = 0;
    for await (const { checkpoint } of mirror.snapshot().read()) {
      if (this.#closing) return;
      await this.#append(names.part, checkpoint, () => {});
      bytes += checkpoint.length;
    }
    await this.#until(() => parts.inFlight === 0);
    this.#base = base;
    this.#baseBytes = bytes;
    this.#laterBytes = 0;
    const sealed = { position, base, baseBytes: bytes, part: parts.tail };
    await this.#writeSeal(sealed);
    this.#options.onSealed(sealed);
  }
}
