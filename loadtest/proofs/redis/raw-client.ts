// RawClient: one connection to a Redis server that answers with the bytes of each reply as they came. And what can be told of such bytes without
// knowing the command: where a reply ends, and what it is made of.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const LINE_END = '\r\n';
/** A bulk string of any kind has its length in its first line, and its bytes behind it. */
const BULKS = '$=!';
const AGGREGATES = '*~>';
/** Of pairs. Attributes are not a reply of their own: they stand before the one that they are about. */
const MAPS = '%|';
const ATTRIBUTE = '|';
const NOTHING = -1;

/** A reply, or a part of one. */
export interface Reply {
  /** the first byte of its first line */
  kind: string;
  /** the rest of that line: a text, or a length */
  line: string;
  /** of a bulk string; of others it is empty */
  bytes: string;
  /** of an aggregate; the keys and values of a map in turn */
  elements: Reply[];
  /** all of its bytes */
  raw: string;
}

/** Thrown by `take` at the end of the bytes. */
class Unfinished extends Error {}

/** Reads replies from bytes, each character of which is one byte. */
class Reader {
  readonly #bytes: string;
  position = 0;

  constructor(bytes: string) {
    this.#bytes = bytes;
  }

  take(): Reply {
    const begin = this.position;
    const first = this.#line();
    const [kind, line] = [first[0] ?? '', first.slice(1)];
    const reply: Reply = { kind, line, bytes: '', elements: [], raw: '' };
    const length = Number(line);
    if (BULKS.includes(kind) && length !== NOTHING) {
      reply.bytes = this.#skip(length);
      this.#skip(LINE_END.length);
    } else if (AGGREGATES.includes(kind) || MAPS.includes(kind)) {
      const count = length * (MAPS.includes(kind) ? 2 : 1);
      for (let i = 0; i < count; i++) reply.elements.push(this.take());
      if (kind === ATTRIBUTE) reply.elements.push(this.take());
    }
    reply.raw = this.#bytes.slice(begin, this.position);
    return reply;
  }

  #line(): string {
    const end = this.#bytes.indexOf(LINE_END, this.position);
    if (end < 0) throw new Unfinished();
    const line = this.#bytes.slice(this.position, end);
    this.position = end + LINE_END.length;
    return line;
  }

  #skip(length: number): string {
    const end = this.position + length;
    if (end > this.#bytes.length) throw new Unfinished();
    const skipped = this.#bytes.slice(this.position, end);
    this.position = end;
    return skipped;
  }
}

/** The first reply in these bytes (each character is one). Undefined as long as its end is not there. */
export function firstReply(bytes: string): Reply | undefined {
  try {
    return new Reader(bytes).take();
  } catch (error) {
    if (error instanceof Unfinished) return undefined;
    throw error;
  }
}

/** What a client sends. */
export function request(words: readonly string[]): string {
  return `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;
}

export class RawClient {
  readonly #socket: Socket;
  #received = '';

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => {
      this.#received += chunk.toString('latin1');
    });
    socket.on('error', () => {}); // the socket closes then, which `ask` notices
  }

  /** `address`: host:port */
  static async to(address: string): Promise<RawClient> {
    const [host, port] = address.split(':');
    const socket = connect({ host: host!, port: Number(port) });
    await once(socket, 'connect');
    return new RawClient(socket);
  }

  /** Rejects if the connection is closed before the whole reply has come. REQUIRES: the reply before has come. */
  async ask(words: readonly string[]): Promise<Reply> {
    this.#socket.write(request(words));
    return this.#take(words);
  }

  /** Sends all of them at once. Undefined: the connection was closed before that reply. REQUIRES: the reply before has come. */
  async askAll(commands: readonly (readonly string[])[]): Promise<(Reply | undefined)[]> {
    this.#socket.write(commands.map(request).join(''));
    const replies: Reply[] = [];
    try {
      for (const words of commands) replies.push(await this.#take(words));
    } catch {
      this.close();
    }
    return commands.map((_, i) => replies[i]);
  }

  /** What has come behind the last reply: a server that keeps to the protocol has sent nothing. */
  get left(): string {
    return this.#received;
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  close(): void {
    this.#socket.destroy();
  }

  async #take(words: readonly string[]): Promise<Reply> {
    for (;;) {
      const reply = firstReply(this.#received);
      if (reply !== undefined) {
        this.#received = this.#received.slice(reply.raw.length);
        return reply;
      }
      await this.#more(words);
    }
  }

  #more(words: readonly string[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const came = () => settle(resolve);
      const closed = () => settle(() => reject(new Error(`closed instead of a reply to ${words.join(' ')}`)));
      const settle = (then: () => void) => {
        this.#socket.off('data', came);
        this.#socket.off('close', closed);
        then();
      };
      this.#socket.on('data', came);
      this.#socket.on('close', closed);
      if (this.#socket.closed) closed();
    });
  }
}
