// What is stored: for each data type the same content in Claret and in the closest type of Redis.

import { descriptions as on, type Description } from '@claret/client';

/**
 * record  each insertion creates a record of one member
 * small   records of 100 members each; the bytes include a hundredth of the record
 * large   all members in one record
 */
export type Layout = 'record' | 'small' | 'large';

export interface Shape {
  type: string;
  layout: Layout;
  /** the insertion with this number */
  claret(number: number): Description<unknown>;
  /** the same as a command of Redis; null: it has no such type */
  redis: ((number: number) => string[]) | null;
  /** the key of the record of this insertion */
  keyOf(number: number): string;
}

interface Type {
  name: string;
  layouts: readonly Layout[];
  claret(key: string, member: string, number: number): Description<unknown>;
  redis: ((key: string, member: string, number: number) => string[]) | null;
}

const SMALL = 100;
const digits = (number: number, length: number) => String(number).padStart(length, '0');
/** 14 bytes, a typical length of keys. */
const keyNamed = (number: number) => `record:${digits(number, 7)}`;
/** 9 bytes */
const memberNamed = (number: number) => `m${digits(number, 8)}`;

const ALONE: readonly Layout[] = ['record'];
const ALL: readonly Layout[] = ['record', 'small', 'large'];

const TYPES: readonly Type[] = [
  { name: 'Register', layouts: ALONE, claret: (key, member) => on.register(key).set(member), redis: (key, member) => ['SET', key, member] },
  { name: 'Counter', layouts: ALONE, claret: (key) => on.counter(key).add(1), redis: (key) => ['INCRBY', key, '1'] },
  { name: 'BoundedCounter', layouts: ALONE, claret: (key) => on.boundedCounter(key).increment(1), redis: (key) => ['INCRBY', key, '1'] },
  { name: 'UIdGenerator', layouts: ALONE, claret: (key) => on.uidGenerator(key).next(), redis: (key) => ['INCRBY', key, '1'] },
  {
    name: 'Dict',
    layouts: ALL,
    claret: (key, member, number) => on.dict(key).set({ [member]: number }),
    redis: (key, member, number) => ['HSET', key, member, String(number)],
  },
  { name: 'Set', layouts: ALL, claret: (key, member) => on.set(key).add(member), redis: (key, member) => ['SADD', key, member] },
  {
    name: 'ScoredSet',
    layouts: ALL,
    claret: (key, member, number) => on.scoredSet(key).add(member, number),
    redis: (key, member, number) => ['ZADD', key, String(number), member],
  },
  {
    // It keeps its 128 best.
    name: 'TopK',
    layouts: ['record', 'small'],
    claret: (key, member, number) => on.topK(key).add(member, number),
    redis: (key, member, number) => ['ZADD', key, String(number), member],
  },
  { name: 'SummaryBag', layouts: ALONE, claret: (key, _member, number) => on.summaryBag(key).add(number), redis: null },
  {
    name: 'HyperLogLog',
    layouts: ALONE,
    claret: (key, member) => on.hyperLogLog(key).add(member),
    redis: (key, member) => ['PFADD', key, member],
  },
  { name: 'List', layouts: ALL, claret: (key, member) => on.list(key).append(member), redis: (key, member) => ['RPUSH', key, member] },
];

/** Every type in each of its layouts. */
export const SHAPES: readonly Shape[] = TYPES.flatMap(({ name, layouts, claret, redis }) =>
  layouts.map((layout): Shape => {
    const recordOf = { record: (number: number) => number, small: (number: number) => Math.floor(number / SMALL), large: () => 0 }[layout];
    const memberOf = { record: () => 0, small: (number: number) => number % SMALL, large: (number: number) => number }[layout];
    const keyOf = (number: number) => keyNamed(recordOf(number));
    return {
      type: name,
      layout,
      keyOf,
      claret: (number) => claret(keyOf(number), memberNamed(memberOf(number)), number),
      redis: redis && ((number) => redis(keyOf(number), memberNamed(memberOf(number)), number)),
    };
  }),
);
