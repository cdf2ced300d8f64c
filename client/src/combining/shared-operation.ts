// SharedOperation: a granted operation that the shard lets this process hold beside the attempt that issued it, so that other
// attempts of the process may join it (docs/decisions/0005).
//
// asked ──granted──▶ standing ──window over, notice, conflict──▶ closed ──last member has left──▶ released
//    └──denied, refused, its attempt has ended──────────────────────────────────────────────────▶ released
//
// Members are the branch that created it, up to its prepare, and the branches that have joined, up to their next request, which
// takes the operation over. Until the shard has answered, other attempts that want the same result may wait here instead of asking
// the shard too. The shards do not see this wait. So only an attempt that holds nothing may wait here, since no other attempt can wait
// for it meanwhile. It must also be younger than the creator: even if it acquires a lock meanwhile, it waits for an older attempt, as
// the shards require.

import type { Operation } from '../operation/operation.ts';
import type { Counters } from '../reports/counters.ts';
import { resultOf } from '../values/result.ts';
import type { WireValue } from '../values/values.ts';
import type { Wide } from '../wire/wide.ts';
import { copyOf, mayFollow, resultFrom } from './join-rules.ts';

type AnyOperation = Operation<unknown>;

/** The branch of an attempt, as shared operations see it. */
export interface Member {
  readonly shard: number;
  /** its transaction's; smaller is older */
  readonly priority: Wide;
  /** one of its requests is unanswered */
  readonly busy: boolean;
  /** The operation has not been sent, and may be combined with operations of other attempts. */
  combines(operation: AnyOperation): boolean;
  /** The attempt has another operation on the same record, sent or not. */
  hasOwn(operation: AnyOperation): boolean;
  /** The operation is the only one of the whole attempt, so the attempt holds nothing. */
  isFirst(operation: AnyOperation): boolean;
  /** The branch becomes the creator of the shared operation. */
  share(shared: SharedOperation): void;
  /** The shared operation answers the operation. */
  join(shared: SharedOperation, operation: AnyOperation, result: unknown): void;
  /** The operation waits until the shared one is granted. */
  park(shared: SharedOperation, operation: AnyOperation): void;
  /** The operation no longer waits. */
  parkedEnds(operation: AnyOperation): void;
  /** An operation that waited must be sent after all. */
  resend(operation: AnyOperation): void;
  /** The next request takes over everything that was joined, and leaves as soon as it can. */
  takeOver(): void;
  /** The process releases the shared operation with that number. */
  release(share: number): void;
}

/** The shared operations of the process. */
export interface SharedRegistry {
  readonly counters: Counters;
  nowMs(): number;
  /** The operation can no longer be joined. */
  forgetKey(shared: SharedOperation): void;
  /** The operation is released. */
  forget(shared: SharedOperation): void;
}

const ASKED = 0;
const STANDING = 1;
const CLOSED = 2;
const RELEASED = 3;

export class SharedOperation {
  /** given by the table of shared operations, unique in this process */
  number = 0;
  readonly operation: AnyOperation;
  readonly creator: Member;
  /** when its request was written; -1 before */
  sentMs = -1;
  readonly #registry: SharedRegistry;
  #state = ASKED;
  #result: WireValue = null;
  #joinUntilMs = 0;
  readonly #members: Set<Member>;
  #parked = new Map<AnyOperation, Member>();

  constructor(registry: SharedRegistry, creator: Member, operation: AnyOperation) {
    this.#registry = registry;
    this.creator = creator;
    this.operation = operation;
    this.#members = new Set([creator]);
  }

  get asked(): boolean {
    return this.#state === ASKED;
  }

  /** Returns true if this one answers the operation, now or later. Then the operation need not be sent. */
  take(member: Member, operation: AnyOperation, nowMs: number): boolean {
    if (this.#state === ASKED) return this.#park(member, operation);
    if (nowMs >= this.#joinUntilMs) {
      this.close();
      return false;
    }
    return this.#join(member, operation);
  }

  #park(member: Member, operation: AnyOperation): boolean {
    // A change that waits here could come out of the order in which its transaction issues changes.
    if (operation.spec.operationClass !== 'observe' || !mayFollow(this.operation, operation)) return false;
    if (!member.isFirst(operation)) return false;
    if (!isOlder(this.creator.priority, member.priority)) return false;
    member.park(this, operation);
    this.#parked.set(operation, member);
    return true;
  }

  /** The operation no longer waits here. */
  unpark(operation: AnyOperation): void {
    this.#parked.delete(operation);
  }

  #join(member: Member, operation: AnyOperation): boolean {
    const result = resultFrom(this.operation, this.#result, operation);
    if (result === undefined) return false;
    const { counters } = this.#registry;
    counters.combined++;
    counters.neverSent++;
    this.#members.add(member);
    const kind = operation.spec.result;
    member.join(this, operation, kind === 'void' ? undefined : resultOf(kind, result));
    return true;
  }

  /** Keeps a copy of the result, before a body can change it. */
  answered(result: WireValue): void {
    this.#result = copyOf(result);
  }

  /** The shard holds the operation for the process, and lets others join for that long. */
  stand(joinForUs: number): void {
    this.#state = STANDING;
    this.#joinUntilMs = this.sentMs + joinForUs / 1000;
    const nowMs = this.#registry.nowMs();
    for (const [operation, member] of this.#unparkAll()) {
      if (member.hasOwn(operation) || !this.take(member, operation, nowMs)) member.resend(operation);
    }
    if (nowMs < this.#joinUntilMs) return;
    this.close();
    // The creator itself holds the record, and no other branch can join any more.
    this.leave(this.creator);
  }

  /** The shard did not grant it to the process, or it has no member left. */
  end(): void {
    this.#release();
    if (this.sentMs >= 0) this.creator.release(this.number);
  }

  /** From now on the member holds the record by itself, or it has ended. */
  leave(member: Member): void {
    if (this.#members.delete(member) && this.#members.size === 0) this.end();
  }

  /** From now on it cannot be joined. */
  close(): void {
    this.#registry.forgetKey(this);
    if (this.#state === STANDING) this.#state = CLOSED;
  }

  /** An older transaction waits for it, so every member takes it over now. */
  dissolve(): void {
    this.close();
    for (const member of [...this.#members]) {
      if (member === this.creator) this.leave(member);
      else member.takeOver();
    }
  }

  /** The session is lost, and with it the shared operation. */
  lost(): void {
    this.#release();
  }

  #release(): void {
    this.#state = RELEASED;
    this.#members.clear();
    this.#registry.forget(this);
    for (const [operation, member] of this.#unparkAll()) member.resend(operation);
  }

  #unparkAll(): Map<AnyOperation, Member> {
    const parked = this.#parked;
    this.#parked = new Map();
    for (const [operation, member] of parked) member.parkedEnds(operation);
    return parked;
  }
}

function isOlder(first: Wide, second: Wide): boolean {
  return first.high !== second.high ? first.high < second.high : first.low < second.low;
}
