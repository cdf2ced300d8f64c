// Outflow: the frames to one shard, in the order of their numbers.
//
// Everything issued in one turn of the event loop leaves in one frame, by setImmediate; more than a frame full leaves
// within the turn. Where nothing is in flight it leaves in two halves: while the shard works on the one, the client works
// on the answers to the other, and so on; with one frame alone each would wait for the other.
//
// At most eight frames with requests are in flight; a frame is in flight until the shard has acknowledged its number. What
// is in the outbox, and heartbeats, are never held back.

import type { Attempt } from './attempt.ts';
import type { Client } from './client.ts';
import { Outbox } from './outbox.ts';
import type { Part } from './part.ts';
import type { Session } from './session.ts';
import { writeHeader, writeHello, type Wide } from './wire/client-frame.ts';
import { FrameWriter } from './wire/writer.ts';

const FRAMES_IN_FLIGHT_MAX = 8;
const FRAME_BYTES = 8 * 1024;
/** Of two halves, each has at least this. */
const HALF_BYTES_LEAST = 512;
/** So many frames taken in are acknowledged even if there is nothing to say. */
const UNACKNOWLEDGED_MAX = 64;
/** While the shard is away no frame takes requests: from so many on, those whose attempts have ended are taken out. */
const READY_LOOK_FIRST = 1_024;
const NO_INCARNATION: Wide = { high: 0, low: 0 };

export class Outflow {
  readonly outbox = new Outbox();
  lastSentMs = 0;
  readonly #client: Client;
  readonly #session: Session;
  readonly #writer = new FrameWriter();
  #send: (frame: Uint8Array) => void = () => {};
  /** null: there is no session to send in */
  #incarnation: Wide | null = null;
  #sequence = 0;
  #acknowledged = 0;
  #received = 0;
  #receivedTold = 0;
  /** when the frames in flight left, oldest first */
  readonly #leftMs: number[] = [];
  #ready: Part[] = [];
  #readyBytes = 0;
  #lookAt = READY_LOOK_FIRST;
  #scheduled = false;
  #heartbeatDue = false;

  constructor(client: Client, session: Session) {
    this.#client = client;
    this.#session = session;
  }

  /** How long the oldest frame in flight, or the oldest request that waits for room, has waited to be taken in. */
  behindMs(nowMs: number): number {
    const waiting = this.#ready[0]?.queuedMs ?? nowMs;
    return Math.max(0, nowMs - Math.min(waiting, this.#leftMs[0] ?? nowMs));
  }

  get unsent(): number {
    return this.#ready.length;
  }

  /** The first frame of a stream. */
  hello(send: (frame: Uint8Array) => void): void {
    this.#send = send;
    this.#sequence = 1;
    this.#acknowledged = this.#received = this.#receivedTold = 0;
    this.#leftMs.length = 0;
    writeHeader(this.#writer, { sequence: 1, acknowledged: 0, incarnation: NO_INCARNATION, forgottenBelow: 0 });
    writeHello(this.#writer, this.#client.name);
    this.#leave(this.#client.monotonicMs());
  }

  /** Welcomed: from now on there are frames. */
  start(incarnation: Wide): void {
    this.#incarnation = incarnation;
    // The shard was away, not behind.
    this.#dropEnded();
    const nowMs = this.#client.monotonicMs();
    for (const part of this.#ready) part.queuedMs = nowMs;
    this.schedule();
  }

  /** The session is lost. Gives back the attempts whose outcome may not have arrived; requests not yet written stay. */
  stop(): Attempt[] {
    this.#incarnation = null;
    this.#leftMs.length = 0;
    return this.outbox.reset();
  }

  /** The part has a request to write. */
  enqueue(part: Part): void {
    if (part.queued) return;
    part.queued = true;
    part.queuedMs = this.#client.monotonicMs();
    if (this.#incarnation === null && this.#ready.length >= this.#lookAt) this.#dropEnded();
    this.#ready.push(part);
    this.#readyBytes += part.unsentBytes;
    if (this.#readyBytes < FRAME_BYTES || !this.#hasRoom()) this.schedule();
    else this.#flush();
  }

  /** A frame leaves at the end of this turn. */
  schedule(): void {
    if (this.#scheduled || this.#incarnation === null) return;
    this.#scheduled = true;
    this.#client.environment.setImmediate(this.#onTurnEnd);
  }

  heartbeat(): void {
    this.#heartbeatDue = true;
    this.#flush();
  }

  /** A frame has come in, with its number and the number of the last of ours that the shard has taken in. */
  onFrame(sequence: number, acknowledged: number): void {
    this.#received = sequence;
    if (acknowledged > this.#acknowledged) this.#leftMs.splice(0, acknowledged - this.#acknowledged);
    this.#acknowledged = acknowledged;
    this.outbox.acknowledge(acknowledged, this.#session);
    if (this.#received - this.#receivedTold >= UNACKNOWLEDGED_MAX) this.#heartbeatDue = true;
    if (this.#ready.length > 0 || this.#heartbeatDue) this.schedule();
  }

  readonly #onTurnEnd = (): void => {
    this.#scheduled = false;
    this.#flush();
  };

  #dropEnded(): void {
    const waiting: Part[] = [];
    this.#readyBytes = 0;
    for (const part of this.#ready) {
      if (part.ended) part.queued = false;
      else {
        waiting.push(part);
        this.#readyBytes += part.unsentBytes;
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
      this.#heartbeatDue = false;
      this.#receivedTold = this.#received;
      writeHeader(this.#writer, {
        sequence: ++this.#sequence,
        acknowledged: this.#received,
        incarnation: this.#incarnation,
        forgottenBelow: this.#client.attempts.lowWater(),
      });
      this.outbox.write(this.#writer, this.#sequence, FRAME_BYTES);
      const nowMs = this.#client.monotonicMs();
      if (requests) this.#writeRequests(nowMs);
      this.outbox.writeReleased(this.#writer);
      this.#leave(nowMs);
    }
  }

  #writeRequests(nowMs: number): void {
    const ready = this.#ready;
    const bytesMax = this.#bytesMax();
    let next = 0;
    while (next < ready.length && this.#writer.size < bytesMax) {
      const part = ready[next++]!;
      this.#readyBytes -= part.unsentBytes;
      part.write(this.#writer, nowMs);
    }
    if (next < ready.length) {
      ready.splice(0, next);
    } else {
      ready.length = 0;
      this.#readyBytes = 0;
    }
  }

  /** Of the frame being written. */
  #bytesMax(): number {
    const alone = this.#sequence - this.#acknowledged === 1;
    return alone ? Math.min(FRAME_BYTES, Math.max(HALF_BYTES_LEAST, this.#readyBytes / 2)) : FRAME_BYTES;
  }

  #leave(nowMs: number): void {
    const frame = this.#writer.take();
    const { counters } = this.#client;
    counters.frames++;
    counters.bytes += frame.length;
    this.lastSentMs = nowMs;
    this.#leftMs.push(nowMs);
    this.#send(frame);
  }
}
