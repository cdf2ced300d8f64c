// ServerFrame: the half of claret.proto that a client reads. The reader hands the frame to a `FrameHandler` part by part. It
// reuses the objects that it hands over, so a handler may keep their values, never the objects.

import { CONDITIONS, type ConditionName, type Conditions } from '../../telemetry/conditions.ts';
import type { WireValue } from '../values/values.ts';
import { ChainReader, type ChainHandler } from './chain-reader.ts';
import { MessageReader } from './message-reader.ts';
import { malformed } from './reader.ts';
import type { Wide } from './wide.ts';
import type { WireError } from './wire-error.ts';
import { WarrantyReader, type Granted, type WarrantyHandler } from './warranty-reader.ts';
import { LENGTH, VARINT } from './writer.ts';

export interface Welcome {
  protocol: number;
  shard: number;
  incarnation: Wide;
  sessionLeaseMs: number;
  /** null: the client has named no lost session */
  resumed: Resumed | null;
  /** how long grants of warranties stand after the last frame that the shard has taken in; 0: nothing is ever granted */
  warrantyTermMs: number;
  /** a warranty is wished for where the last so many answers were the same; 0: wherever one may be granted */
  warrantyEvidence: number;
  /** No other session of this start of the shard has it. */
  serial: number;
  /** the shard's time: no commit before has a greater timestamp */
  time: Wide;
}

export interface Reply {
  attempt: number;
  results: WireValue[];
  /** 0 and 0: not voted */
  votedAt: Wide;
  /** 0 and 0: not committed */
  committedAt: Wide;
  /** the greatest commit timestamp for which the vote holds; 0 and 0: it holds for all */
  holdsUntil: Wide;
  error: WireError | null;
  denied: WireError | null;
  waitedMicroseconds: number;
  waitedLocks: number;
  /** of these, those of records on which a chain of another client ran */
  waitedRuns: number;
  /** set if the transaction has committed before: then this attempt has not begun */
  committedBefore: Committed | null;
  /** of the operations that asked for a warranty, in order */
  granted: Granted[];
}

export interface Committed {
  at: Wide;
  /** the answer that the committed attempt gave */
  answer: Uint8Array;
}

export interface Change {
  id: number;
  timestamp: Wide;
  value: WireValue;
  error: WireError | null;
}

/** Natives number `first` to `first + count - 1` have been executed. */
export interface NativesDone {
  first: number;
  count: number;
  /** the timestamp of the first; each following one is a tick later */
  at: Wide;
  /** of those that have a result, in order */
  results: WireValue[];
  /** how long the native has waited, if it is a single one that had to wait */
  waitedUs: number;
}

export interface NativeFailed {
  number: number;
  error: WireError;
}

/** What is known of a lost session's natives. */
export interface Resumed {
  /** those that change a record and have no answer were not executed; false: that is not known */
  known: boolean;
  done: NativesDone[];
  failed: NativeFailed[];
}

const NOTHING = new Uint8Array(0);

const inquiryStates = ['pending', 'voted', 'committed', 'aborted'] as const;
export type InquiryState = (typeof inquiryStates)[number];

type Told<Value> = Value extends string ? string : Value;
const DEFAULTS = { choice: '', flag: false };
/** What is meant by no field: the usual value, or the default of Protobuf where it is always said. */
const UNTOLD = Object.fromEntries(CONDITIONS.map(({ name, kind, always, usual }) => [name, always ? DEFAULTS[kind] : usual]));
/** A newer server may have other values of a choice. */
export type ServerConditions = { -readonly [Name in ConditionName]-?: Told<Required<Conditions>[Name]> };

/** Native operations. Implemented once, since they stand above the wire. */
export interface NativeHandler {
  onNativesDone(done: NativesDone): void;
  onNativeFailed(number: number, error: WireError): void;
}

/** What a frame is told to, message by message. Implemented once, since the session stands above the wire. */
export interface FrameHandler {
  readonly chains: ChainHandler;
  readonly warranties: WarrantyHandler;
  /** null: no native has left for the shard */
  readonly natives: NativeHandler | null;
  onWelcome(welcome: Welcome): void;
  onReply(reply: Reply): void;
  /** An older transaction, of that priority, waits for the attempt. */
  onWound(attempt: number, priority: Wide): void;
  onChange(change: Change): void;
  onAnswer(ticket: number, state: InquiryState, timestamp: Wide): void;
  onConditions(conditions: ServerConditions): void;
  onClosing(error: WireError): void;
}

