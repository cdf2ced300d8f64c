// Chain: the members that a client has sent under one chain number, in the order of their own numbers, and its lanes, one for each shard.

import { NumberedTable } from '../session/numbered-table.ts';
import { Lane, type ChainSession } from './lane.ts';
import type { Member, MemberPart } from './member.ts';

export class Chain {
  readonly number: number;
  readonly #members = new NumberedTable<Member>();
  readonly #lanes: Lane[] = [];
  readonly #laneAt: Lane[] = [];
  readonly #sessionAt: (shard: number) => ChainSession;

  constructor(number: number, sessionAt: (shard: number) => ChainSession) {
    this.number = number;
    this.#sessionAt = sessionAt;
  }

  get empty(): boolean {
    return this.#members.size === 0;
  }

  get lanes(): readonly Lane[] {
    return this.#lanes;
  }

  /** Null: no member has come to that shard. */
  laneAt(shard: number): Lane | null {
    return this.#laneAt[shard] ?? null;
  }

  laneOf({ session: { shard } }: MemberPart): Lane {
    return this.#laneAt[shard] ?? this.#addLane(shard);
  }

  #addLane(shard: number): Lane {
    const lane = new Lane(this.#sessionAt(shard));
    this.#laneAt[shard] = lane;
    this.#lanes.push(lane);
    return lane;
  }

  /** Gives the member its number, and its parts to the sessions. */
  add(member: Member): void {
    this.#members.add(member);
    member.chain = this.number;
    // Between members of a batch nothing may end by itself.
    member.endsAlone = member.ends && !member.wide && this.laneOf(member.parts[0]!).wides === 0;
    for (const part of member.parts) {
      part.withdrawals = part.needs = 0; // it may come from another chain
      if (!member.endsAlone) this.laneOf(part).add(part);
      part.session.enqueue(part);
    }
  }

  get(number: number): Member | null {
    return this.#members.get(number);
  }

  remove(member: Member): void {
    this.#members.remove(member);
    for (const part of member.parts) this.laneOf(part).remove(part);
  }

  /** It is in a batch now. REQUIRES: its lanes know that. */
  removeWorded(member: Member): void {
    this.#members.remove(member);
  }

  /** The members by number. */
  inOrder(): Member[] {
    return [...this.#members].sort((a, b) => a.number - b.number);
  }

  /** The next member to be concluded; null: none can be. It is the lowest at each of its shards, and no withdrawal can have changed its answers. */
  get next(): Member | null {
    for (const lane of this.#lanes) {
      const part = lane.first;
      if (part === null || !part.isAnswered) continue;
      const { member } = part;
      if (!member.wide || (member.isAnswered && member.parts.every((one) => this.laneOf(one).first === one))) return member;
    }
    return null;
  }
}
