// Reading: reads a shard's two streams from its newest sealed checkpoint on: first the pairs of the checkpoint stream, which go into a
// mirror, then the entries of the log stream behind them. A start reads up to its own first messages; a standby follows both streams as
// they grow, and reads up to its own first messages when it takes the shard over.
import type { KeptPiece } from '../log.ts';
import type { SealBody } from './bodies.ts';
import { damagedAt } from './chain.ts';
import type { Nats } from './connection.ts';
import { EntriesReader } from './entries-reader.ts';
import type { Tail, Writer } from './frames.ts';
import type { Mirror } from './mirror.ts';
import type { StreamNames } from './names.ts';
import { PartsReader } from './parts-reader.ts';
import { readMessages } from './read-messages.ts';
import { placeOf } from './start.ts';

export interface ReadingOptions {
  nats: Nats;
  names: StreamNames;
  own: Pick<Writer, 'shard' | 'shards'>;
  createMirror(): Promise<Mirror>;
  /** the newest sealed checkpoint; undefined: none */
  seal: SealBody | undefined;
}

/** Entries that were read, for the log that continues here. */
export interface Counted {
  /** of the last of them */
  position: number;
  bytes: number;
  /** the place behind them; undefined: an entry has begun there that ends later */
  place: Tail | undefined;
}

type EntriesPiece = Extract<KeptPiece, { entries: Uint8Array }>;

export class Reading {
  readonly mirror: Mirror;
  readonly #options: ReadingOptions;
  readonly #parts: PartsReader;
  readonly #entries: EntriesReader;
  #position: number;
  #counted: Counted[] = [];

  private constructor(options: ReadingOptions, mirror: Mirror) {
    const { names, own, seal } = options;
    this.#options = options;
    this.mirror = mirror;
    this.#position = seal?.position ?? 0;
    this.#parts = new PartsReader(names.checkpoint, own, placeOf(names.checkpoint.stream, seal?.base));
    const from = placeOf(names.log.stream, seal?.from);
    this.#entries = new EntriesReader({ names: names.log, own, from, position: this.#position, upTo: Infinity });
  }

  static async begin(options: ReadingOptions): Promise<Reading> {
    const mirror = await options.createMirror();
    try {
      return new Reading(options, mirror);
    } catch (error) {
      await mirror.close();
      throw error;
    }
  }

  /** The last entry that was read. */
  get position(): number {
    return this.#position;
  }

  /** The newest sealed checkpoint that was read of. */
  get seal(): SealBody | undefined {
    return this.#entries.seal ?? this.#options.seal;
  }

  /** What was read behind the newest sealed checkpoint. */
  get counted(): readonly Counted[] {
    return this.#counted;
  }

  /**
   * Applies the pairs up to that message of the checkpoint stream; Infinity: until `stopped`. At least up to the newest sealed checkpoint: a
   * leader that was cut off may tell of an earlier end. Throws LogDamaged.
   */
  async readParts(upTo: number, stopped?: AbortSignal): Promise<void> {
    const { nats, names, seal } = this.#options;
    const end = Math.max(upTo, seal?.part ?? 0);
    for await (const message of readMessages(nats, names.checkpoint.stream, this.#parts.tail.sequence, end, stopped)) {
      for (const pairs of this.#parts.take(message)) await this.mirror.apply(pairs);
      if (message.sequence !== seal?.part) continue;
      if (Buffer.from(this.#parts.tail.hash).toString('hex') !== seal.hash)
        throw damagedAt(names.checkpoint.stream, message.sequence, 'it is another message than the one that was sealed');
      for (const pairs of this.#parts.sealed()) await this.mirror.apply(pairs);
    }
  }

  /** The checkpoint's pairs as far as they were read, in the order of their keys. */
  checkpoint(): AsyncGenerator<KeptPiece> {
    return this.mirror.snapshot().read();
  }

  /** The entries up to that message of the log stream; Infinity: until `stopped`. Continues where the call before ended. Throws LogDamaged. */
  async *readEntries(upTo: number, stopped?: AbortSignal): AsyncGenerator<EntriesPiece> {
    const { nats, names } = this.#options;
    const reader = this.#entries;
    for await (const message of readMessages(nats, names.log.stream, reader.tail.sequence, upTo, stopped)) {
      const before = reader.seal;
      const piece = reader.take(message);
      if (reader.seal !== before) this.#forgetCounted(reader.seal!.position);
      if (piece === undefined) continue;
      this.#position += piece.count;
      const place = reader.isBetweenEntries ? reader.tail : undefined;
      this.#counted.push({ position: this.#position, bytes: piece.entries.length, place });
      yield piece;
    }
  }

  #forgetCounted(upTo: number): void {
    this.#counted = this.#counted.filter(({ position }) => position > upTo);
  }

  /** Everything up to these messages was read. */
  hasReached({ log, parts }: { log: Tail; parts: Tail }): boolean {
    return this.#entries.tail.sequence >= log.sequence && this.#parts.tail.sequence >= parts.sequence;
  }

  /** Throws LogDamaged unless both streams were read exactly up to these messages. */
  checkEnds(ends: { log: Tail; parts: Tail }): void {
    const { names } = this.#options;
    checkEnd(names.log.stream, this.#entries.tail, ends.log);
    checkEnd(names.checkpoint.stream, this.#parts.tail, ends.parts);
  }
}

function checkEnd(stream: string, found: Tail, own: Tail): void {
  if (found.sequence === own.sequence && Buffer.compare(found.hash, own.hash) === 0) return;
  throw damagedAt(stream, own.sequence, "it is not this start's own message");
}
