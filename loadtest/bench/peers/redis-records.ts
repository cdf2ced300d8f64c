// Claret's data types as Redis would hold them, as far as loading and checking a workload need them: many operations in one MULTI.
// The measured transactions are not sent this way.
//
//   Dict, Set           hash, set
//   ScoredSet           sorted set
//   TopK                sorted set by the negated score, so that equal scores keep the order of the items; it keeps all of
//                       them, since trimming would cost Redis another command for each bid
//   Counter             text for INCRBY
//   SummaryBag          hash: how often each value was added, so that an add is one command without a read

import type { Description } from '@claret/client';
import type { Connection } from './redis-connection.ts';

type Multi = ReturnType<Connection['multi']>;
type Scalar = string | number | bigint | boolean;

interface Way {
  queue(multi: Multi, key: string, args: never): void;
  /** converts the command's reply */
  result?(reply: never): unknown;
}

/** The number of items that a TopK keeps. */
const TOP_KEPT = 128;

const WAYS: Record<string, Way> = {
  'Dict.set': { queue: (multi, key, [fields]: [Record<string, Scalar>]) => void multi.hSet(key, textsOf(fields)) },
  'Set.size': { queue: (multi, key) => void multi.sCard(key), result: Number },
  'ScoredSet.size': { queue: (multi, key) => void multi.zCard(key), result: Number },
  'Counter.add': { queue: (multi, key, [by]: [number]) => void multi.incrBy(key, by) },
  'Counter.value': { queue: (multi, key) => void multi.get(key), result: Number },
  'TopK.add': { queue: (multi, key, [item, score]: [string, number]) => void multi.zAdd(key, { value: item, score: -score }) },
  'TopK.size': { queue: (multi, key) => void multi.zCard(key), result: (size: number) => Math.min(size, TOP_KEPT) },
  'TopK.max': {
    queue: (multi, key) => void multi.zRangeWithScores(key, 0, 0),
    result: (top: { value: string; score: number }[]) => scored(top)[0] ?? null,
  },
  'SummaryBag.count': {
    queue: (multi, key) => void multi.hVals(key),
    result: (counts: string[]) => counts.reduce((sum, count) => sum + Number(count), 0),
  },
};

export async function performAll(connection: Connection, operations: readonly Description<unknown>[]): Promise<unknown[]> {
  const ways = operations.map(({ spec }) => {
    const way = WAYS[spec.name];
    if (way === undefined) throw new Error(`${spec.name} is not translated for Redis`);
    return way;
  });
  const multi = connection.multi();
  operations.forEach(({ key, args }, i) => ways[i]!.queue(multi, key, args as never));
  const replies = await multi.exec();
  return ways.map(({ result }, i) => result?.(replies[i] as never));
}

/** The fields as a hash stores them. */
export function textsOf(fields: Record<string, Scalar>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, String(value)]));
}

/** Items with their scores, highest first, from a sorted set by negated scores. */
export function scored(members: readonly { value: string; score: number }[]): [string, number][] {
  return members.map(({ value, score }) => [value, -score]);
}
