// OwnChanges: whether what a client changes itself mostly recalls its own grants on the record. Then it gives them back with the change, which
// need not wait for that.

import type { Wide } from '../wire/wide.ts';

/** So many more own recalls than others are `mostly`. */
const MOSTLY = 2;
const SCORE_MAX = 4;
/** Giving back in advance tells nothing, so now and then a recall is awaited again. */
const FORGOTTEN_EACH_TIME = 1 / 8;
const KEYS_MAX = 4_096;

export class OwnChanges {
  /** recalls by the client's own changes less those by others, by key */
  readonly #scores = new Map<string, number>();
  /** the priority of the last own transaction that changes the record, by key */
  readonly #changing = new Map<string, Wide>();

  /** A transaction of that priority is about to change a record on which the client has grants. Returns whether they are to be given back. */
  changes(key: string, priority: Wide): boolean {
    const score = this.#scores.get(key) ?? 0;
    if (score < MOSTLY) {
      if (this.#changing.size >= KEYS_MAX) this.#changing.clear();
      this.#changing.set(key, priority);
      return false;
    }
    this.#scores.set(key, score - FORGOTTEN_EACH_TIME);
    return true;
  }

  /** A grant on the record is recalled, for a transaction of that priority. */
  recalled(key: string, priority: Wide): void {
    const changing = this.#changing.get(key);
    const isOwn = changing !== undefined && changing.high === priority.high && changing.low === priority.low;
    const score = (this.#scores.get(key) ?? 0) + (isOwn ? 1 : -1);
    this.#changing.delete(key);
    if (this.#scores.size >= KEYS_MAX) this.#scores.clear();
    if (score <= 0) this.#scores.delete(key);
    else this.#scores.set(key, Math.min(score, SCORE_MAX));
  }
}
