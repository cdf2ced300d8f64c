// FencedStream: the end of a stream to which one writer appends. Each message names the sequence of the one before it, so that the servers
// take it at one place or not at all: a message of another writer, or one that is sent twice, cannot come between.
//
// Up to WINDOW messages are under way; `done` is called in order. A message never changes once it was sent. So where an answer is missing,
// the writer first reads how far the stream has come. What is there and equals its own is acknowledged, and the rest is sent again. What is
// there and differs is another writer's: this one has stopped for good.
//
// The later ones of the messages that were under way then may yet be stored, behind the first message of the other writer. So what a writer
// ever sends is at most WINDOW messages behind the last one that it knows to be stored. The other writer goes by that (fence.ts).
import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import { pause } from '../../store/environment.ts';
import type { LogFailure } from '../log.ts';
import { segmentHash } from '../segment.ts';
import { askAgain } from './asking.ts';
import { ANSWER_MS, SOON_MS, whyOf } from './connection.ts';
import type { Nats } from './connection.ts';
import { encodeFrame } from './frames.ts';
import type { Piece, Tail, Writer } from './frames.ts';

/** The format: a later start relies on it. */
export const WINDOW = 8;
const TRY_AGAIN_MS = 100;
/** A leader that was cut off may answer from the past. A loss that is seen for longer is one. */
const CERTAIN_AFTER_MS = 20_000;

export interface FencedStreamOptions {
  nats: Nats;
  stream: string;
  /** the own first message, which the stream holds already */
  tail: Tail;
  writer: Writer;
  /** unique among all writers of the stream, for the servers' recognition of repeated messages */
  token: string;
  /** a reason: nothing has become durable for some time; null: it does again */
  onSilent(why: string | null): void;
  onFailed(code: LogFailure, message: string): void;
  /** a message was acknowledged: there may be room for the next */
  onProgress(): void;
  onWrite?(ms: number, bytes: number): void;
}

interface Message {
  sequence: number;
  subject: string;
  payload: Uint8Array;
  /** it is sent when nothing before it is under way */
  isAlone: boolean;
  /** undefined: it has yet to be sent for the first time */
  sentAtMs: number | undefined;
  acknowledged: boolean;
  done: () => void;
}

class Stopped extends Error {
  readonly code: LogFailure;

  constructor(code: LogFailure, message: string) {
    super(message);
    this.code = code;
  }
}

export class FencedStream {
  readonly #options: FencedStreamOptions;
  #tail: Tail;
  /** the last message up to which all are acknowledged */
  #confirmed: number;
  /** those after it, in order */
  #messages: Message[] = [];
  /** answers to messages that were sent before the last doubt say nothing if they are errors */
  #doubts = 0;
  #resolving: Promise<void> | undefined;
  #silent = false;
  #lossSinceMs: number | undefined;
  #stopped = false;

  constructor(options: FencedStreamOptions) {
    this.#options = options;
    this.#tail = options.tail;
    this.#confirmed = options.tail.sequence;
  }

  /** the last message given */
  get tail(): Tail {
    return this.#tail;
  }

  get inFlight(): number {
    return this.#messages.length;
  }

  get hasRoom(): boolean {
    return this.#messages.length < WINDOW && this.#resolving === undefined && !this.#stopped;
  }

  /** The next positions follow this one. REQUIRES: the stream holds no entry. */
  continueAfter(position: number): void {
    this.#tail = { ...this.#tail, last: position };
  }

  /** Appends a message, also if there is no room. `done` is called when it would survive any crash. */
  append(subject: string, piece: Piece, done: () => void): void {
    this.#append(subject, piece, done, false);
  }

  /** A message that is stored before the first message of another writer, or never. */
  appendAlone(subject: string, piece: Piece, done: () => void): void {
    this.#append(subject, piece, done, true);
  }

  #append(subject: string, piece: Piece, done: () => void, isAlone: boolean): void {
    const payload = encodeFrame(this.#options.writer, this.#tail, piece);
    const sequence = this.#tail.sequence + 1;
    this.#tail = { sequence, last: piece.last, hash: segmentHash(payload) };
    if (this.#stopped) return;
    this.#messages.push({ sequence, subject, payload, isAlone, sentAtMs: undefined, acknowledged: false, done });
    this.#sendNext();
  }

  /** Those that may be under way now. */
  #sendable(): Message[] {
    const alone = this.#messages.findIndex(({ isAlone }, ahead) => isAlone && ahead > 0);
    return this.#messages.slice(0, alone < 0 ? WINDOW : Math.min(alone, WINDOW));
  }

  #sendNext(): void {
    if (this.#resolving !== undefined) return;
    const doubts = this.#doubts;
    for (const message of this.#sendable())
      if (message.sentAtMs === undefined) void this.#send(message).catch((error: Error) => doubts === this.#doubts && this.doubt(error));
  }

  /** An answer may be missing: finds out what the stream holds, and sends the rest again. */
  doubt(why: Error): void {
    if (this.#stopped || this.#resolving !== undefined || this.#messages.length === 0) return;
    this.#doubts++;
    this.#resolving = this.#resolve(why).then(() => {
      this.#resolving = undefined;
      if (this.#stopped) return;
      this.#sendNext();
      this.#options.onProgress();
    });
  }

  /** Nothing is sent or reported any more. */
  stop(): void {
    this.#stopped = true;
    this.#messages = [];
  }

  get #nowMs(): number {
    return this.#options.nats.environment.monotonicMs();
  }

