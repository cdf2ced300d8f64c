// Session: this client's conversation with one shard.
//
// offline ──open──▶ connecting ──welcome──▶ live ──stream lost──▶ offline, and after a jittered delay again
// Everything issued for the shard in one turn of the event loop leaves in one frame, by setImmediate; more than a frame
// full leaves within the turn. At most eight frames with requests are in flight; a frame is in flight until the shard
// has acknowledged its number. Outcomes, aborts, inquiries and heartbeats are never held back.
// An epoch is one time of being live; what was sent in an earlier one is lost, and the client told so.

import type { Attempt } from './attempt.ts';
import type { Client } from './client.ts';
import type { Timer } from './environment.ts';
import { ClaretError, codes, type WireError } from './errors.ts';
import { Inquiries } from './inquiries.ts';
import { Outbox } from './outbox.ts';
import type { Part } from './part.ts';
import { reconnectDelayMs } from './retry.ts';
import type { Link } from './transport.ts';
import type { WatchEntry } from './watch.ts';
import { PROTOCOL, writeHeader, writeHello, type Wide } from './wire/client-frame.ts';
import { ServerFrameReader, type Change, type FrameHandler, type InquiryState, type Reply, type ServerConditions, type Welcome } from './wire/server-frame.ts';
import { FrameWriter } from './wire/writer.ts';

export type SessionState = 'connecting' | 'live' | 'offline';

const FRAMES_IN_FLIGHT_MAX = 8;
const FRAME_BYTES = 8 * 1024;
/** Until the welcome tells the real one. */
const LEASE_MS_ASSUMED = 5_000;
/** So many frames taken in are acknowledged even if there is nothing to say. */
const UNACKNOWLEDGED_MAX = 64;

export class Session implements FrameHandler {
  readonly shard: number;
  address: string;
  state: SessionState = 'offline';
  /** counts the times this session became live and the times it was lost: what differs was sent in another life */
  epoch = 0;
  readonly #client: Client;
  readonly #writer = new FrameWriter();
  readonly #reader = new ServerFrameReader();
  readonly #outbox = new Outbox();
  readonly #inquiries: Inquiries;
  #link: Link | null = null;
  #incarnation: Wide = { high: 0, low: 0 };
  #leaseMs = LEASE_MS_ASSUMED;
  #sequence = 0;
  #acknowledged = 0;
  #received = 0;
  #receivedTold = 0;
  #ready: Part[] = [];
  #readyBytes = 0;
  #scheduled = false;
  #heartbeatDue = false;
  #failures = 0;
  #lastHeardMs = 0;
  #lastSentMs = 0;
  #timer: Timer | null = null;
  #closed = false;
  #lastError = '';

  constructor(client: Client, shard: number, address: string) {
    this.#client = client;
    this.shard = shard;
    this.address = address;
    this.#inquiries = new Inquiries(client, this);
  }

  get live(): boolean {
    return this.state === 'live';
  }

  // ---- what the client wants sent ----

  /** The part has a request to write. */
  enqueue(part: Part): void {
    if (part.queued) return;
    part.queued = true;
    this.#ready.push(part);
    this.#readyBytes += part.unsentBytes;
    if (this.#readyBytes < FRAME_BYTES || !this.#hasRoom()) this.schedule();
    else this.#flush();
  }

  commit(attempt: Attempt, at: Wide): void {
    this.#outbox.committed.push(attempt.number);
    this.#outbox.committedAt.push(at);
    this.#outbox.committedAttempts.push(attempt);
    this.schedule();
  }

  abort(attempt: number): void {
    this.#outbox.aborted.push(attempt);
    this.schedule();
  }

  wound(attempt: Attempt, priority: Wide): void {
    this.#outbox.wounds.push({ attempt: attempt.number, id: attempt.id, priority });
    this.schedule();
  }

  /** Asks what became of an attempt, once the session is live. */
  inquire(id: Uint8Array, answered: (state: InquiryState, at: Wide) => void): void {
    this.#inquiries.ask(id, answered);
  }

  /** The outcome was not acknowledged before the session broke: the shards settle it, this asks until they have. */
  settleLater(attempt: Attempt): void {
    this.#inquiries.settle(attempt);
  }

  watch(entry: WatchEntry): void {
    if (this.live) this.#outbox.watches.push(entry);
    this.schedule();
  }

  unwatch(id: number): void {
    if (this.live) this.#outbox.unwatched.push(id);
    this.schedule();
  }

  sendInquiry(id: Uint8Array, ticket: number): void {
    this.#outbox.inquiries.push({ id, ticket });
    this.schedule();
  }

  /** A frame leaves at the end of this turn. */
  schedule(): void {
    if (this.#scheduled || !this.live) return;
    this.#scheduled = true;
    this.#client.environment.setImmediate(this.#onTurnEnd);
  }

  readonly #onTurnEnd = (): void => {
    this.#scheduled = false;
    this.#flush();
  };

  #hasRoom(): boolean {
    return this.live && this.#sequence - this.#acknowledged < FRAMES_IN_FLIGHT_MAX;
  }

