// The messages of a transaction, by the shards that it reads and changes: the table of the paper's section 5 (Liu et al.).

import type { Claret } from '@claret/client';
import { keyOn } from '../../../client/src/testing/keys.ts';
import { readAll } from '../../kit/checking.ts';
import type { DriverTotals } from './question.ts';
import type { Workload } from './workload.ts';

/** Which of two shards a transaction reads, one after the other, and which it changes. */
export const PHASES: Readonly<Record<string, { reads: readonly number[]; changes: readonly number[] }>> = {
  'reads two shards': { reads: [0, 1], changes: [] },
  'reads one shard, changes it': { reads: [0], changes: [0] },
  'reads one shard, changes the other': { reads: [0], changes: [1] },
  'reads two shards, changes one': { reads: [0, 1], changes: [1] },
  'reads one shard, changes both': { reads: [0], changes: [0, 1] },
};

const readRecord = (shard: number): string => keyOn(shard, 'phases:read');
const changedRecord = (shard: number): string => keyOn(shard, 'phases:changed');

export class Phases implements Workload {
  readonly #claret: Claret;
  readonly #changed = new Map<string, number>();

  constructor(claret: Claret) {
    this.#claret = claret;
  }

  async load(): Promise<void> {
    await this.#claret.transact(
      'Load',
      [0, 1].map((shard) => this.#claret.on.counter(readRecord(shard)).add(7)),
    );
  }

  async run(way: string): Promise<boolean> {
    const { reads, changes } = PHASES[way]!;
    await this.#claret.transaction('Phase', async (tx) => {
      for (const shard of reads) if ((await tx.counter(readRecord(shard)).value()) !== 7) throw new Error('a value that never was');
      for (const shard of changes) tx.counter(changedRecord(shard)).add(1);
    });
    for (const shard of changes) {
      const key = changedRecord(shard);
      this.#changed.set(key, (this.#changed.get(key) ?? 0) + 1);
    }
    return changes.length > 0;
  }

  get totals(): DriverTotals {
    return Object.fromEntries(this.#changed);
  }

  async mismatches(totals: DriverTotals): Promise<string[]> {
    const keys = Object.keys(totals);
    const values = await readAll(
      this.#claret,
      keys.map((key) => this.#claret.on.counter(key).value()),
    );
    return keys.flatMap((key, i) => (values[i] === totals[key] ? [] : [`${key} is ${values[i]}, but ${totals[key]} were acknowledged`]));
  }
}