  async #send(message: Message, timeout = ANSWER_MS): Promise<void> {
    const { nats, stream, token } = this.#options;
    const expect = { streamName: stream, lastSequence: message.sequence - 1 };
    message.sentAtMs ??= this.#nowMs;
    const { seq } = await nats.js.publish(message.subject, message.payload, {
      msgID: `${token}.${message.sequence}`,
      expect,
      timeout,
    });
    if (seq === message.sequence) this.#acknowledge(message);
    else this.#fail(new Stopped('another_writer', `message ${message.sequence} of the stream ${stream} was stored as message ${seq}`));
  }

  #acknowledge(message: Message): void {
    if (this.#stopped || message.acknowledged) return;
    message.acknowledged = true;
    this.#options.onWrite?.(this.#nowMs - message.sentAtMs!, message.payload.length);
    while (this.#messages[0]?.acknowledged === true) {
      const first = this.#messages.shift()!;
      this.#confirmed = first.sequence;
      first.done();
    }
    this.#sendNext();
    if (this.#resolving === undefined) this.#options.onProgress();
  }

  // ---- Doubt

  async #resolve(first: Error): Promise<void> {
    // A refusal may come of an earlier message that was lost; the other reasons mean that nobody has answered for a while.
    if (!isRefusal(first) && first !== CONNECTION_BROKE) this.#tellSilent(whyOf(first));
    while (!this.#stopped) {
      try {
        await this.#compare();
        await Promise.all(this.#sendable().map((message) => this.#send(message, SOON_MS)));
        if (this.#messages.length === 0) break; // else more was appended meanwhile
      } catch (error) {
        if (error instanceof Stopped) return this.#fail(error);
        this.#tellSilent(whyOf(error as Error));
        await pause(this.#options.nats.environment, TRY_AGAIN_MS);
      }
    }
    this.#tellSilent(null);
  }

  /** Acknowledges what the stream holds of the own messages. Throws Stopped if it holds something else. */
  async #compare(): Promise<void> {
    const last = await this.#lastSequence();
    while (this.#confirmed < last && !this.#stopped) {
      const sequence = this.#confirmed + 1;
      const message = this.#messages[0];
      const { nats, stream } = this.#options;
      const found = await askAgain(nats.environment, () => nats.jsm.streams.getMessage(stream, { seq: sequence }));
      if (this.#confirmed >= sequence) continue; // acknowledged meanwhile
      if (found === null) throw new Error(`message ${sequence} of the stream ${stream} cannot be read`);
      if (message === undefined || Buffer.compare(found.data, message.payload) !== 0) {
        const { writer } = this.#options;
        const which = `message ${sequence} of the stream ${stream}`;
        throw new Stopped(
          'another_writer',
          `another gateway has taken over the log of shard ${writer.shard}, or something else writes to it (${which} is not this gateway's): this one has stopped, and has lost nothing that it acknowledged`,
        );
      }
      this.#acknowledge(message);
    }
  }

  async #lastSequence(): Promise<number> {
    const { nats, stream } = this.#options;
    try {
      const { state } = await askAgain(nats.environment, () => nats.jsm.streams.info(stream));
      if (state.last_seq >= this.#confirmed) this.#lossSinceMs = undefined;
      else
        this.#certainly(`the stream ${stream} ends with message ${state.last_seq}, where message ${this.#confirmed} had been acknowledged`);
      return state.last_seq;
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound)
        this.#certainly(`the stream ${stream} is gone`);
      throw error;
    }
  }

  /** Throws Stopped if it has been so for long enough. */
  #certainly(what: string): never {
    this.#lossSinceMs ??= this.#nowMs;
    if (this.#nowMs - this.#lossSinceMs < CERTAIN_AFTER_MS) throw new Error(what);
    throw new Stopped('log_lost', `${what}: bring the servers' data back (docs/operations.md, "Failures of the replicated log")`);
  }

  #tellSilent(why: string | null): void {
    if (this.#stopped || (why === null && !this.#silent)) return;
    if (why !== null && this.#silent) return;
    this.#silent = why !== null;
    this.#options.onSilent(why);
  }

  #fail({ code, message }: Stopped): void {
    if (this.#stopped) return;
    this.stop();
    this.#options.onFailed(code, message);
  }
}

/** The connection was made again: answers to what was sent before do not come. */
export const CONNECTION_BROKE = new Error('the connection to the NATS servers broke');

const REFUSALS: number[] = [JetStreamApiCodes.StreamWrongLastSequence, JetStreamApiCodes.StreamWrongLastSequenceUnknown];

/** The message was not appended because the stream had not come to the message before it, or had come further. */
export const isRefusal = (error: unknown): boolean => error instanceof JetStreamApiError && REFUSALS.includes(error.code);