export class ServerFrameReader {
  readonly #messages = new MessageReader();
  readonly #in = this.#messages.in;
  readonly #chains = new ChainReader(this.#messages);
  readonly #warranties = new WarrantyReader(this.#messages);
  readonly #reply: Reply = {
    attempt: 0,
    results: [],
    votedAt: { high: 0, low: 0 },
    committedAt: { high: 0, low: 0 },
    holdsUntil: { high: 0, low: 0 },
    error: null,
    denied: null,
    waitedMicroseconds: 0,
    waitedLocks: 0,
    waitedRuns: 0,
    committedBefore: null,
    granted: [],
  };
  readonly #change: Change = { id: 0, timestamp: { high: 0, low: 0 }, value: null, error: null };
  /** numbers of the frame that was read last */
  sequence = 0;
  acknowledged = 0;

  /** The number of a frame, at any position (shards write it first); 0: it has none. Throws `malformed_frame`. */
  sequenceOf(bytes: Uint8Array): number {
    const input = this.#in;
    input.reset(bytes);
    for (let field = input.tag(); field !== 0; field = input.tag()) {
      if (field === 1) return this.#messages.number();
      input.skip();
    }
    return 0;
  }

  /** Throws `malformed_frame` after the parts before the malformed one have been handled. */
  read(bytes: Uint8Array, handler: FrameHandler): void {
    const input = this.#in;
    input.reset(bytes);
    this.sequence = 0;
    this.acknowledged = 0;
    for (let field = input.tag(); field !== 0; field = input.tag()) {
      switch (field) {
        case 1:
          this.sequence = this.#messages.number();
          break;
        case 2:
          this.acknowledged = this.#messages.number();
          break;
        case 3:
          handler.onWelcome(this.#welcome());
          break;
        case 4:
          handler.onReply(this.#readReply());
          break;
        case 5:
          this.#wound(handler);
          break;
        case 6:
          handler.onChange(this.#readChange());
          break;
        case 7:
          this.#answer(handler);
          break;
        case 8:
          handler.onConditions(this.#conditions());
          break;
        case 9:
          handler.onClosing(this.#messages.error());
          break;
        case 11:
          this.#tellDone(handler);
          break;
        case 12:
          this.#tellFailed(handler);
          break;
        default:
          if (!this.#chains.read(field, handler.chains) && !this.#warranties.read(field, handler.warranties)) input.skip();
      }
    }
  }

  #welcome(): Welcome {
    const input = this.#in;
    const welcome: Welcome = {
      protocol: 0,
      shard: 0,
      incarnation: { high: 0, low: 0 },
      sessionLeaseMs: 0,
      resumed: null,
      warrantyTermMs: 0,
      warrantyEvidence: 0,
      serial: 0,
      time: { high: 0, low: 0 },
    };
    const outer = input.enter();
    for (let field = input.tag(); field !== 0; field = input.tag()) {
      if (field === 1) welcome.protocol = this.#messages.number();
      else if (field === 2) welcome.shard = this.#messages.number();
      else if (field === 3) {
        input.expect(VARINT);
        input.varint64();
        welcome.incarnation = { high: input.high, low: input.low };
      } else if (field === 4) welcome.sessionLeaseMs = this.#messages.number();
      else if (field === 5) welcome.resumed = this.#resumed();
      else if (field === 6) welcome.warrantyTermMs = this.#messages.number();
      else if (field === 7) this.#messages.wide(welcome.time);
      else if (field === 8) welcome.warrantyEvidence = this.#messages.number();
      else if (field === 9) welcome.serial = this.#messages.number();
      else input.skip();
    }
    input.leave(outer);
    return welcome;
  }

  #readReply(): Reply {
    const input = this.#in;
    const reply = this.#reply;
    reply.attempt = 0;
    // Setting the length would make the engine leave compiled code.
    while (reply.results.length > 0) reply.results.pop();
    reply.votedAt.high = reply.votedAt.low = 0;
    reply.committedAt.high = reply.committedAt.low = 0;
    reply.holdsUntil.high = reply.holdsUntil.low = 0;
    reply.error = null;
    reply.denied = null;
    reply.waitedMicroseconds = 0;
    reply.waitedLocks = 0;
    reply.waitedRuns = 0;
    reply.committedBefore = null;
    while (reply.granted.length > 0) reply.granted.pop();
    const outer = input.enter();
    for (let field = input.tag(); field !== 0; field = input.tag()) {
      if (field === 1) reply.attempt = this.#messages.number();
      else if (field === 2) reply.results.push(this.#messages.value());
      else if (field === 3) this.#messages.wide(reply.votedAt);
      else if (field === 4) this.#messages.wide(reply.committedAt);
      else if (field === 5) reply.error = this.#messages.error();
      else if (field === 6) reply.denied = this.#messages.error();
      else if (field === 7) this.#waited(reply);
      else if (field === 9) reply.committedBefore = this.#committed();
      else if (field === 10) this.#messages.wide(reply.holdsUntil);
      else if (field === 11) reply.granted.push(this.#warranties.granted());
      else input.skip();
    }
    input.leave(outer);
    return reply;
  }

  #committed(): Committed {
    const input = this.#in;
    const committed: Committed = { at: { high: 0, low: 0 }, answer: NOTHING };
    const outer = input.enter();
    for (let field = input.tag(); field !== 0; field = input.tag()) {
      if (field === 1) this.#messages.wide(committed.at);
      else if (field === 2) {
        input.expect(LENGTH);
        committed.answer = input.bytes();
      } else input.skip();
    }
    input.leave(outer);
    return committed;
  }

  #waited(reply: Reply): void {
    const input = this.#in;
    const outer = input.enter();
    for (let field = input.tag(); field !== 0; field = input.tag()) {
      if (field === 1) reply.waitedMicroseconds = this.#messages.number();
      else if (field === 2) reply.waitedLocks = this.#messages.number();
      else if (field === 3) reply.waitedRuns = this.#messages.number();
      else input.skip();
    }
    input.leave(outer);
  }

  #wound(handler: FrameHandler): void {
    const input = this.#in;
    let attempt = 0;
    const priority: Wide = { high: 0, low: 0 };
    const outer = input.enter();
    for (let field = input.tag(); field !== 0; field = input.tag()) {
      if (field === 1) attempt = this.#messages.number();
      else if (field === 3) this.#messages.wideVarint(priority);
      else input.skip();
    }
    input.leave(outer);
    handler.onWound(attempt, priority);
  }

  #readChange(): Change {
    const input = this.#in;
    const change = this.#change;
    change.id = 0;
    change.timestamp.high = change.timestamp.low = 0;
    change.value = null;
    change.error = null;
    const outer = input.enter();
    for (let field = input.tag(); field !== 0; field = input.tag()) {
      if (field === 1) change.id = this.#messages.number();
      else if (field === 2) this.#messages.wide(change.timestamp);
      else if (field === 3) change.value = this.#messages.value();
      else if (field === 4) change.error = this.#messages.error();
      else input.skip();
    }
    input.leave(outer);
    return change;
  }

  #nativesDone(): NativesDone {
    const input = this.#in;
    const done: NativesDone = { first: 0, count: 0, at: { high: 0, low: 0 }, results: [], waitedUs: 0 };
    const outer = input.enter();
    for (let field = input.tag(); field !== 0; field = input.tag()) {
      if (field === 1) done.first = this.#messages.number();
      else if (field === 2) done.count = this.#messages.number();
      else if (field === 3) this.#messages.wide(done.at);
      else if (field === 4) done.results.push(this.#messages.value());
      else if (field === 5) done.waitedUs = this.#messages.number();
      else input.skip();
    }
    input.leave(outer);
    return done;
  }

  #resumed(): Resumed {
    const input = this.#in;
    const resumed: Resumed = { known: false, done: [], failed: [] };
    const outer = input.enter();
    for (let field = input.tag(); field !== 0; field = input.tag()) {
      if (field === 1) resumed.known = this.#messages.number() !== 0;
      else if (field === 11) resumed.done.push(this.#nativesDone());
      else if (field === 12) resumed.failed.push(this.#nativeFailed());
      else input.skip();
    }
    input.leave(outer);
    return resumed;
  }

  #tellDone(handler: FrameHandler): void {
    const done = this.#nativesDone();
    handler.natives?.onNativesDone(done);
  }

  #tellFailed(handler: FrameHandler): void {
    const { number, error } = this.#nativeFailed();
    handler.natives?.onNativeFailed(number, error);
  }

  #nativeFailed(): NativeFailed {
    const input = this.#in;
    let number = 0;
    let error: WireError | null = null;
    const outer = input.enter();
    for (let field = input.tag(); field !== 0; field = input.tag()) {
      if (field === 1) number = this.#messages.number();
      else if (field === 2) error = this.#messages.error();
      else input.skip();
    }
    input.leave(outer);
    if (error === null) throw malformed('a native failed without an error');
    return { number, error };
  }

  #answer(handler: FrameHandler): void {
    const input = this.#in;
    let ticket = 0;
    let state = 0;
    const timestamp: Wide = { high: 0, low: 0 };
    const outer = input.enter();
    for (let field = input.tag(); field !== 0; field = input.tag()) {
      if (field === 1) ticket = this.#messages.number();
      else if (field === 2) state = this.#messages.number();
      else if (field === 3) this.#messages.wide(timestamp);
      else input.skip();
    }
    input.leave(outer);
    const name = inquiryStates[state];
    if (name === undefined) throw malformed(`inquiry state ${state}`);
    handler.onAnswer(ticket, name, timestamp);
  }

  #conditions(): ServerConditions {
    const input = this.#in;
    const conditions: Record<string, string | boolean> = { ...UNTOLD };
    const outer = input.enter();
    for (let field = input.tag(); field !== 0; field = input.tag()) {
      const told = CONDITIONS.find((one) => one.field === field);
      if (told === undefined) input.skip();
      else conditions[told.name] = told.kind === 'choice' ? this.#messages.text() : this.#messages.number() !== 0;
    }
    input.leave(outer);
    return conditions as unknown as ServerConditions;
  }
}
