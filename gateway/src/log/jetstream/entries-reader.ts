// EntriesReader: takes the messages of the log stream one after the other, verifies them, and gives the entries in them. It serves starts,
// snapshots, and readers that follow the stream.
import type { KeptPiece } from '../log.ts';
import { endOfEntries, entriesWithin } from '../segment.ts';
import { decodeSeal } from './bodies.ts';
import type { SealBody } from './bodies.ts';
import { Chain, damagedAt } from './chain.ts';
import type { StoredMessage } from './chain.ts';
import type { Tail, Writer } from './frames.ts';
import type { StreamNames } from './names.ts';

export interface EntriesReaderOptions {
  names: StreamNames['log'];
  own: Pick<Writer, 'shard' | 'shards'>;
  /** the place behind which the first message is */
  from: Tail;
  /** entries after this one are given */
  position: number;
  /** entries up to this one are given */
  upTo: number;
}

export class EntriesReader {
  readonly #options: EntriesReaderOptions;
  readonly #chain: Chain;
  /** the begin of an entry that ends in a later message */
  #begun: Uint8Array[] = [];
  /** the newest seal that was read */
  seal: SealBody | undefined;

  constructor(options: EntriesReaderOptions) {
    this.#options = options;
    this.#chain = new Chain(options.names.stream, options.own, options.from);
  }

  /** the last message taken */
  get tail(): Tail {
    return this.#chain.tail;
  }

  /** No entry has begun that ends in a later message. */
  get isBetweenEntries(): boolean {
    return this.#begun.length === 0;
  }

  /** The entries that end in this message; undefined if none do. Throws LogDamaged. */
  take(message: StoredMessage): Extract<KeptPiece, { entries: Uint8Array }> | undefined {
    const { names } = this.#options;
    const frame = this.#chain.next(message);
    if (frame === undefined) return undefined;
    const { entries: body, first, last } = frame;
    switch (message.subject) {
      case names.entries:
        this.#begun.push(body);
        return last < first ? undefined : this.#ended(message, first, last);
      case names.start:
        this.#begun = []; // what an earlier start did not complete was not acknowledged
        return undefined;
      case names.seal:
        this.seal = decodeSeal(body) ?? this.#damaged(message, 'a seal of a checkpoint that cannot be read');
        return undefined;
      default:
        return this.#damaged(message, `a message of the subject ${message.subject}`);
    }
  }

  #ended(message: StoredMessage, first: number, last: number) {
    const bytes = this.#begun.length === 1 ? this.#begun[0]! : Buffer.concat(this.#begun);
    const end = endOfEntries(bytes, last - first + 1);
    if (end === undefined) return this.#damaged(message, 'entries that contradict their positions');
    this.#begun = end < bytes.length ? [bytes.subarray(end)] : [];
    const { position, upTo } = this.#options;
    const wanted = entriesWithin({ entries: bytes.subarray(0, end), first, last }, position, upTo);
    if (wanted === undefined) return this.#damaged(message, 'entries that contradict their positions');
    return wanted.count > 0 ? wanted : undefined;
  }

  #damaged({ sequence }: StoredMessage, what: string): never {
    throw damagedAt(this.#options.names.stream, sequence, what);
  }
}