  #flush(): void {
    while (this.live) {
      const requests = this.#ready.length > 0 && this.#hasRoom();
      if (!requests && !this.#heartbeatDue && this.#outbox.empty) return;
      const out = this.#writer;
      this.#writeHeader();
      this.#outbox.write(out, this.#sequence);
      if (requests) this.#writeRequests();
      this.#send();
    }
  }

  #writeHeader(): void {
    this.#heartbeatDue = false;
    this.#receivedTold = this.#received;
    writeHeader(this.#writer, {
      sequence: ++this.#sequence,
      acknowledged: this.#received,
      incarnation: this.#incarnation,
      forgottenBelow: this.#client.attempts.lowWater(),
    });
  }

  #writeRequests(): void {
    const ready = this.#ready;
    let next = 0;
    while (next < ready.length && this.#writer.size < FRAME_BYTES) ready[next++]!.write(this.#writer);
    if (next === ready.length) {
      ready.length = 0;
      this.#readyBytes = 0;
    } else {
      ready.splice(0, next);
      this.#readyBytes = FRAME_BYTES;
    }
  }

  #send(): void {
    const frame = this.#writer.take();
    const { counters } = this.#client;
    counters.frames++;
    counters.bytes += frame.length;
    this.#lastSentMs = this.#client.monotonicMs();
    this.#link!.send(frame);
  }

  // ---- coming and going ----

  open(): void {
    if (this.#closed || this.#link !== null) return;
    this.#setState('connecting');
    const { environment, transport } = this.#client;
    const link = transport.open(this.address, {
      onFrame: (bytes) => {
        if (this.#link === link) this.#onFrame(bytes);
      },
      onClose: (error) => {
        if (this.#link === link) this.#lose(error?.message ?? 'the stream ended');
      },
    });
    this.#link = link;
    this.#sequence = this.#acknowledged = this.#received = this.#receivedTold = 0;
    this.#lastHeardMs = environment.monotonicMs();
    this.#sequence = 1;
    writeHeader(this.#writer, { sequence: 1, acknowledged: 0, incarnation: { high: 0, low: 0 }, forgottenBelow: 0 });
    writeHello(this.#writer, this.#client.name);
    this.#send();
    this.#beat(link);
  }

  /** One timer for heartbeats and for noticing that the shard has fallen silent. */
  #beat(link: Link): void {
    const { environment } = this.#client;
    if (this.#timer !== null) environment.clearTimeout(this.#timer);
    this.#timer = environment.setTimeout(() => {
      if (this.#link !== link) return;
      const now = environment.monotonicMs();
      if (now - this.#lastHeardMs > this.#leaseMs) {
        link.close();
        return this.#lose('nothing was heard for longer than the lease');
      }
      // Half a beat early rather than late.
      if (this.live && now - this.#lastSentMs >= this.#leaseMs / 6) {
        this.#heartbeatDue = true;
        this.#flush();
      }
      this.#beat(link);
    }, this.#leaseMs / 3);
  }

  /** The shard has moved. */
  moveTo(address: string): void {
    if (this.address === address) return;
    this.address = address;
    const link = this.#link;
    if (link === null) return;
    link.close();
    this.#lose('the shard has moved');
  }

  close(): void {
    this.#closed = true;
    if (this.#timer !== null) this.#client.environment.clearTimeout(this.#timer);
    const link = this.#link;
    this.#link = null;
    if (this.live) this.#setState('offline');
    link?.close();
  }

  #setState(state: SessionState): void {
    if (this.state === state) return;
    this.state = state;
    this.#client.onSessionState();
  }

  #lose(reason: string): void {
    const wasLive = this.live;
    if (wasLive) this.epoch++;
    const message = this.#lastError || reason;
    this.#lastError = '';
    this.#link = null;
    this.#writer.take();
    this.#setState('offline');
    this.#failures = wasLive ? 0 : this.#failures + 1;
    for (const attempt of this.#outbox.reset()) this.settleLater(attempt);
    if (wasLive) {
      this.#client.onSessionLost(this, new ClaretError({
        code: codes.sessionLost,
        message: `The session with shard ${this.shard} was lost: ${message}`,
        retryable: true,
        cause: codes.sessionLost,
      }));
    }
    if (this.#closed) return;
    this.#client.onShardUnreachable(this.#failures);
    const { environment } = this.#client;
    if (this.#timer !== null) environment.clearTimeout(this.#timer);
    this.#timer = environment.setTimeout(() => this.open(), reconnectDelayMs(this.#failures, environment.random()));
  }

  // ---- what the shard says ----

  #onFrame(bytes: Uint8Array): void {
    const { counters } = this.#client;
    counters.framesIn++;
    counters.bytesIn += bytes.length;
    this.#lastHeardMs = this.#client.monotonicMs();
    const link = this.#link!;
    try {
      this.#reader.read(bytes, this);
    } catch (error) {
      if (!(error instanceof ClaretError)) throw error;
      if (this.#link !== link) return;
      link.close();
      return this.#lose(error.message);
    }
    if (this.#link !== link) return;
    this.#received = this.#reader.sequence;
    this.#acknowledged = this.#reader.acknowledged;
    this.#outbox.acknowledge(this.#acknowledged);
    if (this.#received - this.#receivedTold >= UNACKNOWLEDGED_MAX) this.#heartbeatDue = true;
    if (this.#ready.length > 0 || this.#heartbeatDue) this.schedule();
    this.#client.poller.touch();
  }

  onWelcome(welcome: Welcome): void {
    if (welcome.protocol !== PROTOCOL || welcome.shard !== this.shard) {
      this.#lastError = `shard ${welcome.shard}, protocol ${welcome.protocol} answered where shard ${this.shard} was expected`;
      this.#link!.close();
      return this.#lose(this.#lastError);
    }
    const first = this.#incarnation.high === 0 && this.#incarnation.low === 0;
    const restarted = !first && (welcome.incarnation.high !== this.#incarnation.high || welcome.incarnation.low !== this.#incarnation.low);
    this.#incarnation = welcome.incarnation;
    this.#leaseMs = welcome.sessionLeaseMs || LEASE_MS_ASSUMED;
    this.#failures = 0;
    this.epoch++;
    this.#setState('live');
    for (const entry of this.#client.watches.of(this, restarted)) this.#outbox.watches.push(entry);
    this.#inquiries.onLive();
    this.#beat(this.#link!);
    this.schedule();
  }

  onReply(reply: Reply): void {
    this.#client.attempts.get(reply.attempt)?.partOf(this)?.onReply(reply);
  }

  onWound(attempt: number, priority: Wide): void {
    this.#client.attempts.get(attempt)?.onWound(this, priority);
  }

  onChange(change: Change): void {
    this.#client.watches.onChange(change);
  }

  onAnswer(ticket: number, state: InquiryState, at: Wide): void {
    this.#inquiries.onAnswer(ticket, state, at);
  }

  onConditions(conditions: ServerConditions): void {
    this.#client.conditions = conditions;
  }

  onClosing(error: WireError): void {
    this.#lastError = `${error.code}: ${error.message}`;
  }
}
