// A Redis client for tests: sends commands at once, and reads the replies of RESP2 in order.
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** Simple and bulk strings as text, integers as numbers, errors as `{ error }`. */
export type Reply = string | number | null | { error: string } | Reply[];

export class RedisClient {
  readonly socket: Socket;
  /** Resolves when the server has ended the connection. */
  readonly closed: Promise<unknown>;
  private readonly waiting: ((reply: Reply | undefined) => void)[] = [];
  private rest = Buffer.alloc(0);

  private constructor(socket: Socket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
    socket.on('data', (bytes) => this.take(bytes));
    socket.on('error', () => {}); // 'close' follows
    void this.closed.then(() => {
      for (const resolve of this.waiting.splice(0)) resolve(undefined);
    });
  }

  /** `address`: host:port */
  static async open(address: string): Promise<RedisClient> {
    const [host, port] = address.split(':');
    const socket = connect({ host: host!, port: Number(port), allowHalfOpen: true });
    await once(socket, 'connect');
    return new RedisClient(socket);
  }

  /** Resolves with the reply; undefined: the connection was closed before. */
  call(...words: (string | number)[]): Promise<Reply | undefined> {
    this.socket.write(encoded(words));
    return this.reply();
  }

  /** The reply to something that was written to the socket. */
  reply(): Promise<Reply | undefined> {
    if (this.socket.destroyed || this.socket.readableEnded) return Promise.resolve(undefined);
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  close(): void {
    this.socket.destroy();
  }

  private take(bytes: Buffer): void {
    this.rest = Buffer.concat([this.rest, bytes]);
    let start = 0;
    for (let read = parsed(this.rest, start); read !== undefined; read = parsed(this.rest, start)) {
      start = read.end;
      const resolve = this.waiting.shift();
      if (resolve === undefined) throw new Error(`a reply to nothing: ${JSON.stringify(read.reply)}`);
      resolve(read.reply);
    }
    this.rest = this.rest.subarray(start);
  }
}

export function encoded(words: (string | number)[]): string {
  const texts = words.map(String);
  return `*${texts.length}\r\n${texts.map((text) => `$${Buffer.byteLength(text)}\r\n${text}\r\n`).join('')}`;
}

interface Read {
  reply: Reply;
  /** where the next one begins */
  end: number;
}

/** Undefined: it is not whole yet. */
function parsed(bytes: Buffer, start: number): Read | undefined {
  const line = bytes.indexOf('\r\n', start, 'latin1');
  if (line < 0) return undefined;
  const kind = String.fromCharCode(bytes[start]!);
  const text = bytes.toString('utf8', start + 1, line);
  const end = line + 2;
  if (kind === '+') return { reply: text, end };
  if (kind === '-') return { reply: { error: text }, end };
  const count = Number(text);
  if (kind === ':') return { reply: count, end };
  if (count < 0) return { reply: null, end };
  if (kind === '$')
    return bytes.length < end + count + 2 ? undefined : { reply: bytes.toString('utf8', end, end + count), end: end + count + 2 };
  if (kind === '*') return parsedArray(bytes, end, count);
  throw new Error(`no reply of RESP2 begins with '${kind}'`);
}

function parsedArray(bytes: Buffer, start: number, count: number): Read | undefined {
  const replies: Reply[] = [];
  let end = start;
  while (replies.length < count) {
    const read = parsed(bytes, end);
    if (read === undefined) return undefined;
    replies.push(read.reply);
    end = read.end;
  }
  return { reply: replies, end };
}
