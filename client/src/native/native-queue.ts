// NativeQueue: the native operations of this client for one shard. They leave in the order in which they were issued, as a source of the
// session's frames, and each is answered on its own. They are numbered within the session, so that a lost session is settled by the next.

import { stacklessError, type ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import type { Counters } from '../reports/counters.ts';
import type { NativeReceiver } from '../session/incoming.ts';
import type { RequestSource } from '../session/outgoing.ts';
import type { Session } from '../session/session.ts';
import { beginNatives, NATIVE_OPERATION, writeOperation } from '../wire/client-frame.ts';
import { estimatedBytes } from '../wire/operation-size.ts';
import { malformed } from '../wire/reader.ts';
import type { NativesDone, Resumed } from '../wire/server-frame.ts';
import type { WireError } from '../wire/wire-error.ts';
import type { FrameWriter } from '../wire/writer.ts';
import { ageUsOf, observes, outcomeUnknown, resolveDone, unavailable, type Native } from './native.ts';
import { NativesInFlight } from './natives-in-flight.ts';
import { UnsettledNatives } from './unsettled-natives.ts';

/** One message takes natives up to this size, so that a frame stays small. */
const MESSAGE_BYTES = 4 * 1024;

export class NativeQueue implements RequestSource, NativeReceiver {
  queued = false;
  queuedMs = 0;
  unsentBytes = 0;
  readonly #session: Session;
  readonly #counters: Pick<Counters, 'nativesResent'>;
  readonly #onMoved: (native: Native) => void;
  /** in order of issue */
  #unsent: Native[] = [];
  #inFlight = new NativesInFlight();
  readonly #unsettled = new UnsettledNatives();

  /** @param onMoved called with a native that the shard has not executed, since the key has another shard now */
  constructor(session: Session, counters: Pick<Counters, 'nativesResent'>, onMoved: (native: Native) => void) {
    this.#session = session;
    this.#counters = counters;
    this.#onMoved = onMoved;
  }

  get ended(): boolean {
    return this.#unsent.length === 0;
  }

  get mayBeExecuted(): boolean {
    return this.#unsettled.mayBeExecuted;
  }

  /** Natives that wait for the shard, and may run out of time. */
  get waits(): boolean {
    return this.#unsent.length > 0 || this.#unsettled.size > 0;
  }

  /** It has a native on that record without an answer. */
  has(key: string): boolean {
    return this.hasSuch((one) => one === key);
  }

  /** It has a native without an answer whose key is such. */
  hasSuch(isSuch: (key: string) => boolean): boolean {
    if (this.#unsent.some(({ call }) => isSuch(call.key)) || this.#unsettled.has(isSuch)) return true;
    for (const [, { call }] of this.#inFlight) if (isSuch(call.key)) return true;
    return false;
  }

  add(native: Native): void {
    this.#unsent.push(native);
    const bytes = estimatedBytes(native.call);
    this.unsentBytes += bytes;
    if (this.queued) this.#session.extend(bytes);
    else this.#session.enqueue(this);
  }

  write(out: FrameWriter, nowMs: number): boolean {
    const unsent = this.#unsent;
    this.queued = unsent.length > 0;
    if (!this.queued) return false;
    const start = out.size;
    const mark = beginNatives(out, this.#inFlight.next, this.#inFlight.below);
    let sent = 0;
    let sentBytes = 0;
    const expired: Native[] = [];
    while (sent < unsent.length && out.size - start < MESSAGE_BYTES) {
      const native = unsent[sent++]!;
      sentBytes += estimatedBytes(native.call);
      if (native.dueMs <= nowMs) {
        expired.push(native);
        continue;
      }
      const ageUs = native.snapshot === null ? null : ageUsOf(native.snapshot, nowMs);
      writeOperation(out, NATIVE_OPERATION, native.call, false, 0, null, native.at, ageUs);
      if (native.record !== null) native.record.sent(this.#session.id, this.#inFlight.next);
      this.#inFlight.add(native);
    }
    out.end(mark);
    this.queued = sent < unsent.length;
    this.#unsent = this.queued ? unsent.slice(sent) : [];
    this.unsentBytes = this.queued ? this.unsentBytes - sentBytes : 0;
    if (this.queued) this.queuedMs = this.#unsent[0]!.issuedMs;
    // Listeners that learn of it may issue operations, and the frame is being written.
    if (expired.length > 0) queueMicrotask(() => expired.forEach((native) => native.reject(unavailable(native))));
    return this.queued;
  }

  onNativesDone(done: NativesDone): void {
    this.#session.time.told(done.at, this.#session.heardMs);
    resolveDone(this.#inFlight, done, missing);
  }

  onNativeFailed(number: number, error: WireError): void {
    const native = this.#inFlight.get(number) ?? missing(number);
    this.#inFlight.delete(number);
    if (error.code === codes.wrongShard) this.#onMoved(native);
    else if (error.code === codes.snapshotBehind && native.snapshot !== null) native.snapshot.onBehind(error.at);
    else native.reject(stacklessError(error));
  }

  onSessionLost(): void {
    this.#unsettled.add(new Map(this.#inFlight));
    this.#inFlight = new NativesInFlight();
  }

  onSessionBegun(resumed: Resumed | null): void {
    const again = this.#unsettled.settle(resumed, this.#onMoved);
    if (again.length === 0) return;
    this.#counters.nativesResent += again.length;
    this.#unsent = [...again, ...this.#unsent];
    for (const { call } of again) this.unsentBytes += estimatedBytes(call);
    this.#session.enqueue(this);
  }

  /** Rejects the native if it has not been sent. */
  withdraw(native: Native, error: ClaretError): void {
    const index = this.#unsent.indexOf(native);
    if (index < 0) return;
    this.#unsent.splice(index, 1);
    this.unsentBytes -= estimatedBytes(native.call);
    native.reject(error);
  }

  /** Rejects the natives that could not be sent, or settled, in time. */
  expire(nowMs: number): void {
    this.#unsettled.expire(nowMs);
    const expired = this.#unsent.filter(({ dueMs }) => dueMs <= nowMs);
    if (expired.length === 0) return;
    this.#unsent = this.#unsent.filter(({ dueMs }) => dueMs > nowMs);
    this.unsentBytes = this.#unsent.reduce((sum, { call }) => sum + estimatedBytes(call), 0);
    for (const native of expired) native.reject(unavailable(native));
  }

  /** Rejects everything that is not answered. */
  close(error: ClaretError): void {
    const inFlight = [...this.#inFlight];
    const unsent = this.#unsent.splice(0);
    this.#inFlight = new NativesInFlight();
    this.unsentBytes = 0;
    for (const native of unsent) native.reject(error);
    for (const [, native] of inFlight) native.reject(observes(native) ? error : outcomeUnknown(native));
    this.#unsettled.close(error);
  }
}

function missing(number: number): never {
  throw malformed(`an answer to native ${number}, which is not in flight`);
}
