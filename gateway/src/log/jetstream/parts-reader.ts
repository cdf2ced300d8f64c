// PartsReader: takes the messages of the checkpoint stream one after the other, verifies them, and gives the pairs in them, call by call of
// `keep` and `seal`. The last pairs of a checkpoint that was never sealed are left out: they count with the seal or not at all.
import { decodeCheckpointStart } from './bodies.ts';
import { Chain, damagedAt } from './chain.ts';
import type { StoredMessage } from './chain.ts';
import type { Tail, Writer } from './frames.ts';
import type { StreamNames } from './names.ts';

const concat = (pieces: readonly Uint8Array[]): Uint8Array => (pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces));

export class PartsReader {
  readonly #names: StreamNames['checkpoint'];
  readonly #chain: Chain;
  /** the pairs of a call that ends in a later message */
  #begun: Uint8Array[] = [];
  /** last pairs, of which the next message says whether they were sealed */
  #unsure: { pairs: Uint8Array; sequence: number } | undefined;

  constructor(names: StreamNames['checkpoint'], own: Pick<Writer, 'shard' | 'shards'>, from: Tail) {
    this.#names = names;
    this.#chain = new Chain(names.stream, own, from);
  }

  /** the last message taken */
  get tail(): Tail {
    return this.#chain.tail;
  }

  /** The pairs to apply, in order. Throws LogDamaged. */
  take(message: StoredMessage): Uint8Array[] {
    const frame = this.#chain.next(message);
    if (frame === undefined) return [];
    const { entries: body, first, last } = frame;
    const { part, last: end, start, stream } = this.#names;
    if (message.subject === start) return this.#begin(message, body);
    if (message.subject !== part && message.subject !== end)
      throw damagedAt(stream, message.sequence, `a message of the subject ${message.subject}`);
    const ready = this.#settle(true);
    this.#begun.push(body);
    if (last < first) return ready;
    const pairs = concat(this.#begun);
    this.#begun = [];
    if (message.subject === part) return [...ready, pairs];
    this.#unsure = { pairs, sequence: message.sequence };
    return ready;
  }

  /** The last message taken holds last pairs that were sealed, as is known otherwise. Gives them. */
  sealed(): Uint8Array[] {
    return this.#settle(true);
  }

  #begin(message: StoredMessage, body: Uint8Array): Uint8Array[] {
    const begun = decodeCheckpointStart(body);
    if (begun === undefined) throw damagedAt(this.#names.stream, message.sequence, 'a start that cannot be read');
    this.#begun = []; // what an earlier start did not complete was not acknowledged
    return this.#settle((this.#unsure?.sequence ?? 0) <= begun.sealed);
  }

  /** The next checkpoint begins only after the seal, so pairs that follow show that it was written. */
  #settle(isSealed: boolean): Uint8Array[] {
    const { pairs } = this.#unsure ?? {};
    this.#unsure = undefined;
    return isSealed && pairs !== undefined ? [pairs] : [];
  }
}
