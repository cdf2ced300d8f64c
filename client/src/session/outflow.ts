// Outflow: the frames to one shard, in the order of their numbers.
//
// Requests of one turn of the event loop leave in one frame, by setImmediate. If they fill more than a frame, a frame leaves within
// the turn. If no frame is in flight, the requests leave in two halves: the shard works on one half while the client works on the
// answers to the other. With a single frame each side would wait for the other (docs/decisions/0009).
//
// At most eight frames with requests are in flight, that is, not acknowledged by the shard. The outbox and heartbeats are never
// held back. Words of chains do not even wait for the end of the turn: what they commit lets others in.

import { writeHeader, writeHello } from '../wire/client-frame.ts';
import type { Wide } from '../wire/wide.ts';
import { FrameWriter } from '../wire/writer.ts';
import { Outbox } from './outbox.ts';
import type { DecidedAttempt, RequestSource } from './outgoing.ts';
import type { SessionContext } from './session-context.ts';

const FRAMES_IN_FLIGHT_MAX = 8;
const FRAME_BYTES = 8 * 1024;
/** The least size of one of two halves. */
const HALF_BYTES_LEAST = 512;
/** After this many frames the client acknowledges them, even if it has nothing else to send. */
const UNACKNOWLEDGED_MAX = 64;
/** No frame takes requests while the shard is away. A queue of this length is searched for attempts that have ended. */
const READY_LOOK_FIRST = 1_024;
const NO_INCARNATION: Wide = { high: 0, low: 0 };

export class Outflow {
  readonly outbox = new Outbox(() => this.schedule());
  lastSentMs = 0;
  readonly #context: SessionContext;
  readonly #shard: number;
  readonly #writer = new FrameWriter();
  #send: (frame: Uint8Array) => void = () => {};
  /** null: there is no session to send in */
  #incarnation: Wide | null = null;
  #sequence = 0;
  #acknowledged = 0;
  #received = 0;
  #receivedReported = 0;
  /** when the frames in flight left, oldest first */
  readonly #leftMs: number[] = [];
  #ready: RequestSource[] = [];
  #readyBytes = 0;
  #lookAt = READY_LOOK_FIRST;
  #scheduled = false;
  #heartbeatDue = false;

  constructor(context: SessionContext, shard: number) {
    this.#context = context;
    this.#shard = shard;
  }

