// A list is sent to a shard as a whole. So a warranty saves a message only if all operations of the list on its shard are answered by warranties.

import { observes, type Call } from '../values/call.ts';
import type { Warranties } from './warranties.ts';

type Shards = Pick<ReadonlySet<number>, 'has'>;

const EACH: Shards = { has: () => true };

/** The shards that the list has to ask. */
export function askedAnyway(
  label: string,
  list: readonly Call[],
  warranties: Warranties,
  cluster: { shardOf(key: string): number },
  nowMs: number,
): Shards {
  if (!warranties.lists.wanted(label)) return EACH;
  const asked = new Set<number>();
  const others = new Set<number>();
  const observing: Call[] = [];
  for (const call of list) {
    if (observes(call)) observing.push(call);
    else asked.add(cluster.shardOf(call.key));
  }
  for (const call of observing) {
    const shard = cluster.shardOf(call.key);
    if (asked.has(shard)) continue;
    if (warranties.answer(call, nowMs) === null) asked.add(shard);
    else others.add(shard);
  }
  warranties.lists.lookedUp(
    label,
    [...others].some((shard) => !asked.has(shard)),
  );
  return asked;
}
