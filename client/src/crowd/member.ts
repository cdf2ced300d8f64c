// Member: one transaction, or one look, that is sent whole in the chain of its client. It has a part at each shard of its operations; with
// several parts it is *wide*.
//
// queued ──numbered, its parts are written──▶ sent ──its turn──▶ concluded ──word, or batch──▶ worded ──▶ gone
//    ▲                                         └──denied──┐
//    └────────────────────────────────────────────────────┘  with a new number

import type { Deadline } from '../environment/deadline.ts';
import type { ClaretError } from '../errors/claret-error.ts';
import type { PlaceInBatch } from '../reports/attempt-record.ts';
import type { ReceiptDraft } from '../reports/receipt-draft.ts';
import type { Call } from '../values/call.ts';
import type { WireValue } from '../values/values.ts';
import type { Begin } from '../wire/client-frame.ts';
import type { Wide } from '../wire/wide.ts';
import type { WireError } from '../wire/wire-error.ts';
import { Part, type MemberState, type PartSession } from './part.ts';

/** The attempt that is sent as a member. */
export interface MemberOwner {
  /** of the attempt */
  readonly number: number;
  readonly deadlineMs: number;
  readonly deadline: Deadline;
  readonly priority: Wide;
  /** null: nobody asks for one */
  readonly receipt: ReceiptDraft | null;
  beginOf(shard: number, nowMs: number): Begin;
  onWaited(locks: number, microseconds: number): void;
  /** It is sent again, if it is not denied for good. */
  onDenied(error: WireError): void;
  /** It has been denied for so long. True: it takes locks instead; false: it has to be sent again. */
  fallBack(deniedMs: number): boolean;
  /** Everything below is concluded, and `results` are right: the body is to run again. Then it calls `Chains.concluded`. */
  onTurn(results: WireValue[]): void;
  /** The word that commits it leaves. */
  onWord(): void;
  /** It is taken out. */
  onOut(): void;
  /** The results on which its body has run, or runs, are none any more; it is taken out. */
  onStale(): void;
  /** `results`: only of a member that depends on none of them. */
  onCommitted(at: Wide, results: WireValue[] | null): void;
  /** It left no trace. */
  onRefused(error: WireError): void;
  /** `reason`: why its chain broke (docs/errors.md). */
  onBroken(error: ClaretError, reason: string): void;
  /** The session is lost. */
  onLost(error: ClaretError): void;
  /** It may have committed, and nobody could find out. */
  onUnknown(): void;
}

/** The batch in which it commits. Implemented once, since a batch knows its members. */
export interface MemberBatch {
  placeOf(member: Member): PlaceInBatch;
  /** A shard that has to be asked for the outcome cannot be reached. */
  readonly asksInVain: boolean;
  /** The time of one of its members is over. */
  onDeadline(): void;
}

export interface MemberOptions {
  /** it depends on none of its results */
  readonly ends?: boolean;
  /** it is sent again when it is denied */
  readonly patient?: boolean;
  /** its answers tell the shards' times */
  readonly timed?: boolean;
}

export type MemberPart = Part<Member>;

export class Member {
  /** in its chain; 0: none yet */
  number = 0;
  /** the number of its chain */
  chain = 0;
  state: MemberState = 'queued';
  /** in the order of issue */
  readonly operations: readonly Call[];
  parts: readonly MemberPart[];
  /** it depends on none of its results */
  readonly ends: boolean;
  /** it ends, and its shard commits it without a word */
  endsAlone = false;
  readonly patient: boolean;
  readonly timed: boolean;
  readonly owner: MemberOwner;
  readonly #sessionOf: (key: string) => PartSession;
  /** of each operation, the index of its part */
  readonly #partOf: number[] = [];
  /** in which it was sent; null: it has one part, and needs none */
  turn: Wide | null = null;
  /** see SendingTurn; 0: it is answered */
  unansweredIn = 0;
  /** in which it prepares; null: none */
  batch: MemberBatch | null = null;
  denials = 0;
  deniedSinceMs = 0;

  constructor(
    owner: MemberOwner,
    operations: readonly Call[],
    sessionOf: (key: string) => PartSession,
    { ends = false, patient = true, timed = false }: MemberOptions = {},
  ) {
    this.owner = owner;
    this.operations = operations;
    this.ends = ends;
    this.patient = patient;
    this.timed = timed;
    this.#sessionOf = sessionOf;
    this.parts = this.#divide();
  }

  get wide(): boolean {
    return this.parts.length > 1;
  }

  partAt(shard: number): MemberPart | undefined {
    return this.parts.find((part) => part.session.shard === shard);
  }

  /** It may have committed. One whose word has not left yet can still be taken out. */
  get mayBeDecided(): boolean {
    return this.state === 'worded' || (this.endsAlone && this.state === 'sent');
  }

  /** It left no trace, and is sent once more. */
  again(): void {
    this.state = 'queued';
    this.number = this.chain = 0;
    if (!this.wide) return this.parts[0]!.again();
    // Some may be queued, at places that belong to the old number.
    for (const part of this.parts) part.dropped = true;
    this.parts = this.#divide();
  }

  /** Every shard has answered, with or without an answer that counts. */
  get hasResults(): boolean {
    return this.parts.every((part) => part.results !== null);
  }

  /** Its answers count: no withdrawal since could have changed them. */
  get isAnswered(): boolean {
    return this.parts.every((part) => part.isAnswered);
  }

  /** The results of those operations that have one, in the order of issue. REQUIRES: hasResults. */
  get results(): WireValue[] {
    if (!this.wide) return this.parts[0]!.results!;
    const next = this.parts.map(() => 0);
    const results: WireValue[] = [];
    for (let i = 0; i < this.operations.length; i++) {
      if (this.operations[i]!.spec.result === 'void') continue;
      const part = this.#partOf[i]!;
      results.push(this.parts[part]!.results![next[part]!++]!);
    }
    return results;
  }

  /** In the order in which the operations come to their shards. */
  #divide(): MemberPart[] {
    const { operations } = this;
    const sessions: PartSession[] = [];
    const calls: Call[][] = [];
    this.#partOf.length = 0;
    for (const operation of operations) {
      const session = this.#sessionOf(operation.key);
      let part = sessions.indexOf(session);
      if (part < 0) {
        part = sessions.push(session) - 1;
        calls.push([]);
      }
      calls[part]!.push(operation);
      this.#partOf.push(part);
    }
    return sessions.map((session, i) => new Part(this, session, calls[i]!));
  }
}
