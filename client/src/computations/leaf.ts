// Leaf: a result on which the value of a node rests, and what its shard has said of that result.
//
// A leaf is a fact of the past. Whether the result is that of now, an attempt finds out each time: by a grant that stands, by its digest
// (`expect`), or by asking again.

import type { Call } from '../values/call.ts';
import { isSame } from '../values/same.ts';
import type { WireValue } from '../values/values.ts';
import type { Dependent, Grant } from '../warranties/grant.ts';
import type { GrantTable } from '../warranties/grant-table.ts';
import type { Reason } from '../warranties/uses.ts';

export class Leaf implements Dependent {
  readonly call: Call;
  readonly result: WireValue;
  /** The result follows from it, also if it has fallen; null: there was none, not even a digest. */
  grant: Grant | null;
  /** Its grant has fallen, or its digest was another one. */
  doubted = false;
  #above: Dependent | null = null;

  constructor(call: Call, result: WireValue, grant: Grant | null) {
    this.call = { spec: call.spec, key: call.key, args: call.args };
    this.result = result;
    this.grant = grant;
  }

  /** It is kept below that. */
  attach(above: Dependent): void {
    this.#above = above;
    this.#depend();
  }

  detach(): void {
    this.grant?.removeDependent(this);
    this.#above = null;
  }

  /** The result was found to be the same again. `grant`: from which it follows; null: nothing was said. */
  confirm(grant: Grant | null): void {
    this.doubted = false;
    if (grant === null || grant === this.grant) return;
    this.grant?.removeDependent(this);
    this.grant = grant;
    // Another session may hold it.
    this.#above?.suspect();
    this.#depend();
  }

  #depend(): void {
    if (this.#above !== null && this.promised) this.grant!.addDependent(this);
  }

  /** Its grant has fallen. */
  suspect(): void {
    this.doubted = true;
    this.#above?.suspect();
  }

  /** A grant has not fallen. */
  get promised(): boolean {
    return this.grant !== null && !this.grant.fallen;
  }

  /** Its grant stands, or another one from which the result follows. */
  stands(nowMs: number, table: GrantTable): boolean {
    if (this.grant?.stands(nowMs) === true) return true;
    const answer = table.answer(this.call, nowMs);
    if (answer === null || !isSame(answer.value, this.result)) return false;
    this.confirm(answer.grant);
    return true;
  }

  /** It may be asked for by its digest. */
  get reason(): Reason | null {
    return this.grant === null ? null : new LeafReason(this, this.grant);
  }
}

class LeafReason implements Reason {
  readonly grant: Grant;
  readonly #leaf: Leaf;

  constructor(leaf: Leaf, grant: Grant) {
    this.#leaf = leaf;
    this.grant = grant;
  }

  told(grant: Grant): void {
    this.#leaf.confirm(grant);
  }
}
