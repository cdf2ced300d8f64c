// Chain: verifies that the messages of a stream follow each other, from a place that is known: none is missing, repeated, foreign or
// changed. JetStream has open defects that lose or diverge (docs/operations.md); the chain finds what they leave. A message of an earlier start
// behind the first one of a later start is no link of the chain, and does not count: it arrived when its writer was shut out (fence.ts).
import { LogDamaged } from '../log.ts';
import { decodeSegment, segmentHash } from '../segment.ts';
import type { Segment } from '../segment.ts';
import type { Tail, Writer } from './frames.ts';

/** A message as it is stored. */
export interface StoredMessage {
  sequence: number;
  subject: string;
  payload: Uint8Array;
}

const ADVICE = 'nothing has been removed. What to do: docs/operations.md, "Failures of the replicated log"';

export const damagedAt = (stream: string, sequence: number, what: string): LogDamaged =>
  new LogDamaged(stream, sequence, `${what}: ${ADVICE}`, 'message');

export class Chain {
  readonly stream: string;
  readonly #own: Pick<Writer, 'shard' | 'shards'>;
  #tail: Tail;
  #incarnation = 0;

  /** `tail`: what the first message follows */
  constructor(stream: string, own: Pick<Writer, 'shard' | 'shards'>, tail: Tail) {
    this.stream = stream;
    this.#own = own;
    this.#tail = tail;
  }

  get tail(): Tail {
    return this.#tail;
  }

  /** The next message's frame; undefined: it does not count. Throws LogDamaged. */
  next({ sequence, payload }: StoredMessage): Segment | undefined {
    const { last } = this.#tail;
    const expected = this.#tail.sequence + 1;
    if (sequence > expected) throw damagedAt(this.stream, expected, `messages ${expected} to ${sequence - 1} are missing`);
    if (sequence < expected) throw damagedAt(this.stream, sequence, 'it came again');
    const frame = decodeSegment(payload);
    if (typeof frame === 'string') throw damagedAt(this.stream, sequence, frame);
    if (this.#isLeftOut(frame)) {
      this.#tail = { ...this.#tail, sequence };
      return undefined;
    }
    const wrong = this.#whatIsWrong(frame, last);
    if (wrong !== undefined) throw damagedAt(this.stream, sequence, wrong);
    this.#incarnation = frame.incarnation;
    this.#tail = { sequence, last: frame.last, hash: segmentHash(payload) };
    return frame;
  }

  /** Frames of the incarnation 0 fill places. */
  #isLeftOut({ shard, shards, incarnation }: Segment): boolean {
    return shard === this.#own.shard && shards === this.#own.shards && (incarnation === 0 || incarnation < this.#incarnation);
  }

  #whatIsWrong({ shard, shards, first, before }: Segment, last: number): string | undefined {
    if (shard !== this.#own.shard || shards !== this.#own.shards) return `it is of shard ${shard} of ${shards}`;
    if (Buffer.compare(before, this.#tail.hash) !== 0) return 'it does not follow the message before it';
    if (first !== last + 1) return `it begins with number ${first}, behind ${last}`;
    return undefined;
  }
}
