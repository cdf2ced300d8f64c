// BareRedis: Redis as fast as a client in Node can drive it, for measuring alone: commands encoded into one text per turn of the event
// loop, and replies read without any conversion. It shows what the server can do, without the cost of a client library.

import { connect, type Socket } from 'node:net';
import { RespReplies } from './resp-replies.ts';

interface Waiting {
  resolve(replies: unknown): void;
  reject(error: Error): void;
  replies: number;
}

export class BareRedis {
  readonly #socket: Socket;
  readonly #waiting: Waiting[] = [];
  #out = '';

  private constructor(socket: Socket) {
    this.#socket = socket;
    const replies = new RespReplies((reply) => this.#replied(reply));
    socket.on('data', (bytes) => replies.feed(bytes as Buffer));
    socket.on('error', (error) => this.#failed(error));
    socket.on('close', () => this.#failed(new Error('Redis closed the connection.')));
  }

  static connect(port: number): Promise<BareRedis> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, noDelay: true });
      socket.once('error', reject);
      socket.once('connect', () => resolve(new BareRedis(socket)));
    });
  }

  /** MULTI, the commands, EXEC. Resolves to the replies of EXEC; rejects with the first error. */
  transaction(commands: readonly (readonly string[])[]): Promise<unknown> {
    if (this.#out === '') setImmediate(this.#flush);
    this.#out += '*1\r\n$5\r\nMULTI\r\n';
    for (const command of commands) this.#out += encoded(command);
    this.#out += '*1\r\n$4\r\nEXEC\r\n';
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject, replies: commands.length + 2 }));
  }

  close(): Promise<void> {
    this.#socket.removeAllListeners('close');
    return new Promise((closed) => {
      this.#socket.once('close', () => closed());
      this.#socket.end();
    });
  }

  readonly #flush = () => {
    this.#socket.write(this.#out);
    this.#out = '';
  };

  // Redis answers a transaction with OK, then QUEUED for each command, then the reply of EXEC. The last reply is the result, unless an
  // earlier one is an error.
  #replied(reply: unknown): void {
    const first = this.#waiting[0]!;
    first.replies--;
    if (reply instanceof Error) first.reject(reply);
    if (first.replies > 0) return;
    this.#waiting.shift();
    first.resolve(reply);
  }

  #failed(error: Error): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

function encoded(words: readonly string[]): string {
  let text = `*${words.length}\r\n`;
  for (const word of words) text += `$${Buffer.byteLength(word)}\r\n${word}\r\n`;
  return text;
}
