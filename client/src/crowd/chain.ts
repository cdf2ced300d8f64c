// Chain: the members that a session has sent under one chain number, in the order of their own numbers.

import { NumberedTable } from '../session/numbered-table.ts';
import type { Member } from './member.ts';

export class Chain {
  readonly number: number;
  /** members withdrawn so far */
  withdrawals = 0;
  /** replies received so far, without errors and commits */
  answers = 0;
  readonly #members = new NumberedTable<Member>();
  /** those that wait for a word, by number; the first is at `#next` */
  #waiting: Member[] = [];
  #next = 0;

  constructor(number: number) {
    this.number = number;
  }

  get empty(): boolean {
    return this.#members.size === 0;
  }

  add(member: Member): number {
    this.#members.add(member);
    if (!member.ends) this.#waiting.push(member);
    return this.number;
  }

  get(number: number): Member | null {
    return this.#members.get(number);
  }

  remove(member: Member): void {
    this.#members.remove(member);
    if (member.state === 'gone') return;
    // It may be added again, with another number.
    const index = this.#waiting.indexOf(member);
    if (index < 0) return;
    this.#waiting.splice(index, 1);
    if (index < this.#next) this.#next--;
  }

  /** The members by number. */
  inOrder(): Member[] {
    return [...this.#members].sort((a, b) => a.number - b.number);
  }

  /** The lowest member that is not concluded; null: there is none. */
  get first(): Member | null {
    const waiting = this.#waiting;
    while (this.#next < waiting.length && waiting[this.#next]!.state !== 'sent') this.#next++;
    if (this.#next * 2 >= waiting.length) {
      waiting.splice(0, this.#next);
      this.#next = 0;
    }
    return waiting[this.#next] ?? null;
  }

  /** What the member changed is undone: answers that may depend on it must know of `withdrawals`. */
  undone(gone: Member, withdrawals: number): void {
    if (!gone.operations.some(({ spec }) => spec.operationClass !== 'observe')) return;
    for (let i = this.#next; i < this.#waiting.length; i++) {
      const member = this.#waiting[i]!;
      if (member.number > gone.number && member.observesChangeOf(gone)) member.needs = Math.max(member.needs, withdrawals);
    }
  }
}
