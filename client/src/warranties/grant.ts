// Grant: this client's hold of one warranty. As long as it stands, the call has the result.
//
// standing ──recalled, dropped, or unused for long──▶ fallen ──nothing pins it any more──▶ returned
// Between two frames of a silent shard it may not stand for a while, and stand again: nothing has changed meanwhile.

import type { Call } from '../values/call.ts';
import type { WireValue } from '../values/values.ts';
import type { Granted } from '../wire/warranty-reader.ts';
import type { Wide } from '../wire/wide.ts';
import { sizeOf } from './size-of.ts';

/** The session that holds grants. Implemented once, since it makes the grants that call it. */
export interface Holder {
  readonly shard: number;
  /** its grants stand until then, on the steady clock */
  readonly leaseUntilMs: number;
  /** a timestamp that its shard has reached */
  readonly now: Wide;
  /** What violates a grant that it holds, if it does not return it first, commits above this timestamp. */
  readonly until: Wide;
  /** The grant has one pin less. */
  unpinned(grant: Grant): void;
}

/** Something that is right as long as what is below it does. */
export interface Dependent {
  /** It may not be right any more: a grant has fallen, or something below may not be right. */
  suspect(): void;
}

/** An attempt that prepares. What it relies on is not returned. Implemented once, since attempts stand above warranties. */
export interface Pinner {
  /** smaller is older */
  readonly priority: Wide;
  /** A transaction of that priority, which is older, waits for a grant that it pins: it must not wait itself. */
  mustNotWait(by: Wide): void;
}

export class Grant {
  readonly holder: Holder;
  /** in its session */
  readonly number: number;
  readonly call: Call;
  readonly result: WireValue;
  /** the timestamp from which on the result is right */
  readonly from: Wide;
  readonly digest: Uint8Array;
  readonly bytes: number;
  /** how often it has answered */
  uses = 0;
  usedMs: number;
  /** What violates it waits until then, on the steady clock, even if it has fallen. */
  firmUntilMs = -Infinity;
  /** It does not stand any more, whatever the lease says. */
  fallen = false;
  readonly #pinners: Pinner[] = [];
  /** null: there was none */
  #dependents: Set<Dependent> | null = null;

  constructor(holder: Holder, call: Call, result: WireValue, { grant, from, digest }: Granted, nowMs: number) {
    this.holder = holder;
    this.number = grant;
    // Without what else the operation refers to.
    this.call = { spec: call.spec, key: call.key, args: call.args };
    this.result = result;
    this.from = from;
    this.digest = digest;
    this.bytes = sizeOf(call, result);
    this.usedMs = nowMs;
  }

  stands(nowMs: number): boolean {
    return !this.fallen && nowMs < this.holder.leaseUntilMs;
  }

  /** REQUIRES: it has not fallen. */
  addDependent(dependent: Dependent): void {
    (this.#dependents ??= new Set()).add(dependent);
  }

  removeDependent(dependent: Dependent): void {
    this.#dependents?.delete(dependent);
  }

  /** What depends on it is told at once, before it can be returned. */
  fall(): void {
    this.fallen = true;
    const dependents = this.#dependents;
    this.#dependents = null;
    if (dependents !== null) for (const dependent of dependents) dependent.suspect();
  }

  get pinners(): readonly Pinner[] {
    return this.#pinners;
  }

  pin(pinner: Pinner): void {
    this.#pinners.push(pinner);
  }

  unpin(pinner: Pinner): void {
    this.#pinners.splice(this.#pinners.indexOf(pinner), 1);
    this.holder.unpinned(this);
  }
}
