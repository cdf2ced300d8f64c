// Which of the members that are concluded can have their word now, and which prepare as a batch.

import { OPERATIONS_PER_BATCH_MAX } from '../values/limits.ts';
import type { Member } from './member.ts';

export interface NextWords {
  /** members of one shard, by shard */
  readonly words: ReadonlyMap<number, Member[]>;
  /** wide members, and those of one shard between them; none: no batch */
  readonly batch: readonly Member[];
  /** the numbers of the batch's members, by shard */
  readonly shares: ReadonlyMap<number, number[]>;
  /** those that have to wait */
  readonly left: Member[];
}

/**
 * At each shard in order, with none left out below another.
 * @param concluded in the order in which they were concluded
 * @param isBusy a batch is undecided at the shard: what stands above it waits
 */
export function nextWords(concluded: readonly Member[], isBusy: (shard: number) => boolean): NextWords {
  const words = new Map<number, Member[]>();
  const batch: Member[] = [];
  const shares = new Map<number, number[]>();
  const left: Member[] = [];
  const closed = new Set<number>();
  let operations = 0;
  const waits = (shard: number) => closed.has(shard) || isBusy(shard);
  for (const member of concluded) {
    const first = member.parts[0]!.session.shard;
    const joins = member.wide || shares.has(first);
    const isFull = joins && operations + member.operations.length > OPERATIONS_PER_BATCH_MAX;
    if (isFull || member.parts.some(({ session }) => waits(session.shard))) {
      for (const { session } of member.parts) closed.add(session.shard);
      left.push(member);
    } else if (joins) {
      for (const { session } of member.parts) add(shares, session.shard, member.number);
      operations += member.operations.length;
      batch.push(member);
    } else {
      add(words, first, member);
    }
  }
  return { words, batch, shares, left };
}

function add<Value>(lists: Map<number, Value[]>, shard: number, value: Value): void {
  const list = lists.get(shard);
  if (list === undefined) lists.set(shard, [value]);
  else list.push(value);
}
