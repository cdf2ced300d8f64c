// Keys on certain shards of a cluster whose slots are where they were dealt.

import { dealtRun, slotOf } from '../../../client/src/topology/slots.ts';

/** The `number`-th key that begins with `name` and lies on that shard. */
export function* keysOnShard(shard: number, shards: number, name: string): Generator<string, never> {
  const { first, last } = dealtRun(shard, shards);
  for (let i = 0; ; i++) {
    const key = `${name}:${i}`;
    const slot = slotOf(key);
    if (slot >= first && slot <= last) yield key;
  }
}

export const keyOnShard = (shard: number, shards: number, name: string): string => keysOnShard(shard, shards, name).next().value;
