// Part: what of a member is for one shard.

import type { RequestSource } from '../session/outgoing.ts';
import type { Session } from '../session/session.ts';
import type { Call } from '../values/call.ts';
import { isSame } from '../values/same.ts';
import type { WireValue } from '../values/values.ts';
import { MEMBER_REQUEST, beginMember, endMember } from '../wire/chain-writer.ts';
import { REQUEST_OPERATION, beginRequest, writeBegin, writeOperation, type Begin } from '../wire/client-frame.ts';
import { estimatedBytes } from '../wire/operation-size.ts';
import { malformed } from '../wire/reader.ts';
import type { Wide } from '../wire/wide.ts';
import type { FrameWriter } from '../wire/writer.ts';

export type MemberState = 'queued' | 'sent' | 'concluded' | 'worded' | 'gone';

/** The member, as its parts see it. */
interface PartedMember {
  state: MemberState;
  readonly number: number;
  /** the number of its chain */
  readonly chain: number;
  readonly endsAlone: boolean;
  /** in which it is sent; null: it needs none */
  readonly turn: Wide | null;
  readonly timed: boolean;
  readonly owner: {
    /** of the attempt */
    readonly number: number;
    readonly deadlineMs: number;
    beginOf(shard: number, nowMs: number): Begin;
  };
}

/** The session with the part's shard. */
export type PartSession = Pick<Session, 'shard' | 'live' | 'enqueue'>;

export class Part<Member extends PartedMember = PartedMember> implements RequestSource {
  readonly member: Member;
  readonly session: PartSession;
  readonly operations: readonly Call[];
  queued = false;
  queuedMs = 0;
  readonly unsentBytes: number;
  /** it must not leave any more */
  dropped = false;
  /** it has left for the shard */
  written = false;
  /** of its newest answer; null: none */
  results: WireValue[] | null = null;
  /** what the shard's clock had reached then; null: it was not told */
  at: Wide | null = null;
  /** the withdrawals that the answer knew of, and those that it has to know of */
  withdrawals = 0;
  needs = 0;
  /** the number of its operations that have results */
  readonly #resultCount: number;

  constructor(member: Member, session: PartSession, operations: readonly Call[]) {
    this.member = member;
    this.session = session;
    this.operations = operations;
    let bytes = 0;
    let resultCount = 0;
    for (const operation of operations) {
      bytes += estimatedBytes(operation);
      if (operation.spec.result !== 'void') resultCount++;
    }
    this.unsentBytes = bytes;
    this.#resultCount = resultCount;
  }

  get ended(): boolean {
    return this.dropped || this.member.state === 'gone';
  }

  write(out: FrameWriter, nowMs: number): boolean {
    this.queued = false;
    const { member } = this;
    // The next check of deadlines ends the transaction.
    if (this.ended || this.written || nowMs >= member.owner.deadlineMs) return false;
    member.state = 'sent';
    this.written = true;
    const mark = beginMember(out, member.chain, member.number);
    const request = beginRequest(out, member.owner.number, 0, MEMBER_REQUEST);
    writeBegin(out, member.owner.beginOf(this.session.shard, nowMs));
    for (const operation of this.operations) writeOperation(out, REQUEST_OPERATION, operation);
    out.end(request);
    endMember(out, mark, member.endsAlone, member.turn, member.timed);
    return false;
  }

  /** It left no trace, and is sent once more. */
  again(): void {
    this.written = false;
    this.results = this.at = null;
    this.withdrawals = this.needs = 0;
  }

  /** Throws `malformed_frame` if these are not its results. */
  answer(results: WireValue[], withdrawals: number, at: Wide | null): void {
    this.check(results);
    this.results = results;
    this.withdrawals = withdrawals;
    this.at = at;
  }

  check(results: readonly WireValue[]): void {
    if (results.length !== this.#resultCount) throw malformed('not the results of the member');
  }

  /** It has been answered, with these results. */
  isSame(results: readonly WireValue[]): boolean {
    return this.results !== null && isSame(this.results, results);
  }

  get isAnswered(): boolean {
    return this.results !== null && this.withdrawals >= this.needs;
  }

  /** Its results may depend on what the other one changes. */
  observesChangeOf(other: Part): boolean {
    return this.operations.some(
      ({ spec, key }) => spec.result !== 'void' && other.operations.some((one) => one.key === key && one.spec.operationClass !== 'observe'),
    );
  }

  get changes(): boolean {
    return this.operations.some(({ spec }) => spec.operationClass !== 'observe');
  }
}
