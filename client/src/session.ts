// Session: this client's conversation with one shard.
//
// offline ──open──▶ connecting ──welcome──▶ live ──stream lost──▶ offline, and after a jittered delay again
// An epoch is one time of being live; what was sent in an earlier one is lost, and the client told so.

import type { Attempt } from './attempt.ts';
import type { Client } from './client.ts';
import type { Timer } from './environment.ts';
import { ClaretError, codes, type WireError } from './errors.ts';
import { Inflow } from './inflow.ts';
import { Inquiries } from './inquiries.ts';
import { Outflow } from './outflow.ts';
import type { Part } from './part.ts';
import { reconnectDelayMs } from './retry.ts';
import type { Link } from './transport.ts';
import type { WatchEntry } from './watch.ts';
import { PROTOCOL, type Wide } from './wire/client-frame.ts';
import { malformed } from './wire/reader.ts';
import {
  ServerFrameReader,
  type Change,
  type FrameHandler,
  type InquiryState,
  type Reply,
  type ServerConditions,
  type Welcome,
} from './wire/server-frame.ts';

export type SessionState = 'connecting' | 'live' | 'offline';

/** Until the welcome tells the real one. */
const LEASE_MS_ASSUMED = 5_000;
/** To take in what has come while the process stood still. */
const READ_FIRST_MS = 50;

export class Session implements FrameHandler {
  readonly shard: number;
  address: string;
  state: SessionState = 'offline';
  /** counts the times this session became live and the times it was lost: what differs was sent in another life */
  epoch = 0;
  /** starts of the shard that this session has seen */
  starts = 0;
  readonly #client: Client;
  readonly #reader = new ServerFrameReader();
  readonly #out: Outflow;
  readonly #inflow: Inflow;
  readonly #inquiries: Inquiries;
  #link: Link | null = null;
  #incarnation: Wide = { high: 0, low: 0 };
  #leaseMs = LEASE_MS_ASSUMED;
  #failures = 0;
  /** the number of the last frame taken in */
  #framesIn = 0;
  #lastHeardMs = 0;
  #timer: Timer | null = null;
  #closed = false;
  #lastError = '';

  constructor(client: Client, shard: number, address: string) {
    this.#client = client;
    this.shard = shard;
    this.address = address;
    this.#out = new Outflow(client, this);
    this.#inflow = new Inflow(client.environment, (frame) => this.#onFrame(frame));
    this.#inquiries = new Inquiries(client, this);
  }

  get live(): boolean {
    return this.state === 'live';
  }

  /** How long what the shard has not taken in yet has waited for that. */
  behindMs(nowMs: number): number {
    return this.#out.behindMs(nowMs);
  }

  /** Requests that wait to be sent. */
  get unsent(): number {
    return this.#out.unsent;
  }

  // ---- what the client wants sent ----

  /** The part has a request to write. */
  enqueue(part: Part): void {
    this.#out.enqueue(part);
  }

  commit(attempt: Attempt, at: Wide): void {
    this.#out.outbox.committed.push(attempt.number);
    this.#out.outbox.committedAt.push(at);
    this.#out.outbox.committedAttempts.push(attempt);
    this.#out.schedule();
  }

  abort(attempt: number): void {
    this.#out.outbox.aborted.push(attempt);
    this.#out.schedule();
  }

  /** Nobody could tell how it ended: the shards are to find out among themselves. */
  abandon(attempt: number): void {
    this.#out.outbox.abandoned.push(attempt);
    this.#out.schedule();
  }

  wound(attempt: Attempt, priority: Wide): void {
    this.#out.outbox.wounds.push({ attempt: attempt.number, id: attempt.id, priority });
    this.#out.schedule();
  }

  /** The process lets go of a shared operation. */
  release(share: number): void {
    this.#out.outbox.released.push(share);
    this.#out.schedule();
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
    if (this.live) this.#out.outbox.watch(entry);
    this.#out.schedule();
  }

  unwatch(id: number): void {
    if (this.live) this.#out.outbox.unwatch(id);
    this.#out.schedule();
  }

  sendInquiry(id: Uint8Array, ticket: number): void {
    this.#out.outbox.inquiries.push({ id, ticket });
    this.#out.schedule();
  }

  // ---- coming and going ----

