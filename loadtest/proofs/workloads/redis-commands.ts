// Commands of Redis clients, and the operations that each of them is (docs/redis.md), with the results that its reply tells.
import type { HistoryOperation, HistoryValue } from '@claret/client';
import type { Chance } from '../../kit/random.ts';
import { MARK_MIN, markedText } from '../history/redis-marks.ts';
import type { Reply } from '../redis/raw-client.ts';

export interface RedisCommand {
  readonly words: readonly string[];
  /** What may have happened if there is no reply. Empty: it only observes. */
  readonly changes: readonly HistoryOperation[];
  /** What has happened. */
  told(reply: Reply): HistoryOperation[];
}

/** A door has answered what no command of the kind is answered with. */
class WrongReply extends Error {}

const GROUPS = 5;
const MEMBERS = 4;
const FIELDS = 3;
/** A flag is up or down, so that it often is what it was some changes before. */
const FLAGS = 2;

/** Records of one group are on one shard. */
export const anyGroup = (chance: Chance): number => chance.below(GROUPS);

const keyIn = (group: number, what: string): string => `{resp:${group}}:${what}`;
/** Integers that are set and incremented. */
export const numberIn = (group: number): string => keyIn(group, 'number');
/** It is only ever incremented. */
export const tallyIn = (group: number): string => keyIn(group, 'tally');
export const flagIn = (group: number): string => keyIn(group, 'flag');
export const hashIn = (group: number): string => keyIn(group, 'hash');
export const setIn = (group: number): string => keyIn(group, 'set');
export const listIn = (group: number): string => keyIn(group, 'list');
export const rankingIn = (group: number): string => keyIn(group, 'ranking');

export const memberOf = (chance: Chance): string => `member ${chance.below(MEMBERS)}`;
export const fieldOf = (chance: Chance): string => `field ${chance.below(FIELDS)}`;
export const flagOf = (chance: Chance): number => chance.below(FLAGS);

const TYPES: Readonly<Record<string, string>> = { hash: 'Dict', set: 'Set', list: 'List', ranking: 'ScoredSet' };
const typeOf = (key: string): string => TYPES[key.split('}:')[1]!] ?? 'Register';

/** An operation without its result. */
const operation = (key: string, op: string, ...args: HistoryValue[]): HistoryOperation => ({ key, type: typeOf(key), op, args });

/** Numbers that are used once. */
export class Marks {
  #last = MARK_MIN;

  next(): number {
    return ++this.#last;
  }
}

// ---- replies

function integerIn({ kind, line, raw }: Reply): number {
  if (kind !== ':') throw new WrongReply(`an integer was expected instead of ${raw}`);
  return Number(line);
}

/** A bulk string with an integer, or null. */
function numberOrNull({ kind, line, bytes, raw }: Reply): number | null {
  if (kind !== '$' || !(line === '-1' || /^-?\d+$/.test(bytes))) throw new WrongReply(`a number or null was expected instead of ${raw}`);
  return line === '-1' ? null : Number(bytes);
}

function ok({ kind, line, raw }: Reply): undefined {
  if (kind !== '+' || line !== 'OK') throw new WrongReply(`OK was expected instead of ${raw}`);
}

export const isNull = ({ kind, line }: Reply): boolean => (kind === '$' || kind === '*') && line === '-1';

// ---- kinds of commands

/** It is one operation. */
function one(
  words: readonly string[],
  call: HistoryOperation,
  isChange: boolean,
  resultIn: (reply: Reply) => HistoryValue | undefined,
): RedisCommand {
  return {
    words,
    changes: isChange ? [call] : [],
    told: (reply) => {
      const result = resultIn(reply);
      return [result === undefined ? call : { ...call, result }];
    },
  };
}

const truthIn = (reply: Reply): boolean => integerIn(reply) === 1;

export const get = (key: string): RedisCommand => one(['GET', key], operation(key, 'get'), false, numberOrNull);

export const set = (key: string, value: number): RedisCommand => one(['SET', key, `${value}`], operation(key, 'set', value), true, ok);

export const increaseBy = (key: string, by: number): RedisCommand =>
  one(['INCRBY', key, `${by}`], operation(key, 'incrementAndGet', by), true, integerIn);

/** Any of several registers. */
export function readAll(keys: readonly string[]): RedisCommand {
  return {
    words: ['MGET', ...keys],
    changes: [],
    told: ({ elements }) => elements.map((reply, i) => ({ ...operation(keys[i]!, 'get'), result: numberOrNull(reply) })),
  };
}

export const remove = (key: string): RedisCommand => one(['DEL', key], operation(key, 'delete'), true, truthIn);

