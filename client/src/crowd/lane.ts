// Lane: what of a chain is at one shard.

import type { Session } from '../session/session.ts';
import type { MemberPart } from './member.ts';

/** The session with the lane's shard. */
export type ChainSession = Pick<Session, 'shard' | 'live' | 'enqueue' | 'outbox' | 'leaveNow'>;

export class Lane {
  readonly session: ChainSession;
  /** members withdrawn here so far */
  withdrawals = 0;
  /** replies received so far, without errors and commits */
  answers = 0;
  /** members of several shards that wait for their batch */
  wides = 0;
  /** parts of members that wait for a word or a batch, by number; the first of those that are not concluded is at `#next` */
  readonly #parts: MemberPart[] = [];
  #next = 0;

  constructor(session: ChainSession) {
    this.session = session;
  }

  add(part: MemberPart): void {
    this.#parts.push(part);
    if (part.member.wide) this.wides++;
  }

  remove(part: MemberPart): void {
    const index = this.#parts.indexOf(part);
    if (index < 0) return;
    this.#parts.splice(index, 1);
    if (index < this.#next) this.#next--;
    if (part.member.wide) this.wides--;
  }

  /** The part of the lowest member that is not concluded; null: all are. */
  get first(): MemberPart | null {
    const parts = this.#parts;
    while (this.#next < parts.length && !isOpen(parts[this.#next]!)) this.#next++;
    return parts[this.#next] ?? null;
  }

  /** Words, or a batch, have left for all members up to this number. */
  worded(number: number): void {
    let end = 0;
    while (end < this.#parts.length && this.#parts[end]!.member.number <= number) if (this.#parts[end++]!.member.wide) this.wides--;
    this.#parts.splice(0, end);
    this.#next = Math.max(0, this.#next - end);
  }

  /** What the part changed is undone: answers that may depend on it must know of `withdrawals`. */
  undone(gone: MemberPart, withdrawals: number): void {
    if (!gone.changes) return;
    for (let i = this.#next; i < this.#parts.length; i++) {
      const part = this.#parts[i]!;
      if (part.member.number > gone.member.number && part.observesChangeOf(gone)) part.needs = Math.max(part.needs, withdrawals);
    }
  }
}

const isOpen = ({ member: { state } }: MemberPart): boolean => state === 'sent' || state === 'queued';
