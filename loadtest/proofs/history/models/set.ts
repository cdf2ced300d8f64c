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
    return undefined;
  }

  commit(op: string, args: HistoryValue[]): void {
    const member = args[0] as string;
    if (op !== 'add' && op !== 'remove') return;
    if (this.#members.has(member) !== (op === 'add')) this.#sorted = null;
    if (op === 'add') this.#members.add(member);
    else this.#members.delete(member);
  }

  clone(): SetOfTexts {
    return new SetOfTexts(this.#members);
  }

  equals(other: SetOfTexts): boolean {
    return this.#members.size === other.#members.size && [...this.#members].every((member) => other.#members.has(member));
  }
}
