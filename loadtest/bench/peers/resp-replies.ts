// Reads replies in Redis' protocol, RESP2, from the bytes of a connection: only what `BareRedis` needs, and as fast as JavaScript can.

export type RespReply = string | number | null | Error | RespReply[];

const [SIMPLE, FAILURE, INTEGER, BULK, ARRAY] = [...'+-:$*'].map((sign) => sign.charCodeAt(0));
const CR = 13;
const [MINUS, ZERO] = [45, 48];

export class RespReplies {
  readonly #onReply: (reply: RespReply) => void;
  /** read up to `#at`; what follows is part of a reply */
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;

  /** @param onReply called for each whole reply, in order */
  constructor(onReply: (reply: RespReply) => void) {
    this.#onReply = onReply;
  }

  /** Throws for bytes that are no reply. */
  feed(bytes: Buffer): void {
    this.#bytes = this.#at === this.#bytes.length ? bytes : Buffer.concat([this.#bytes.subarray(this.#at), bytes]);
    this.#at = 0;
    for (;;) {
      const from = this.#at;
      const reply = this.#read();
      if (reply === undefined) {
        this.#at = from;
        return;
      }
      this.#onReply(reply);
    }
  }

  /** undefined: its end has not arrived */
  #read(): RespReply | undefined {
    const bytes = this.#bytes;
    if (this.#at === bytes.length) return undefined;
    const kind = bytes[this.#at]!;
    const from = this.#at + 1;
    const end = bytes.indexOf(CR, from);
    if (end === -1 || end + 1 >= bytes.length) return undefined;
    this.#at = end + 2;
    if (kind === SIMPLE) return bytes.toString('latin1', from, end);
    if (kind === INTEGER) return this.#integer(from, end);
    if (kind === BULK) return this.#bulk(this.#integer(from, end));
    if (kind === ARRAY) return this.#array(this.#integer(from, end));
    if (kind === FAILURE) return new Error(bytes.toString('latin1', from, end));
    throw new Error(`Redis sent a reply that begins with byte ${kind}`);
  }

  #integer(from: number, end: number): number {
    const bytes = this.#bytes;
    const negative = bytes[from] === MINUS;
    let value = 0;
    for (let at = negative ? from + 1 : from; at < end; at++) value = 10 * value + bytes[at]! - ZERO;
    return negative ? -value : value;
  }

  #bulk(length: number): string | null | undefined {
    if (length < 0) return null;
    const from = this.#at;
    if (from + length + 2 > this.#bytes.length) return undefined;
    this.#at = from + length + 2;
    return this.#bytes.toString('utf8', from, from + length);
  }

  #array(length: number): RespReply[] | null | undefined {
    if (length < 0) return null;
    const replies: RespReply[] = [];
    for (let i = 0; i < length; i++) {
      const reply = this.#read();
      if (reply === undefined) return undefined;
      replies.push(reply);
    }
    return replies;
  }
}