  open(): void {
    if (this.#closed || this.#link !== null) return;
    this.#setState('connecting');
    const { environment, transport } = this.#client;
    const link = transport.open(this.address, {
      onFrame: (bytes) => {
        if (this.#link === link) this.#inflow.arrive(bytes);
      },
      onClose: (error) => {
        if (this.#link === link) this.#inflow.drain();
        if (this.#link === link) this.#lose(error?.message ?? 'the stream ended');
      },
    });
    this.#link = link;
    this.#framesIn = 0;
    this.#lastHeardMs = environment.monotonicMs();
    this.#out.hello((frame) => void link.send(frame));
    this.#beat(link);
  }

  /** One timer for heartbeats and for noticing that the shard has fallen silent. */
  #beat(link: Link, stoodStill = false): void {
    const { environment } = this.#client;
    if (this.#timer !== null) environment.clearTimeout(this.#timer);
    const delayMs = stoodStill ? READ_FIRST_MS : this.#leaseMs / 3;
    const dueMs = environment.monotonicMs() + delayMs;
    this.#timer = environment.setTimeout(() => {
      if (this.#link !== link) return;
      const now = environment.monotonicMs();
      // Timers run before sockets are read: after standing still the process first takes in what the shard has said.
      const readsFirst = !stoodStill && now - dueMs > READ_FIRST_MS;
      if (!readsFirst && now - this.#lastHeardMs > this.#leaseMs) {
        link.close();
        return this.#lose('nothing was heard for longer than the lease');
      }
      // Half a beat early rather than late.
      if (this.live && now - this.#out.lastSentMs >= this.#leaseMs / 6) this.#out.heartbeat();
      this.#beat(link, readsFirst);
    }, delayMs);
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
    this.#inflow.clear();
    this.#out.stop();
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
    this.#inflow.clear();
    this.#setState('offline');
    this.#failures = wasLive ? 0 : this.#failures + 1;
    for (const attempt of this.#out.stop()) this.settleLater(attempt);
    if (wasLive) {
      this.#client.onSessionLost(
        this,
        new ClaretError({
          code: codes.sessionLost,
          message: `The session with shard ${this.shard} was lost: ${message}`,
          retryable: true,
          cause: codes.sessionLost,
        }),
      );
    }
    if (this.#closed) return;
    this.#client.onShardUnreachable(this.#failures);
    const { environment } = this.#client;
    if (this.#timer !== null) environment.clearTimeout(this.#timer);
    this.#timer = environment.setTimeout(() => this.open(), reconnectDelayMs(this.#failures, environment.random()));
  }

  // ---- what the shard says ----

  #onFrame(bytes: Uint8Array): void {
    const link = this.#link;
    if (link === null) return;
    const { counters } = this.#client;
    counters.framesIn++;
    counters.bytesIn += bytes.length;
    this.#lastHeardMs = this.#client.monotonicMs();
    try {
      const sequence = this.#reader.sequenceOf(bytes);
      if (sequence > 0 && sequence <= this.#framesIn) return; // it came twice
      if (sequence !== this.#framesIn + 1) throw malformed(`number ${sequence} after ${this.#framesIn}`);
      this.#framesIn = sequence;
      this.#reader.read(bytes, this);
    } catch (error) {
      if (!(error instanceof ClaretError)) throw error;
      if (this.#link !== link) return;
      link.close();
      return this.#lose(error.message);
    }
    if (this.#link !== link) return;
    this.#out.onFrame(this.#reader.sequence, this.#reader.acknowledged);
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
    if (first || restarted) this.starts++;
    this.#incarnation = welcome.incarnation;
    this.#leaseMs = welcome.sessionLeaseMs || LEASE_MS_ASSUMED;
    this.#failures = 0;
    this.epoch++;
    this.#setState('live');
    for (const entry of this.#client.watches.of(this, restarted)) this.#out.outbox.watch(entry);
    this.#inquiries.onLive();
    this.#out.start(welcome.incarnation);
    this.#beat(this.#link!);
  }

  onReply(reply: Reply): void {
    this.#client.attempts.get(reply.attempt)?.partOf(this)?.onReply(reply);
  }

  onWound(attempt: number, priority: Wide): void {
    this.#client.attempts.get(attempt)?.onWound(this, priority);
  }

  onSharedWound(share: number): void {
    this.#client.combiner.onWound(share);
  }

  onChange(change: Change): void {
    this.#client.watches.onChange(change);
  }

  onAnswer(ticket: number, state: InquiryState, at: Wide): void {
    this.#inquiries.onAnswer(ticket, state, at);
  }

  onConditions(conditions: ServerConditions): void {
    this.#client.onConditions(conditions);
  }

  onClosing(error: WireError): void {
    this.#lastError = `${error.code}: ${error.message}`;
  }
}
