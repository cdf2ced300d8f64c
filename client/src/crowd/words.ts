// Which of the members that are concluded can have their word now, and which prepare as a batch.

import type { Member } from './member.ts';

/** A shard takes 4,096 operations in a batch. */
const BATCH_OPERATIONS_MAX = 4_096;

export interface NextWords {
  /** members of one shard, by shard */
  readonly words: ReadonlyMap<number, Member[]>;
  /** wide members, and those of one shard between them; null: none */
  readonly batch: { readonly members: Member[]; readonly shards: number[] } | null;
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
  const members: Member[] = [];
  const shards = new Set<number>();
  const left: Member[] = [];
  const closed = new Set<number>();
  let operations = 0;
  const waits = (shard: number) => closed.has(shard) || isBusy(shard);
  for (const member of concluded) {
    const at = member.parts.map(({ session }) => session.shard);
    const isFull = operations + member.operations.length > BATCH_OPERATIONS_MAX;
    if (at.some(waits) || (isFull && (member.wide || shards.has(at[0]!)))) {
      for (const shard of at) closed.add(shard);
      left.push(member);
    } else if (member.wide || shards.has(at[0]!)) {
      for (const shard of at) shards.add(shard);
      operations += member.operations.length;
      members.push(member);
    } else {
      const there = words.get(at[0]!);
      if (there === undefined) words.set(at[0]!, [member]);
      else there.push(member);
    }
  }
  return { words, batch: members.length === 0 ? null : { members, shards: [...shards] }, left };
}
