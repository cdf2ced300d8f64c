// Session: this client's conversation with one shard.
//
// offline ──open──▶ connecting ──welcome──▶ live ──stream lost──▶ offline, and after a random pause again
// An epoch is one period of being live. Everything sent in an earlier epoch is lost, and the listener is notified.

import { ShardTime } from '../clock/shard-time.ts';
import type { Timer } from '../environment/environment.ts';
import { ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import type { Link } from '../transport/transport.ts';
import { PROTOCOL } from '../wire/client-frame.ts';
import { malformed } from '../wire/reader.ts';
import {
  ServerFrameReader,
  type Change,
  type FrameHandler,
  type InquiryState,
  type Reply,
  type ServerConditions,
  type Welcome,
} from '../wire/server-frame.ts';
import { wideOf, type Wide } from '../wire/wide.ts';
import type { WireError } from '../wire/wire-error.ts';
import type { CrowdReceiver, NativeReceiver, WarrantyReceiver } from './incoming.ts';
import { Inflow } from './inflow.ts';
import { Inquiries, type InquiryListener } from './inquiries.ts';
import type { Outbox } from './outbox.ts';
import { Outflow } from './outflow.ts';
import type { DecidedAttempt, RequestSource } from './outgoing.ts';
import { reconnectDelayMs } from './reconnect-delay.ts';
import type { SessionContext } from './session-context.ts';

export type SessionState = 'connecting' | 'live' | 'offline';

/** The lease until the welcome names the real one. */
const LEASE_MS_ASSUMED = 5_000;
/** Time to read the frames that arrived while the process stood still. */
const READ_FIRST_MS = 50;

export class Session implements FrameHandler {
  readonly shard: number;
  address: string;
  state: SessionState = 'offline';
  /** counts the times this session became live and the times it was lost: a message of another epoch is lost */
  epoch = 0;
  /** starts of the shard that this session has seen */
  starts = 0;
  /**
   * of attempts that take locks here: the time from their first request to their last reply, the part of it spent waiting for locks, and the
   * waits for chains of other clients
   */
  readonly lockTimes = { attempts: 0, attemptMs: 0, waitedMs: 0, runs: 0 };
  readonly time = new ShardTime();
  /** everything for the shard except requests */
  readonly outbox: Outbox;
  readonly #context: SessionContext;
  readonly #reader = new ServerFrameReader();
  readonly #out: Outflow;
  readonly #inflow: Inflow;
  readonly #inquiries: Inquiries;
  #link: Link | null = null;
  #incarnation: Wide = { high: 0, low: 0 };
  /** the random number that names this epoch's session at the shard, and that of the epoch before */
  #id: Wide = { high: 0, low: 0 };
  #lastId: Wide = { high: 0, low: 0 };
  #leaseMs = LEASE_MS_ASSUMED;
  #failures = 0;
  /** the number of the last frame read */
  #framesIn = 0;
  #lastHeardMs = 0;
  #timer: Timer | null = null;
  #closed = false;
  #lastError = '';

  constructor(context: SessionContext, shard: number, address: string) {
    this.#context = context;
    this.shard = shard;
    this.address = address;
    this.#out = new Outflow(context, shard);
    this.outbox = this.#out.outbox;
    this.#inflow = new Inflow(context.environment, (frame) => this.#onFrame(frame));
    this.#inquiries = new Inquiries(context.environment, this.outbox.outcomes);
  }

  get live(): boolean {
    return this.state === 'live';
  }

  /** The age of the oldest message that the shard has not received. */
  behindMs(nowMs: number): number {
    return this.#out.behindMs(nowMs);
  }

  /** Requests that wait to be sent. */
  get unsent(): number {
    return this.#out.unsent;
  }

  // ---- sending ----

  /** The source has a request to write. */
  enqueue(source: RequestSource): void {
    this.#out.enqueue(source);
  }

  /** A source that is enqueued has more to write. */
  extend(bytes: number): void {
    this.#out.extend(bytes);
  }

  /** A frame leaves, unless one has left within `quietMs`. */
  keepAlive(quietMs: number): void {
    if (this.#context.environment.monotonicMs() - this.#out.lastSentMs >= quietMs) this.#out.heartbeat();
  }

  /** Everything but requests leaves now, rather than at the end of the turn. */
  leaveNow(): void {
    this.#out.leaveNow();
  }

  /** When the last frame arrived. */
  get heardMs(): number {
    return this.#lastHeardMs;
  }

  /** Asks for the outcome of an attempt, as soon as the session is live. */
  inquire(id: Uint8Array, answered: InquiryListener): void {
    this.#inquiries.ask(id, answered);
  }

  /** The outcome was not acknowledged before the session broke. The shards settle it, and the session asks until they have. */
  settleLater(attempt: DecidedAttempt): void {
    this.#inquiries.settle(attempt);
  }

  /** The random number that names the present session at the shard. */
  get id(): Wide {
    return this.#id;
  }

  // ---- connecting ----

  open(): void {
    if (this.#closed || this.#link !== null) return;
    this.#setState('connecting');
    const { environment, transport } = this.#context;
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
    this.#id = wideOf(environment.randomBytes(8));
    const resumes = this.natives?.mayBeExecuted ? this.#lastId : null;
    this.#out.hello((frame) => void link.send(frame), this.#id, resumes);
    this.#beat(link);
  }

  /** Sets the one timer that sends heartbeats and notices that the shard is silent. */
  #beat(link: Link, stoodStill = false): void {
    const { environment } = this.#context;
    if (this.#timer !== null) environment.clearTimeout(this.#timer);
    const delayMs = stoodStill ? READ_FIRST_MS : this.#leaseMs / 3;
    const dueMs = environment.monotonicMs() + delayMs;
    this.#timer = environment.setTimeout(() => {
      if (this.#link !== link) return;
      const now = environment.monotonicMs();
      // Timers run before sockets are read. So a process that stood still first reads the shard's frames.
      const readsFirst = !stoodStill && now - dueMs > READ_FIRST_MS;
      if (!readsFirst && now - this.#lastHeardMs > this.#leaseMs) {
        link.close();
        return this.#lose('nothing was heard for longer than the lease');
      }
      // A heartbeat half a period early is better than a late one.
      if (this.live && now - this.#out.lastSentMs >= this.#leaseMs / 6) this.#out.heartbeat();
      this.#beat(link, readsFirst);
    }, delayMs);
  }

  /** The shard has another address. What arrived from the old one counts; then the stream is lost, and the new one opens without a pause. */
  moveTo(address: string): void {
    if (this.address === address) return;
    this.address = address;
    this.#inflow.drain();
    if (this.#link !== null) {
      this.#link.close();
      this.#drop('the shard has moved');
    }
    this.#failures = 0;
    this.open();
  }

  close(): void {
    this.#closed = true;
    if (this.#timer !== null) this.#context.environment.clearTimeout(this.#timer);
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
    this.#context.listener.onSessionState();
  }

  /** The stream has broken. Another one is opened after a pause. */
  #lose(reason: string): void {
    const { environment, listener } = this.#context;
    this.#drop(reason);
    if (this.#closed) return;
    listener.onUnreachable(this.#failures);
    if (this.#timer !== null) environment.clearTimeout(this.#timer);
    this.#timer = environment.setTimeout(() => this.open(), reconnectDelayMs(this.#failures, environment.random()));
  }

  /** Everything that was sent on the stream and not answered is lost. */
  #drop(reason: string): void {
    const { listener } = this.#context;
    const wasLive = this.live;
    if (wasLive) this.epoch++;
    const message = this.#lastError || reason;
    this.#lastError = '';
    this.#link = null;
    this.#inflow.clear();
    this.#setState('offline');
    this.#failures = wasLive ? 0 : this.#failures + 1;
    for (const attempt of this.#out.stop()) this.settleLater(attempt);
    if (wasLive) listener.onSessionLost(this.shard, lostError(this.shard, message));
  }

  // ---- receiving ----

  #onFrame(bytes: Uint8Array): void {
    const link = this.#link;
    if (link === null) return;
    const { counters, environment, poller } = this.#context;
    counters.framesIn++;
    counters.bytesIn += bytes.length;
    this.#lastHeardMs = environment.monotonicMs();
    try {
      const sequence = this.#reader.sequenceOf(bytes);
      if (sequence > 0 && sequence <= this.#framesIn) return; // a duplicate
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
    this.chains.onFrameRead(this.#lastHeardMs);
    poller.touch();
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
    this.time.begin(welcome.time, this.#lastHeardMs);
    this.outbox.open();
    this.#setState('live');
    for (const request of this.#context.watches.resumed(this.shard, restarted)) this.outbox.watches.watch(request);
    this.#inquiries.onLive();
    this.#lastId = this.#id;
    this.#context.identifiers.onWelcome(welcome);
    this.natives?.onSessionBegun(welcome.resumed);
    this.chains.onSessionBegun();
    this.warranties.onSessionBegun(welcome);
    this.#out.start(welcome.incarnation);
    this.#beat(this.#link!);
  }

  onReply(reply: Reply): void {
    this.time.told(reply.committedAt.high === 0 ? reply.votedAt : reply.committedAt, this.#lastHeardMs);
    const receiver = this.#context.attempts.get(reply.attempt)?.branchAt(this.shard) ?? null;
    if (receiver !== null) receiver.onReply(reply);
    else this.#context.warranties.at(this.shard).onGrantedInVain(reply.granted);
  }

  onWound(attempt: number, priority: Wide): void {
    this.#context.attempts.get(attempt)?.onWound(this.shard, priority);
  }

  onChange(change: Change): void {
    this.#context.watches.onChange(change);
  }

  get natives(): NativeReceiver | null {
    return this.#context.natives.at(this.shard);
  }

  get chains(): CrowdReceiver {
    return this.#context.crowds.at(this.shard);
  }

  get warranties(): WarrantyReceiver {
    return this.#context.warranties.at(this.shard);
  }

  onAnswer(ticket: number, state: InquiryState, at: Wide): void {
    this.#inquiries.onAnswer(ticket, state, at);
  }

  onConditions(conditions: ServerConditions): void {
    this.#context.listener.onConditions(conditions);
  }

  onClosing(error: WireError): void {
    this.#lastError = `${error.code}: ${error.message}`;
  }
}

const lostError = (shard: number, message: string): ClaretError =>
  new ClaretError({
    code: codes.sessionLost,
    message: `The session with shard ${shard} was lost: ${message}`,
    retryable: true,
    cause: codes.sessionLost,
  });