function takeOut(key: string, member: string, mark: number): RedisCommand {
  const call = operation(key, 'erase', [member, markedText(mark)]);
  return {
    words: ['SREM', key, member, markedText(mark)],
    changes: [call],
    // Nothing was changed.
    told: (reply) => {
      const count = integerIn(reply);
      return count === 0 ? [{ ...operation(key, 'contains', member), result: false }] : [{ ...call, result: count }];
    },
  };
}

function rank(key: string, member: string, score: number): RedisCommand {
  const call = operation(key, 'add', member, score);
  const isNew = { ...operation(key, 'score', member), result: null };
  return {
    words: ['ZADD', key, `${score}`, member],
    changes: [call],
    told: (reply) => (integerIn(reply) === 1 ? [isNew, call] : [call]),
  };
}

const taken = (key: string, op: string, element: Reply): HistoryOperation => ({
  ...operation(key, op, 1),
  result: [numberOrNull(element)],
});
const isEmpty = (key: string): HistoryOperation => ({ ...operation(key, 'length'), result: 0 });

const takeLast = (key: string): RedisCommand => ({
  words: ['RPOP', key],
  changes: [operation(key, 'popBack', 1)],
  told: (reply) => [isNull(reply) ? isEmpty(key) : taken(key, 'popBack', reply)],
});

/** It waits for an element. */
export const awaitFirst = (key: string, seconds: number): RedisCommand => ({
  words: ['BLPOP', key, `${seconds}`],
  changes: [operation(key, 'popFront', 1)],
  told: (reply) => [isNull(reply) ? isEmpty(key) : taken(key, 'popFront', reply.elements[1]!)],
});

// ---- drawing

/** Draws a command on records of that group. */
type Draw = (group: number, chance: Chance, marks: Marks) => RedisCommand;

const CHANGING: readonly Draw[] = [
  (group) => one(['INCR', tallyIn(group)], operation(tallyIn(group), 'incrementAndGet', 1), true, integerIn),
  (group, _chance, marks) => increaseBy(numberIn(group), marks.next()),
  (group, _chance, marks) => set(numberIn(group), marks.next()),
  (group, _chance, marks) => {
    const [key, value] = [numberIn(group), marks.next()];
    return one(['GETSET', key, `${value}`], operation(key, 'exchange', value), true, numberOrNull);
  },
  (group, chance, marks) => {
    const [key, field, value] = [hashIn(group), fieldOf(chance), marks.next()];
    return one(['HSET', key, field, `${value}`], operation(key, 'put', [[field, value]]), true, integerIn);
  },
  (group, chance, marks) => {
    const [key, field, by] = [hashIn(group), fieldOf(chance), marks.next()];
    return one(['HINCRBY', key, field, `${by}`], operation(key, 'incrementAndGet', field, by), true, integerIn);
  },
  (group, chance, marks) => {
    const members = [memberOf(chance), markedText(marks.next())];
    return one(['SADD', setIn(group), ...members], operation(setIn(group), 'insert', members), true, integerIn);
  },
  (group, chance, marks) => takeOut(setIn(group), memberOf(chance), marks.next()),
  (group, _chance, marks) => {
    const [key, element] = [listIn(group), marks.next()];
    return one(['LPUSH', key, `${element}`], operation(key, 'pushFront', [element]), true, integerIn);
  },
  (group) => takeLast(listIn(group)),
  (group, chance, marks) => rank(rankingIn(group), memberOf(chance), marks.next()),
];

const OBSERVING: readonly Draw[] = [
  (group, chance) => get(chance.pick([numberIn, tallyIn, flagIn])(group)),
  (group, chance) => {
    const [key, field] = [hashIn(group), fieldOf(chance)];
    return one(['HGET', key, field], operation(key, 'get', [field]), false, (reply) => [numberOrNull(reply)]);
  },
  (group, chance) => {
    const [key, member] = [setIn(group), memberOf(chance)];
    return one(['SISMEMBER', key, member], operation(key, 'contains', member), false, truthIn);
  },
  (group) => one(['SCARD', setIn(group)], operation(setIn(group), 'size'), false, integerIn),
  (group) => one(['LLEN', listIn(group)], operation(listIn(group), 'length'), false, integerIn),
  (group, chance) => {
    const [key, member] = [rankingIn(group), memberOf(chance)];
    return one(['ZSCORE', key, member], operation(key, 'score', member), false, numberOrNull);
  },
  (group, chance) => {
    const key = chance.pick([numberIn, hashIn, setIn, listIn, rankingIn])(group);
    return one(['EXISTS', key], operation(key, 'exists'), false, truthIn);
  },
];

export const anyChange: Draw = (group, chance, marks) => chance.pick(CHANGING)(group, chance, marks);
export const anyLook: Draw = (group, chance, marks) => chance.pick(OBSERVING)(group, chance, marks);
export const anyRemoval: Draw = (group, chance) => remove(chance.pick([numberIn, hashIn, setIn, listIn, rankingIn])(group));
