// A limit on how many of a resource are taken at once, in total and per visitor (auth/address.ts), so that no visitor can take all.
import { visitorAddress } from '../auth/address.ts';

export type ShareLimits = { readonly max: number; readonly per_visitor_max: number };

export class Shares {
  readonly #limits: ShareLimits;
  readonly #byVisitor = new Map<string, number>();
  #taken = 0;

  constructor(limits: ShareLimits) {
    this.#limits = limits;
  }

  hasRoom(ip: string): boolean {
    return this.#taken < this.#limits.max && (this.#byVisitor.get(visitorAddress(ip)) ?? 0) < this.#limits.per_visitor_max;
  }

  /** Null: the limit is reached. Otherwise returns a function that gives the unit back; further calls have no effect. */
  take(ip: string): (() => void) | null {
    if (!this.hasRoom(ip)) return null;
    const visitor = visitorAddress(ip);
    this.#taken++;
    this.#byVisitor.set(visitor, (this.#byVisitor.get(visitor) ?? 0) + 1);
    let back = false;
    return () => {
      if (back) return;
      back = true;
      this.#taken--;
      const left = this.#byVisitor.get(visitor)! - 1;
      if (left === 0) this.#byVisitor.delete(visitor);
      else this.#byVisitor.set(visitor, left);
    };
  }
}
