// Commands about more members than one operation of Claret takes (1,000) or answers (1,000 or 10,000).

import type { Comparison, Step } from './step.ts';

const MANY = 2_500;
/** A command of the door has at most 4,096 arguments. */
const MANY_PAIRS = 1_500;
const PUSHES = Array.from({ length: 4 }, (_, push) => push);
const ELEMENTS_OF_PUSH = 3_100;

const step = (words: string[], comparison: Comparison = 'bytes'): Step => ({ words, comparison });
const numbered = (name: string, count: number, first = 0) => Array.from({ length: count }, (_, i) => `${name}:${first + i}`);

const SETS: Step[] = [
  step(['SADD', 'set', ...numbered('m', MANY)]),
  step(['SADD', 'set', ...numbered('m', MANY, 1_000)]),
  step(['SADD', 'other', ...numbered('m', MANY, 2_000)]),
  step(['SCARD', 'set']),
  step(['SMEMBERS', 'set'], 'members'),
  step(['SINTER', 'set', 'other'], 'members'),
  step(['SDIFFSTORE', 'difference', 'set', 'other']),
  step(['SUNIONSTORE', 'set', 'set', 'other']),
  step(['SINTERCARD', '2', 'set', 'other', 'LIMIT', '1200']),
  step(['SRANDMEMBER', 'set', '1500'], 'shape'),
  step(['SRANDMEMBER', 'set', '-1500'], 'shape'),
  step(['SREM', 'set', ...numbered('m', 1_500), 'm:1']),
  step(['SSCAN', 'set', '0', 'COUNT', '100000', 'MATCH', 'm:2*'], 'scan of members'),
  step(['SPOP', 'other', '1500'], 'shape'),
  step(['SCARD', 'other']),
];

const HASHES: Step[] = [
  step(['HSET', 'hash', ...numbered('f', MANY_PAIRS).flatMap((field) => [field, '1'])]),
  step(['HMGET', 'hash', ...numbered('f', MANY, 700)]),
  step(['HGETALL', 'hash'], 'pairs'),
  step(['HDEL', 'hash', ...numbered('f', 1_200), 'f:1']),
  step(['HLEN', 'hash']),
  step(['HRANDFIELD', 'hash', '-1200', 'WITHVALUES'], 'shape'),
];

const SORTED_SETS: Step[] = [
  step(['ZADD', 'ranking', ...numbered('m', MANY_PAIRS).flatMap((member, i) => [String(i % 50), member])]),
  step(['ZRANGE', 'ranking', '0', '-1', 'WITHSCORES']),
  step(['ZRANGE', 'ranking', '100', '1300', 'REV']),
  step(['ZRANGEBYSCORE', 'ranking', '(3', '48', 'LIMIT', '10', '1200']),
  step(['ZREVRANGEBYSCORE', 'ranking', '48', '(3', 'LIMIT', '10', '1200', 'WITHSCORES']),
  step(['ZCOUNT', 'ranking', '5', '(40']),
  step(['ZREMRANGEBYSCORE', 'ranking', '10', '40']),
  step(['ZPOPMAX', 'ranking', '1']),
  step(['ZREMRANGEBYRANK', 'ranking', '-5', '-1']),
  step(['ZREM', 'ranking', ...numbered('m', 1_200)]),
  step(['ZCARD', 'ranking']),
];

const LISTS: Step[] = [
  step(['LPUSH', 'list', ...numbered('e', MANY)]),
  ...PUSHES.map((push) => step(['RPUSHX', 'list', ...numbered('e', ELEMENTS_OF_PUSH, push)])),
  ...PUSHES.map(() => step(['RPUSH', 'list', ...Array<string>(ELEMENTS_OF_PUSH).fill('same')])),
  step(['LRANGE', 'list', '0', '-1']),
  step(['LRANGE', 'list', '-12000', '12000']),
  step(['LPOS', 'list', 'same', 'COUNT', '0']),
  step(['LPOS', 'list', 'same', 'RANK', '-2', 'COUNT', '11000']),
  step(['LPOS', 'list', 'same', 'RANK', '10002', 'COUNT', '20', 'MAXLEN', '25500']),
  step(['RPOP', 'list', '11000']),
  step(['LLEN', 'list']),
  step(['LPOP', 'list', '100000']),
  step(['EXISTS', 'list']),
];

export const LARGE_STEPS: readonly Step[] = [...SETS, ...HASHES, ...SORTED_SETS, ...LISTS];
