import type { HistoryValue } from '@claret/client';
import { compareTexts, pageSize, type Model } from '../model.ts';

export class SetOfTexts implements Model {
  readonly #members: Set<string>;
  /** by bytes; null: must be sorted again */
  #sorted: string[] | null = null;

  constructor(members?: Set<string>) {
    this.#members = new Set(members);
  }

  execute(op: string, args: HistoryValue[]): HistoryValue | undefined {
    if (op === 'contains') return this.#members.has(args[0] as string);
    if (op === 'size') return this.#members.size;
    if (op === 'members') {
      const after = args[1] as string | null;
      this.#sorted ??= [...this.#members].sort(compareTexts);
      return this.#sorted.filter((member) => after === null || compareTexts(member, after) > 0).slice(0, pageSize(args[0]));
    }
    if (op === 'insert') return new Set((args[0] as string[]).filter((member) => !this.#members.has(member))).size;
    if (op === 'erase') return new Set((args[0] as string[]).filter((member) => this.#members.has(member))).size;
    return undefined;
  }

  commit(op: string, args: HistoryValue[]): void {
    if (op === 'add') this.#put(args[0] as string, true);
    if (op === 'remove') this.#put(args[0] as string, false);
    if (op === 'insert' || op === 'erase') for (const member of args[0] as string[]) this.#put(member, op === 'insert');
  }

  #put(member: string, isThere: boolean): void {
    if (this.#members.has(member) !== isThere) this.#sorted = null;
    if (isThere) this.#members.add(member);
    else this.#members.delete(member);
  }

  clone(): SetOfTexts {
    return new SetOfTexts(this.#members);
  }

  equals(other: SetOfTexts): boolean {
    return this.#members.size === other.#members.size && [...this.#members].every((member) => other.#members.has(member));
  }
}
