// UnsettledNatives: the natives whose answers were lost with a session. The next session with the shard settles them. Those that were
// executed get their answers then. Those without an answer are sent again, unless a later native of this client on their record was executed:
// they would come after it, although they were issued before. (A read that waited too long at the shard has no answer.)

import { stacklessError, type ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import type { Resumed } from '../wire/server-frame.ts';
import { observes, outcomeUnknown, overtaken, resolveDone, settled, unavailable, type Native } from './native.ts';

export class UnsettledNatives {
  /** by number in the lost session, in order of issue */
  #natives = new Map<number, Native>();
  /** numbers of those whose time is over; they stay in the map, since an answer may be to several natives */
  readonly #late = new Set<number>();
  /** The lost session may still execute some, also of those whose time is over, until the next one names it. */
  #mayBeExecuted = false;

  /** Natives that wait to be settled. */
  get size(): number {
    return this.#natives.size - this.#late.size;
  }

  /** One whose time is not over has such a key. */
  has(isSuch: (key: string) => boolean): boolean {
    for (const [number, { call }] of this.#natives) if (!this.#late.has(number) && isSuch(call.key)) return true;
    return false;
  }

  get mayBeExecuted(): boolean {
    return this.#mayBeExecuted;
  }

  /** A session is lost, with these natives in flight. All of an earlier session have been settled. */
  add(natives: Map<number, Native>): void {
    this.#natives = natives;
    this.#mayBeExecuted = natives.size > 0;
  }

  /**
   * Settles all of them. Throws `malformed_frame` for an answer that fits none.
   *
   * @param resumed null: the shard says nothing
   * @param onMoved called with those that the shard has refused, since their keys have another shard now
   * @returns those that are to be sent again, in order
   */
  settle(resumed: Resumed | null, onMoved: (native: Native) => void): Native[] {
    const natives = this.#natives;
    const last = lastExecuted(natives, resumed?.known ? resumed : null);
    // The session may have had answers that the client has received.
    for (const done of resumed?.done ?? []) resolveDone(natives, done, () => {});
    for (const { number, error } of resumed?.failed ?? []) {
      const native = natives.get(number);
      natives.delete(number);
      if (native !== undefined && error.code === codes.wrongShard && !this.#late.has(number)) onMoved(native);
      else native?.reject(stacklessError(error));
    }
    this.#natives = new Map();
    this.#mayBeExecuted = false;
    const again: Native[] = [];
    for (const [number, native] of natives) {
      if (this.#late.has(number)) continue;
      if (!observes(native) && !resumed?.known) native.reject(outcomeUnknown(native));
      else if ((last.get(native.call.key) ?? 0) > number) native.reject(overtaken(native));
      else again.push(native);
    }
    this.#late.clear();
    return again;
  }

  /** Rejects the natives whose time is over. */
  expire(nowMs: number): void {
    for (const [number, native] of this.#natives) {
      if (native.dueMs > nowMs || this.#late.has(number)) continue;
      this.#late.add(number);
      this.#natives.set(number, settled(native));
      native.reject(observes(native) ? unavailable(native) : outcomeUnknown(native));
    }
  }

  /** @param error of those that only observe */
  close(error: ClaretError): void {
    for (const native of this.#natives.values()) native.reject(observes(native) ? error : outcomeUnknown(native));
    this.#natives.clear();
    this.#late.clear();
  }
}

/** key → the greatest number of a native on the record that was executed, or (null: nothing is known) may have changed it. */
function lastExecuted(natives: ReadonlyMap<number, Native>, resumed: Resumed | null): Map<string, number> {
  const last = new Map<string, number>();
  const note = (number: number, native: Native) => void last.set(native.call.key, Math.max(number, last.get(native.call.key) ?? 0));
  if (resumed === null) for (const [number, native] of natives) if (!observes(native)) note(number, native);
  for (const { first, count } of resumed?.done ?? []) {
    for (let number = first; number < first + count; number++) {
      const native = natives.get(number);
      if (native !== undefined) note(number, native);
    }
  }
  return last;
}
