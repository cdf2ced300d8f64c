// Member: one transaction, or one look, that is sent whole in the chain of its session.
//
// queued ──written──▶ sent ──its turn──▶ concluded ──word──▶ worded ──▶ gone
//    ▲                 └──denied──┐
//    └────────────────────────────┘  with a new number

import type { RequestSource } from '../session/outgoing.ts';
import type { Call } from '../values/call.ts';
import type { WireValue } from '../values/values.ts';
import { MEMBER_REQUEST, beginMember, endMember } from '../wire/chain-writer.ts';
import { REQUEST_OPERATION, beginRequest, writeBegin, writeOperation, type Begin } from '../wire/client-frame.ts';
import { malformed } from '../wire/reader.ts';
import { estimatedBytes } from '../wire/operation-size.ts';
import type { Wide } from '../wire/wide.ts';
import type { WireError } from '../wire/wire-error.ts';
import type { ClaretError } from '../errors/claret-error.ts';
import type { FrameWriter } from '../wire/writer.ts';

/** The attempt that is sent as a member. */
export interface MemberOwner {
  /** of the attempt */
  readonly number: number;
  readonly deadlineMs: number;
  beginOf(nowMs: number): Begin;
  onWaited(locks: number, microseconds: number): void;
  /** It is sent again, if it is not denied for good. */
  onDenied(error: WireError): void;
  /** Everything below is concluded, and `results` are right: the body is to run again. Then it calls `Chains.concluded`. */
  onTurn(results: WireValue[]): void;
  /** The word that commits it leaves. */
  onWord(): void;
  /** It is taken out. */
  onOut(): void;
  /** The results on which its body has run, or runs, are none any more; it is taken out. */
  onStale(): void;
  /** `results`: only of a member that ends by itself. */
  onCommitted(at: Wide, results: WireValue[] | null): void;
  /** It left no trace. */
  onRefused(error: WireError): void;
  onBroken(error: ClaretError): void;
  /** The session is lost. */
  onLost(error: ClaretError): void;
}

export type MemberState = 'queued' | 'sent' | 'concluded' | 'worded' | 'gone';

/** The chain of a session, to which members are added as they are written. */
interface Numbering {
  /** Gives the member its number. Returns the number of the chain. */
  add(member: Member): number;
}

export class Member implements RequestSource {
  /** in its chain; 0: none yet */
  number = 0;
  chain = 0;
  state: MemberState = 'queued';
  queued = false;
  queuedMs = 0;
  readonly unsentBytes: number;
  /** in the order of issue */
  readonly operations: readonly Call[];
  /** it commits without a word */
  readonly ends: boolean;
  /** the number of its operations that have results */
  readonly #resultCount: number;
  readonly owner: MemberOwner;
  /** of its newest answer; null: none */
  results: WireValue[] | null = null;
  /** the withdrawals that the answer knew of, and those that it has to know of */
  withdrawals = 0;
  needs = 0;
  denials = 0;
  deniedSinceMs = 0;
  readonly #numbering: Numbering;

  constructor(owner: MemberOwner, operations: readonly Call[], ends: boolean, numbering: Numbering) {
    this.owner = owner;
    this.operations = operations;
    this.ends = ends;
    this.#numbering = numbering;
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
    return this.state !== 'queued';
  }

  /** It may have committed, or is about to. */
  get mayBeDecided(): boolean {
    return this.state === 'worded' || this.state === 'concluded' || (this.ends && this.state === 'sent');
  }

  write(out: FrameWriter, nowMs: number): boolean {
    this.queued = false;
    // The next check of deadlines ends the transaction.
    if (this.state !== 'queued' || nowMs >= this.owner.deadlineMs) return false;
    this.state = 'sent';
    this.chain = this.#numbering.add(this);
    const mark = beginMember(out, this.chain, this.number);
    const request = beginRequest(out, this.owner.number, 0, MEMBER_REQUEST);
    writeBegin(out, this.owner.beginOf(nowMs));
    for (const operation of this.operations) writeOperation(out, REQUEST_OPERATION, operation);
    out.end(request);
    endMember(out, mark, this.ends);
    return false;
  }

  /** It left no trace, and is sent once more. */
  again(): void {
    this.state = 'queued';
    this.number = this.chain = this.withdrawals = this.needs = 0;
    this.results = null;
  }

  /** Throws `malformed_frame` if these are not its results. */
  check(results: readonly WireValue[]): void {
    if (results.length !== this.#resultCount) throw malformed('not the results of the member');
  }

  /** Its answer counts: no withdrawal since could have changed it. */
  get isAnswered(): boolean {
    return this.results !== null && this.withdrawals >= this.needs;
  }

  /** Its results may depend on what the other one changes. */
  observesChangeOf(other: Member): boolean {
    return this.operations.some(
      ({ spec, key }) => spec.result !== 'void' && other.operations.some((one) => one.key === key && one.spec.operationClass !== 'observe'),
    );
  }
}
