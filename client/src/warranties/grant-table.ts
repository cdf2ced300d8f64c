// GrantTable: the grants of a client that have not fallen, by key. A shard grants at most 16 for one record.

import type { Call } from '../values/call.ts';
import { copyOf, isSameCall } from '../values/same.ts';
import type { WireValue } from '../values/values.ts';
import type { Grant } from './grant.ts';

/** What a grant says of a call. */
export interface Answer {
  readonly grant: Grant;
  /** a copy, which may be changed */
  readonly value: WireValue;
}

const NONE: readonly Grant[] = [];

export class GrantTable {
  /** how many there are */
  size = 0;
  bytes = 0;
  readonly #byKey = new Map<string, Grant[]>();

  add(grant: Grant): void {
    const { key } = grant.call;
    const there = this.#byKey.get(key);
    if (there === undefined) this.#byKey.set(key, [grant]);
    else there.push(grant);
    this.size++;
    this.bytes += grant.bytes;
  }

  /** Nothing happens if it is not there. */
  remove(grant: Grant): void {
    const { key } = grant.call;
    const there = this.#byKey.get(key);
    const at = there?.indexOf(grant) ?? -1;
    if (at < 0) return;
    if (there!.length === 1) this.#byKey.delete(key);
    else there!.splice(at, 1);
    this.size--;
    this.bytes -= grant.bytes;
  }

  /** The grants on the record. */
  of(key: string): readonly Grant[] {
    return this.#byKey.get(key) ?? NONE;
  }

  /** The grant of the same call. */
  same(call: Call): Grant | undefined {
    return this.of(call.key).find((grant) => isSameCall(grant.call, call));
  }

  /** The answer to the call, from a grant of an equal one that stands. */
  answer(call: Call, nowMs: number): Answer | null {
    const grant = this.of(call.key).find((one) => isSameCall(one.call, call) && one.stands(nowMs));
    return grant === undefined ? null : { grant, value: copyOf(grant.result) };
  }

  [Symbol.iterator](): IterableIterator<Grant> {
    return [...this.#byKey.values()].flat().values();
  }
}
