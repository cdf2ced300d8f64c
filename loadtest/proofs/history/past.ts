// Past: the part of a checked history that later parts can contradict. All of its transactions had ended when the later part
// began. So only an earlier access to the same record with a greater timestamp can contradict a later one: each record's last
// acknowledged access and last acknowledged change show whether there is one. Not among what warranties have answered: that may have an earlier
// timestamp than what leaves it alone, and whether its result was right is seen by the replay.

import type { Committed, Access } from './committed.ts';
import { nameOf, type Violation } from './violation.ts';

/** Its shard was not asked, so nothing is known of its place among those that it was not to see. */
const isWarranted = ({ operations }: Access): boolean => operations.every(({ via }) => via === 'warranty');

interface Mark {
  id: string;
  name: string;
  at: bigint;
  acknowledgedNs: number;
}

interface Last {
  accessed: Mark;
  changed: Mark | null;
}

export class Past {
  readonly #records = new Map<string, Last>();
  /** of the last two parts, by transaction */
  #transactions = [new Map<string, Mark>(), new Map<string, Mark>()] as const;

  /** Adds the part's transactions to the past. */
  take(committed: readonly Committed[]): Violation[] {
    const violations = committed.flatMap((transaction) => [...this.#twice(transaction), ...this.#early(transaction)]);
    const transactions = new Map<string, Mark>();
    for (const transaction of committed) {
      const mark = markOf(transaction);
      transactions.set(transaction.attempt.transaction ?? mark.id, mark);
      if (mark.acknowledgedNs === Infinity) continue;
      for (const access of transaction.accesses) if (!isWarranted(access)) this.#put(access, mark);
    }
    this.#transactions = [transactions, this.#transactions[0]];
    return violations;
  }

  #put({ record, changes }: Access, mark: Mark): void {
    const last = this.#records.get(record);
    if (last === undefined) {
      this.#records.set(record, { accessed: mark, changed: changes ? mark : null });
      return;
    }
    last.accessed = later(last.accessed, mark);
    if (changes) last.changed = later(last.changed, mark);
  }

  #twice(transaction: Committed): Violation[] {
    const { attempt } = transaction;
    return this.#transactions.flatMap((transactions) => {
      const before = transactions.get(attempt.transaction ?? attempt.id);
      if (before === undefined) return [];
      return [
        {
          rule: 'twice' as const,
          text: `both attempts of one transaction: ${before.name} and ${nameOf(transaction)}`,
          attempts: [before.id, attempt.id],
        },
      ];
    });
  }

  /** A shard's clock never goes back, so this is a violation whether or not the two conflict. */
  #early(transaction: Committed): Violation[] {
    const { attempt, at, accesses } = transaction;
    return accesses.flatMap((access) => {
      if (isWarranted(access)) return [];
      const { record, changes } = access;
      const last = this.#records.get(record);
      const before = changes ? last?.accessed : last?.changed;
      if (before == null || before.at < at || before.acknowledgedNs >= attempt.call) return [];
      const text = `${nameOf(transaction)} began after ${before.name} was acknowledged, and is earlier on ${record}`;
      return [{ rule: 'order' as const, text, attempts: [before.id, attempt.id] }];
    });
  }
}

function markOf(committed: Committed): Mark {
  const { attempt, at, acknowledgedNs } = committed;
  return { id: attempt.id, name: nameOf(committed), at, acknowledgedNs };
}

const later = (one: Mark | null, other: Mark): Mark => (one === null || other.at > one.at ? other : one);
