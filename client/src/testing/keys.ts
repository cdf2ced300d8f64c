// Keys for tests that need one on a certain shard.

import { SLOT_COUNT, slotOf } from '../topology/slots.ts';

/** A key that begins with `name` and lies on that shard of two. */
export function keyOn(shard: number, name = 'key'): string {
  for (let i = 0; ; i++) {
    const key = `${name}:${i}`;
    if (Math.floor((slotOf(key) * 2) / SLOT_COUNT) === shard) return key;
  }
}
