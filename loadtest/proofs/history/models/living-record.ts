import type { HistoryValue } from '@claret/client';
import type { FRESH, Model, Step } from '../model.ts';

/** A record that is there unless it is empty, and can be deleted. It does not expire. */
export class LivingRecord implements Model {
  readonly #type: string;
  readonly #Made: new () => Model;
  #content: Model;

  constructor(type: string, Made: new () => Model, content: Model = new Made()) {
    this.#type = type;
    this.#Made = Made;
    this.#content = content;
  }

  execute(op: string, args: HistoryValue[], own: readonly Step[]): HistoryValue | undefined | typeof FRESH {
    if (op === 'delete' || op === 'exists') return this.#isThere;
    if (op === 'type') return this.#isThere ? this.#type : null;
    if (op === 'expiresAt') return null;
    return this.#content.execute(op, args, own);
  }

  get #isThere(): boolean {
    return !this.#content.equals(new this.#Made());
  }

  commit(op: string, args: HistoryValue[], result: HistoryValue | undefined): void {
    if (op === 'delete') this.#content = new this.#Made();
    else this.#content.commit(op, args, result);
  }

  clone(): LivingRecord {
    return new LivingRecord(this.#type, this.#Made, this.#content.clone());
  }

  equals(other: LivingRecord): boolean {
    return this.#content.equals(other.#content);
  }
}
