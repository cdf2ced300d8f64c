// The check of a list of the newest items, a TopK by time: it has the newest of all added entries, each with its time, and no
// others. A mismatch is reported once.

import type { Claret } from '@claret/client';
import { NEWEST_MAX } from '../../apps/retwis/server/model.ts';
import { readAll } from '../kit/checking.ts';

export class NewestCheck {
  readonly #record: string;
  /** the newest entries added, by id; trimmed now and then to the length of the list */
  #added = new Map<string, number>();

  constructor(record: string) {
    this.#record = record;
  }

  added(id: string, at_ms: number): void {
    this.#added.set(id, at_ms);
    if (this.#added.size > 8 * NEWEST_MAX) this.#added = new Map(this.#newest());
  }

  async mismatches(claret: Claret): Promise<string[]> {
    const [listed] = await readAll(claret, [claret.on.topK(this.#record).top(NEWEST_MAX)]);
    const newest = new Map(this.#newest());
    const missing = [...newest].filter(([id, at_ms]) => !listed!.some(([other, time]) => other === id && time === at_ms));
    const unknown = listed!.filter(([id, at_ms]) => newest.get(id) !== at_ms);
    this.#added = new Map(listed);
    if (missing.length === 0 && unknown.length === 0) return [];
    return [`${this.#record} is without ${missing.length} of the newest ${newest.size}, and has ${unknown.length} that are not among them`];
  }

  #newest(): [id: string, at_ms: number][] {
    return [...this.#added].sort(([, a], [, b]) => b - a).slice(0, NEWEST_MAX);
  }
}
