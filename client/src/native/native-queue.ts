// NativeQueue: the native operations of this client for one shard. They leave in the order in which they were issued, as a source of the
// session's frames, and each is answered on its own.

import { stacklessError, type ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import type { NativeReceiver } from '../session/incoming.ts';
import type { RequestSource } from '../session/outgoing.ts';
import type { Session } from '../session/session.ts';
import type { Call } from '../values/call.ts';
import { resultOf } from '../values/result.ts';
import { beginNatives, NATIVE_OPERATION, writeOperation } from '../wire/client-frame.ts';
import type { NativeRecord } from './native-record.ts';
import { estimatedBytes } from '../wire/operation-size.ts';
import { malformed } from '../wire/reader.ts';
import type { NativesDone } from '../wire/server-frame.ts';
import type { WireError } from '../wire/wire-error.ts';
import type { FrameWriter } from '../wire/writer.ts';

/** One message takes natives up to this size, so that a frame stays small. */
const MESSAGE_BYTES = 4 * 1024;

export interface Native {
  readonly call: Call;
  /** monotonic times of its issue, and at which it fails if it has not been sent */
  readonly issuedMs: number;
  readonly dueMs: number;
  resolve(result: unknown): void;
  reject(error: ClaretError): void;
  /** null: no history is kept */
  readonly record: NativeRecord | null;
}

export class NativeQueue implements RequestSource, NativeReceiver {
  queued = false;
  queuedMs = 0;
  unsentBytes = 0;
  readonly #session: Session;
  /** in order of issue */
  #unsent: Native[] = [];
  /** number → native; a native without an answer */
  readonly #inFlight = new Map<number, Native>();
  #next = 1;

  constructor(session: Session) {
    this.#session = session;
  }

  get ended(): boolean {
    return this.#unsent.length === 0;
  }

  get pending(): number {
    return this.#unsent.length + this.#inFlight.size;
  }

  add(native: Native): void {
    this.#unsent.push(native);
    const bytes = estimatedBytes(native.call);
    this.unsentBytes += bytes;
    if (this.queued) this.#session.extend(bytes);
    else this.#session.enqueue(this);
  }

  write(out: FrameWriter): boolean {
    const unsent = this.#unsent;
    this.queued = unsent.length > 0;
    if (!this.queued) return false;
    const start = out.size;
    const mark = beginNatives(out, this.#next);
    let sent = 0;
    let sentBytes = 0;
    while (sent < unsent.length && out.size - start < MESSAGE_BYTES) {
      const native = unsent[sent++]!;
      sentBytes += estimatedBytes(native.call);
      writeOperation(out, NATIVE_OPERATION, native.call);
      this.#inFlight.set(this.#next++, native);
    }
    out.end(mark);
    this.queued = sent < unsent.length;
    this.#unsent = this.queued ? unsent.slice(sent) : [];
    this.unsentBytes = this.queued ? this.unsentBytes - sentBytes : 0;
    if (this.queued) this.queuedMs = this.#unsent[0]!.issuedMs;
    return this.queued;
  }

  onNativesDone({ first, count, at, results }: NativesDone): void {
    let next = 0;
    for (let index = 0; index < count; index++) {
      const native = this.#inFlight.get(first + index) ?? missing(first + index);
      const kind = native.call.spec.result;
      if (kind !== 'void' && next === results.length) throw malformed('a result of a native is missing');
      const result = kind === 'void' ? undefined : resultOf(kind, results[next++]!);
      this.#inFlight.delete(first + index);
      if (native.record !== null) native.record.executed(at, index, result);
      native.resolve(result);
    }
  }

  onNativeFailed(number: number, error: WireError): void {
    const native = this.#inFlight.get(number) ?? missing(number);
    this.#inFlight.delete(number);
    native.reject(stacklessError(error));
  }

  /** The session was lost. A native that only observes is sent again; whether one that changes was executed is not known. */
  onSessionLost(): void {
    const inFlight = [...this.#inFlight.values()];
    this.#inFlight.clear();
    const again = inFlight.filter(({ call }) => call.spec.operationClass === 'observe');
    this.#unsent = [...again, ...this.#unsent];
    for (const { call } of again) this.unsentBytes += estimatedBytes(call);
    if (this.#unsent.length > 0) this.#session.enqueue(this);
    for (const native of inFlight) if (native.call.spec.operationClass !== 'observe') native.reject(outcomeUnknown(native));
  }

  /** Rejects the natives that could not be sent in time. */
  expire(nowMs: number): void {
    const expired = this.#unsent.filter(({ dueMs }) => dueMs <= nowMs);
    if (expired.length === 0) return;
    this.#unsent = this.#unsent.filter(({ dueMs }) => dueMs > nowMs);
    this.unsentBytes = this.#unsent.reduce((sum, { call }) => sum + estimatedBytes(call), 0);
    for (const native of expired) native.reject(unavailable(native));
  }

  /** Rejects everything that is not answered. */
  close(error: ClaretError): void {
    const inFlight = [...this.#inFlight.values()];
    const unsent = this.#unsent.splice(0);
    this.#inFlight.clear();
    this.unsentBytes = 0;
    for (const native of unsent) native.reject(error);
    for (const native of inFlight) native.reject(native.call.spec.operationClass === 'observe' ? error : outcomeUnknown(native));
  }
}

function missing(number: number): never {
  throw malformed(`an answer to native ${number}, which is not in flight`);
}

const outcomeUnknown = ({ call }: Native): ClaretError =>
  stacklessError({
    code: codes.outcomeUnknown,
    message: 'The answer to the native operation was lost with the session',
    key: call.key,
    operation: call.spec.name,
    cause: codes.sessionLost,
    commitState: 'unknown',
  });

const unavailable = ({ call }: Native): ClaretError =>
  stacklessError({
    code: codes.shardUnavailable,
    message: 'the shard could not be reached in the time allowed',
    key: call.key,
    operation: call.spec.name,
    retryable: true,
  });
