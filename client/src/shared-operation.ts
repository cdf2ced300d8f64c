// SharedOperation: a granted operation that the shard lets this process hold beside the attempt that issued it, so that
// others of its attempts may join it (the founding rules, section 7).
//
// asked ──granted──▶ standing ──window over, notice, conflict──▶ closed ──last member has left──▶ released
//    └──denied, refused, its attempt has ended──────────────────────────────────────────────────▶ released
//
// Members are the attempt that created it, up to its prepare, and those that have joined, up to their next request: there
// they take the operation over. While it is asked for, younger attempts that want the same wait here instead of asking too;
// only such as hold nothing yet, so that nobody waits for them meanwhile; and only younger ones, so that whoever gets hold of
// something all the same while it waits unseen by the shards waits for an elder.

import type { Combiner } from './combiner.ts';
import { copyOf, mayFollow, resultFrom } from './join-rules.ts';
import type { Operation } from './operation.ts';
import type { Part } from './part.ts';
import { resultOf, type WireValue } from './values.ts';
import type { Wide } from './wire/client-frame.ts';

type AnyOperation = Operation<unknown>;

const ASKED = 0;
const STANDING = 1;
const CLOSED = 2;
const RELEASED = 3;

export class SharedOperation {
  /** the session's: unique in this process */
  readonly number: number;
  readonly operation: AnyOperation;
  readonly creator: Part;
  /** when its request was written; -1 before */
  sentMs = -1;
  readonly #combiner: Combiner;
  #state = ASKED;
  #result: WireValue = null;
  #joinUntilMs = 0;
  readonly #members: Set<Part>;
  #parked = new Map<AnyOperation, Part>();

  constructor(combiner: Combiner, number: number, creator: Part, operation: AnyOperation) {
    this.#combiner = combiner;
    this.number = number;
    this.creator = creator;
    this.operation = operation;
    this.#members = new Set([creator]);
  }

  get asked(): boolean {
    return this.#state === ASKED;
  }

  /** True when the operation is answered by this one, or will be: nobody has to send it for its grant. */
  take(part: Part, operation: AnyOperation, nowMs: number): boolean {
    if (this.#state === ASKED) return this.#park(part, operation);
    if (nowMs >= this.#joinUntilMs) {
      this.close();
      return false;
    }
    return this.#join(part, operation);
  }

  #park(part: Part, operation: AnyOperation): boolean {
    // A change would come out of the order in which its transaction issues them.
    if (operation.spec.operationClass !== 'observe' || !mayFollow(this.operation, operation)) return false;
    if (!part.attempt.beginsWith(operation)) return false;
    if (!isOlder(this.creator.attempt.owner.priority, part.attempt.owner.priority)) return false;
    part.park(this, operation);
    this.#parked.set(operation, part);
    return true;
  }

  /** It does not wait here any more. */
  unpark(operation: AnyOperation): void {
    this.#parked.delete(operation);
  }

  #join(part: Part, operation: AnyOperation): boolean {
    const result = resultFrom(this.operation, this.#result, operation);
    if (result === undefined) return false;
    const { counters } = part.attempt.client;
    counters.combined++;
    counters.neverSent++;
    this.#members.add(part);
    const kind = operation.spec.result;
    part.join(this, operation, kind === 'void' ? undefined : resultOf(kind, result));
    return true;
  }

  /** Its own operation is granted: the result, before anybody could change it. */
  answered(result: WireValue): void {
    this.#result = copyOf(result);
  }

  /** The shard holds it for us, and lets others join until then. */
  stand(joinForUs: number): void {
    this.#state = STANDING;
    this.#joinUntilMs = this.sentMs + joinForUs / 1000;
    const nowMs = this.#combiner.nowMs();
    for (const [operation, part] of this.#unparkAll()) {
      if (part.hasOwn(operation) || !this.take(part, operation, nowMs)) part.resend(operation);
    }
    if (nowMs < this.#joinUntilMs) return;
    this.close();
    // Nobody joins any more, and its creator holds the record anyway.
    this.leave(this.creator);
  }

  /** It is not granted to the process, or nobody is left to see. */
  end(): void {
    this.#release();
    if (this.sentMs >= 0) this.creator.session.release(this.number);
  }

  /** The member holds it by itself from now on, or has ended. */
  leave(part: Part): void {
    if (this.#members.delete(part) && this.#members.size === 0) this.end();
  }

  /** Nobody joins any more. */
  close(): void {
    this.#combiner.forgetKey(this);
    if (this.#state === STANDING) this.#state = CLOSED;
  }

  /** An older transaction waits for it: every member takes it over now. */
  dissolve(): void {
    this.close();
    for (const part of [...this.#members]) {
      if (part === this.creator) this.leave(part);
      else part.takeOver();
    }
  }

  /** Its session is gone, and the shard has forgotten it. */
  lost(): void {
    this.#release();
  }

  #release(): void {
    this.#state = RELEASED;
    this.#members.clear();
    this.#combiner.forget(this);
    for (const [operation, part] of this.#unparkAll()) part.resend(operation);
  }

  #unparkAll(): Map<AnyOperation, Part> {
    const parked = this.#parked;
    this.#parked = new Map();
    for (const [operation, part] of parked) part.parkedEnds(operation);
    return parked;
  }
}

function isOlder(first: Wide, second: Wide): boolean {
  return first.high !== second.high ? first.high < second.high : first.low < second.low;
}
