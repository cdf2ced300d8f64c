// How many of something there may be at once, in all and for one visitor (auth/address.ts): one alone must not have them all.
import { visitorAddress } from '../auth/address.ts';

export type ShareLimits = { readonly max: number; readonly per_visitor_max: number };

export class Shares {
  readonly #limits: ShareLimits;
  readonly #byVisitor = new Map<string, number>();
  #taken = 0;

  constructor(limits: ShareLimits) {
    this.#limits = limits;
  }

  get taken(): number {
    return this.#taken;
  }

  hasRoom(ip: string): boolean {
    return this.#taken < this.#limits.max && (this.#byVisitor.get(visitorAddress(ip)) ?? 0) < this.#limits.per_visitor_max;
  }

  /** Null: there is no room. Returns what gives it back, which counts once. */
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
