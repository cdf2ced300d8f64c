// BareRedis: Redis as fast as a client can drive it: commands encoded into one text per turn of the event loop, replies counted by
// redis-parser. Its throughput is the limit of the server, without the cost of a client library.

import { connect, type Socket } from 'node:net';
import RedisParser from 'redis-parser';

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
    const parser = new RedisParser({
      returnReply: (reply: unknown) => this.#replied(reply),
      returnError: (error: Error) => this.#replied(error),
      returnFatalError: (error: Error) => this.#failed(error),
    });
    socket.on('data', (bytes) => parser.execute(bytes as Buffer));
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
    let text = '*1\r\n$5\r\nMULTI\r\n';
    for (const command of commands) {
      text += `*${command.length}\r\n`;
      for (const word of command) text += `$${Buffer.byteLength(word)}\r\n${word}\r\n`;
    }
    text += '*1\r\n$4\r\nEXEC\r\n';
    if (this.#out === '') setImmediate(this.#flush);
    this.#out += text;
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

  // OK, then QUEUED for each command, then the reply of EXEC: only the last one matters, unless an earlier one is an error.
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