  /** The age of the oldest frame in flight, or of the oldest request that waits to be sent. */
  behindMs(nowMs: number): number {
    const waiting = this.#ready[0]?.queuedMs ?? nowMs;
    return Math.max(0, nowMs - Math.min(waiting, this.#leftMs[0] ?? nowMs));
  }

  get unsent(): number {
    return this.#ready.length;
  }

  /** Sends the first frame of a stream. `resumes`: see `writeHello`. */
  hello(send: (frame: Uint8Array) => void, session: Wide, resumes: Wide | null): void {
    this.#send = send;
    this.#sequence = 1;
    this.#acknowledged = this.#received = this.#receivedReported = 0;
    this.#leftMs.length = 0;
    writeHeader(this.#writer, { sequence: 1, acknowledged: 0, incarnation: NO_INCARNATION, forgottenBelow: 0 });
    writeHello(this.#writer, this.#context.name, session, resumes, this.#context.warranties.wanted);
    this.#leave(this.#context.environment.monotonicMs());
  }

  /** The shard has welcomed the client: from now on frames may leave. */
  start(incarnation: Wide): void {
    this.#incarnation = incarnation;
    // The waiting time counts from now, since the shard was away, not behind.
    this.#dropEnded();
    const nowMs = this.#context.environment.monotonicMs();
    for (const source of this.#ready) source.queuedMs = nowMs;
    this.schedule();
  }

  /** The session is lost. Returns the attempts whose outcome may not have arrived. Requests that were not written stay. */
  stop(): DecidedAttempt[] {
    this.#incarnation = null;
    this.#leftMs.length = 0;
    return this.outbox.reset();
  }

  enqueue(source: RequestSource): void {
    if (source.queued) return;
    source.queued = true;
    source.queuedMs = this.#context.environment.monotonicMs();
    if (this.#incarnation === null && this.#ready.length >= this.#lookAt) this.#dropEnded();
    this.#ready.push(source);
    this.extend(source.unsentBytes);
  }

  /** A source that is queued has more to write. */
  extend(bytes: number): void {
    this.#readyBytes += bytes;
    if (this.#readyBytes < FRAME_BYTES || !this.#hasRoom()) this.schedule();
    else this.#flush();
  }

  /** A frame leaves at the end of this turn. */
  schedule(): void {
    if (this.#scheduled || this.#incarnation === null) return;
    this.#scheduled = true;
    this.#context.environment.setImmediate(this.#onTurnEnd);
  }

  heartbeat(): void {
    this.#heartbeatDue = true;
    this.#flush();
  }

  /** A frame has arrived. It carries its own number and the number of the last frame that the shard has received. */
  onFrame(sequence: number, acknowledged: number): void {
    this.#received = sequence;
    const taken = acknowledged - this.#acknowledged;
    if (taken > 0) {
      const leftMs = this.#leftMs[taken - 1];
      if (leftMs !== undefined) this.#context.warranties.at(this.#shard).onTakenIn(leftMs);
      this.#leftMs.splice(0, taken);
    }
    this.#acknowledged = acknowledged;
    this.outbox.outcomes.acknowledge(acknowledged, this.#shard);
    if (this.#received - this.#receivedReported >= UNACKNOWLEDGED_MAX) this.#heartbeatDue = true;
    if (this.#ready.length > 0 || this.#heartbeatDue) this.schedule();
  }

  readonly #onTurnEnd = (): void => {
    this.#scheduled = false;
    this.#flush();
  };

  #dropEnded(): void {
    const waiting: RequestSource[] = [];
    this.#readyBytes = 0;
    for (const source of this.#ready) {
      if (source.ended) source.queued = false;
      else {
        waiting.push(source);
        this.#readyBytes += source.unsentBytes;
      }
    }
    this.#ready = waiting;
    this.#lookAt = Math.max(READY_LOOK_FIRST, 2 * waiting.length);
  }

  #hasRoom(): boolean {
    return this.#incarnation !== null && this.#sequence - this.#acknowledged < FRAMES_IN_FLIGHT_MAX;
  }

  #flush(): void {
    while (this.#incarnation !== null) {
      const requests = this.#ready.length > 0 && this.#hasRoom();
      if (!requests && !this.#heartbeatDue && this.outbox.empty) return;
      this.#frame(this.#incarnation, requests);
    }
  }

  /** The outbox leaves at once, without requests. */
  leaveNow(): void {
    if (this.#incarnation !== null && !this.outbox.empty) this.#frame(this.#incarnation, false);
  }

  #frame(incarnation: Wide, requests: boolean): void {
    this.#heartbeatDue = false;
    this.#receivedReported = this.#received;
    writeHeader(this.#writer, {
      sequence: ++this.#sequence,
      acknowledged: this.#received,
      incarnation,
      forgottenBelow: this.#context.attempts.lowWater(),
    });
    const nowMs = this.#context.environment.monotonicMs();
    this.outbox.write(this.#writer, this.#sequence, FRAME_BYTES, nowMs);
    if (requests) this.#writeRequests(nowMs);
    this.#leave(nowMs);
  }

  #writeRequests(nowMs: number): void {
    const ready = this.#ready;
    const bytesMax = this.#bytesMax();
    let next = 0;
    while (next < ready.length && this.#writer.size < bytesMax) {
      const source = ready[next++]!;
      this.#readyBytes -= source.unsentBytes;
      if (!source.write(this.#writer, nowMs)) continue;
      // Sources take turns, so that none keeps the others from writing.
      ready.push(source);
      this.#readyBytes += source.unsentBytes;
    }
    if (next < ready.length) {
      ready.splice(0, next);
    } else {
      ready.length = 0;
      this.#readyBytes = 0;
    }
  }

  /** The size at which the current frame takes no further request. */
  #bytesMax(): number {
    const alone = this.#sequence - this.#acknowledged === 1;
    return alone ? Math.min(FRAME_BYTES, Math.max(HALF_BYTES_LEAST, this.#readyBytes / 2)) : FRAME_BYTES;
  }

  #leave(nowMs: number): void {
    const frame = this.#writer.take();
    const { counters } = this.#context;
    counters.frames++;
    counters.bytes += frame.length;
    this.lastSentMs = nowMs;
    this.#leftMs.push(nowMs);
    this.#send(frame);
  }
}
