// Mode "message": the Session stream with one one-operation transaction in each frame, without batching, as a plain streaming
// client would use it. The shard still batches its replies.

import { randomBytes } from 'node:crypto';
import { GrpcTransport, operationSpecs } from '@claret/client';
import {
  PROTOCOL,
  REQUEST_OPERATION,
  beginRequest,
  writeBegin,
  writeHeader,
  writeHello,
  writeOperation,
  writePrepare,
  type Begin,
  type Wide,
} from '@claret/client/wire/client-frame.ts';
import { ServerFrameReader, type FrameHandler, type Reply, type Welcome } from '@claret/client/wire/server-frame.ts';
import { FrameWriter } from '@claret/client/wire/writer.ts';
import type { Load } from '../../kit/closed-loop.ts';
import type { Operations } from './operations.ts';

const ADD = operationSpecs.get('Counter.add')!;
const VALUE = operationSpecs.get('Counter.value')!;
const ID_BYTES = 16;
const ID_BLOCK_BYTES = 4096 * ID_BYTES;

class MessageStream implements FrameHandler, Load {
  // Nothing is said of these: it takes locks alone.
  readonly chains = null!;
  readonly warranties = null!;
  readonly natives = null;
  readonly #operations: Operations;
  readonly #writer = new FrameWriter();
  readonly #reader = new ServerFrameReader();
  readonly #transport = new GrpcTransport();
  readonly #link;
  readonly #done = new Map<number, () => void>();
  readonly #welcomed: () => void;
  #ids = randomBytes(0);
  #idAt = 0;
  #sequence = 0;
  #received = 0;
  #attempt = 0;
  #priority = 0;
  #incarnation: Wide = { high: 0, low: 0 };
  #closed = false;

  constructor(address: string, operations: Operations, welcomed: () => void) {
    this.#operations = operations;
    this.#welcomed = welcomed;
    this.#link = this.#transport.open(address, {
      onFrame: (bytes) => {
        this.#reader.read(bytes, this);
        this.#received = this.#reader.sequence;
      },
      onClose: (error) => {
        if (!this.#closed) throw error ?? new Error('the gateway ended the stream');
      },
    });
    this.#header();
    writeHello(this.#writer, 'bench', null, null);
    this.#link.send(this.#writer.take());
  }

  begin(done: () => void): void {
    const out = this.#writer;
    const { key, adds } = this.#operations.next();
    this.#header();
    const request = beginRequest(out, ++this.#attempt, 0);
    writeBegin(out, this.#begin());
    writeOperation(out, REQUEST_OPERATION, adds ? { spec: ADD, key, args: [1] } : { spec: VALUE, key, args: [] });
    writePrepare(out, [], false);
    out.end(request);
    this.#done.set(this.#attempt, done);
    this.#link.send(out.take());
  }

  close(): void {
    this.#closed = true;
    this.#link.close();
    this.#transport.close();
  }

  #header(): void {
    // A Map keeps its order: the first is the oldest attempt in flight. The shard may forget older attempts.
    const [oldest = this.#attempt + 1] = this.#done.keys();
    writeHeader(this.#writer, {
      sequence: ++this.#sequence,
      acknowledged: this.#received,
      incarnation: this.#incarnation,
      forgottenBelow: oldest,
    });
  }

  #begin(): Begin {
    if (this.#idAt === this.#ids.length) {
      this.#ids = randomBytes(ID_BLOCK_BYTES);
      this.#idAt = 0;
    }
    const idAt = this.#idAt;
    this.#idAt += ID_BYTES;
    return {
      ids: this.#ids,
      idAt,
      label: 'bench',
      priority: { high: 0, low: ++this.#priority },
      retries: 0,
      breaks: 0,
      home: 0,
      expiresInMs: 10_000,
      exclusive: [],
      ageUs: 0,
      before: null,
      transaction: null,
      epochManager: null,
    };
  }

  onWelcome(welcome: Welcome): void {
    if (welcome.protocol !== PROTOCOL) throw new Error(`the gateway has protocol ${welcome.protocol}`);
    this.#incarnation = welcome.incarnation;
    this.#welcomed();
  }

  onReply(reply: Reply): void {
    const { attempt, error, denied } = reply;
    if (error !== null || denied !== null) throw new Error(`refused: ${(error ?? denied)!.code}`);
    const done = this.#done.get(attempt)!;
    this.#done.delete(attempt);
    done();
  }

  onClosing(error: { code: string }): void {
    throw new Error(`the gateway closes the session: ${error.code}`);
  }

  onWound(): void {}
  onChange(): void {}
  onAnswer(): void {}
  onConditions(): void {}
}

export function messageLoad(address: string, operations: Operations): Promise<Load> {
  return new Promise((resolve) => {
    const stream: MessageStream = new MessageStream(address, operations, () => resolve(stream));
  });
}
