// The commands by name, each with a way to make its arguments.

import type { Maker } from './step.ts';
import type { Dice, KeyKind } from './dice.ts';

type Makers = Record<string, Maker>;

/** A key, and then what these draw. */
const on =
  (kind: KeyKind, ...rest: ((dice: Dice) => string | string[])[]) =>
  (dice: Dice): string[] => [dice.key(kind), ...rest.flatMap((draw) => draw(dice))];
const sometimes =
  (draw: (dice: Dice) => string | string[], probability = 0.5) =>
  (dice: Dice): string[] =>
    dice.happens(probability) ? [draw(dice)].flat() : [];

const value = (dice: Dice) => dice.value();
const values = (dice: Dice) => dice.some(() => dice.value());
const text = (dice: Dice) => dice.text();
const integer = (dice: Dice) => dice.integer();
const count = (dice: Dice) => dice.count();
const signedCount = (dice: Dice) => dice.signedCount();
const float = (dice: Dice) => dice.float();
const score = (dice: Dice) => dice.score();
const bound = (dice: Dice) => dice.bound();
const keysOf = (kind: KeyKind) => (dice: Dice) => dice.some(() => dice.key(kind));

const expiryOptions = (dice: Dice) => [
  () => [dice.option('EX'), dice.seconds()],
  () => [dice.option('PX'), dice.milliseconds()],
  () => [dice.option('EXAT'), dice.time()],
  () => [dice.option('PXAT'), dice.timeInMilliseconds()],
];
const word = (dice: Dice, option: string) => () => [dice.option(option)];

/** Of SSCAN, HSCAN and ZSCAN. The count is enough for all members. */
const scanned = (dice: Dice): string[] => [
  dice.pick(['0', '0', '0', '0', '+0', '', 'x', ' 0', '1.5']),
  ...(dice.happens(0.5) ? [dice.option('MATCH'), dice.pattern()] : []),
  dice.option('COUNT'),
  dice.happens(0.1) ? dice.pick(['0', '-1', 'x', '']) : dice.pick(['100', '1000']),
];

// ---- strings

const settingOptions = (dice: Dice): string[] => {
  const kinds = ['NX', 'XX', 'GET', 'KEEPTTL'].map((name) => word(dice, name));
  return dice.options([...kinds, ...expiryOptions(dice)], 0.18);
};
const gettingOptions = (dice: Dice): string[] => dice.options([word(dice, 'PERSIST'), ...expiryOptions(dice)], 0.25);
const pairsOf = (dice: Dice): string[] => dice.some(() => [dice.key('string'), dice.text()]).flat();
/** No more than a string may have. */
const offset = (dice: Dice) => dice.pick(['0', '0', '1', '2', '5', '20', '-1', 'x', '']);

export const STRINGS: Makers = {
  GET: { make: on('string') },
  SET: { make: on('string', text, settingOptions) },
  SETNX: { make: on('string', text) },
  SETEX: { make: on('string', (dice) => dice.seconds(), text) },
  PSETEX: { make: on('string', (dice) => dice.milliseconds(), text) },
  GETSET: { make: on('string', text) },
  GETDEL: { make: on('string') },
  GETEX: { make: on('string', gettingOptions) },
  MGET: { make: keysOf('string') },
  MSET: { make: pairsOf },
  MSETNX: { make: pairsOf },
  STRLEN: { make: on('string') },
  APPEND: { make: on('string', text) },
  GETRANGE: { make: on('string', integer, integer) },
  SUBSTR: { make: on('string', integer, integer) },
  SETRANGE: { make: on('string', offset, text) },
  INCR: { make: on('string') },
  DECR: { make: on('string') },
  INCRBY: { make: on('string', integer) },
  DECRBY: { make: on('string', integer) },
  INCRBYFLOAT: { make: on('string', float) },
};

// ---- sets

const intersectedKeys = (dice: Dice): string[] => {
  const keys = keysOf('set')(dice);
  const number = dice.happens(0.1) ? dice.pick(['0', '-1', 'x', '9']) : String(keys.length);
  return [number, ...keys, ...(dice.happens(0.4) ? [dice.option('LIMIT'), dice.count()] : [])];
};

export const SETS: Makers = {
  SADD: { make: on('set', values) },
  SREM: { make: on('set', values) },
  SISMEMBER: { make: on('set', value) },
  SMISMEMBER: { make: on('set', values) },
  SCARD: { make: on('set') },
  SMEMBERS: { make: on('set'), comparison: 'members' },
  SPOP: { make: on('set', sometimes(count)), comparison: 'shape', scatters: true },
  SRANDMEMBER: { make: on('set', sometimes(signedCount)), comparison: 'shape' },
  SMOVE: { make: on('set', (dice) => dice.key('set'), value) },
  SINTER: { make: keysOf('set'), comparison: 'members' },
  SUNION: { make: keysOf('set'), comparison: 'members' },
  SDIFF: { make: keysOf('set'), comparison: 'members' },
  SINTERSTORE: { make: on('set', keysOf('set')) },
  SUNIONSTORE: { make: on('set', keysOf('set')) },
  SDIFFSTORE: { make: on('set', keysOf('set')) },
  SINTERCARD: { make: intersectedKeys },
  SSCAN: { make: on('set', scanned), comparison: 'scan of members' },
};

// ---- hashes

const field = (dice: Dice) => dice.pick(['f', 'g', 'number', 'é', '']);
const fields = (dice: Dice) => dice.some(() => field(dice));
const entries = (dice: Dice) => dice.some(() => [field(dice), dice.value()]).flat();
const withWord = (option: string) => (dice: Dice) => [dice.signedCount(), ...sometimes(() => dice.option(option))(dice)];

export const HASHES: Makers = {
  HSET: { make: on('hash', entries) },
  HMSET: { make: on('hash', entries) },
  HGET: { make: on('hash', field) },
  HMGET: { make: on('hash', fields) },
  HGETALL: { make: on('hash'), comparison: 'pairs' },
  HDEL: { make: on('hash', fields) },
  HEXISTS: { make: on('hash', field) },
  HLEN: { make: on('hash') },
  HKEYS: { make: on('hash'), comparison: 'members' },
  HVALS: { make: on('hash'), comparison: 'members' },
  HSTRLEN: { make: on('hash', field) },
  HSETNX: { make: on('hash', field, value) },
  HINCRBY: { make: on('hash', field, integer) },
  HINCRBYFLOAT: { make: on('hash', field, float) },
  HRANDFIELD: { make: on('hash', sometimes(withWord('WITHVALUES'))), comparison: 'shape' },
  HSCAN: { make: on('hash', scanned), comparison: 'scan of pairs' },
};

// ---- sorted sets

const member = (dice: Dice) => dice.pick(['a', 'b', 'c', 'd', 'é', '', '1']);
const members = (dice: Dice) => dice.some(() => member(dice));
const scored = (dice: Dice) => dice.some(() => [dice.score(), member(dice)]).flat();
const addOptions = (dice: Dice) =>
  dice.options(
    ['NX', 'XX', 'GT', 'LT', 'CH', 'INCR'].map((name) => word(dice, name)),
    0.15,
  );
const withScores = sometimes((dice) => dice.option('WITHSCORES'));
const limit = (dice: Dice) => [dice.option('LIMIT'), dice.integer(), dice.integer()];
const rangeOptions = (dice: Dice) => dice.options([() => [dice.option('WITHSCORES')], () => limit(dice)]);
const anyRange = (dice: Dice): string[] => {
  const byScore = dice.happens(0.5);
  const ends = dice.some(() => (byScore ? dice.bound() : dice.integer()), 2, 2);
  const more = dice.options([word(dice, 'REV'), word(dice, 'WITHSCORES'), () => limit(dice)]);
  return [...ends, ...(byScore ? [dice.option('BYSCORE')] : []), ...more];
};

export const SORTED_SETS: Makers = {
  ZADD: { make: on('sortedSet', addOptions, scored) },
  ZREM: { make: on('sortedSet', members) },
  ZSCORE: { make: on('sortedSet', member) },
  ZMSCORE: { make: on('sortedSet', members) },
  ZINCRBY: { make: on('sortedSet', score, member) },
  ZCARD: { make: on('sortedSet') },
  ZCOUNT: { make: on('sortedSet', bound, bound) },
  ZRANK: { make: on('sortedSet', member) },
  ZREVRANK: { make: on('sortedSet', member) },
  ZRANGE: { make: on('sortedSet', anyRange) },
  ZREVRANGE: { make: on('sortedSet', integer, integer, withScores) },
  ZRANGEBYSCORE: { make: on('sortedSet', bound, bound, rangeOptions) },
  ZREVRANGEBYSCORE: { make: on('sortedSet', bound, bound, rangeOptions) },
  ZPOPMIN: { make: on('sortedSet', sometimes(count)) },
  ZPOPMAX: { make: on('sortedSet', sometimes(count)) },
  ZREMRANGEBYRANK: { make: on('sortedSet', integer, integer) },
  ZREMRANGEBYSCORE: { make: on('sortedSet', bound, bound) },
  ZRANDMEMBER: { make: on('sortedSet', sometimes(withWord('WITHSCORES'))), comparison: 'shape' },
  ZSCAN: { make: on('sortedSet', scanned), comparison: 'scan of pairs' },
};

// ---- lists

const end = (dice: Dice) => dice.option(dice.pick(['LEFT', 'RIGHT']));
const side = (dice: Dice) => dice.option(dice.pick(['BEFORE', 'AFTER']));
const searchOptions = (dice: Dice) =>
  dice.options([
    () => [dice.option('RANK'), dice.signedCount()],
    () => [dice.option('COUNT'), dice.count()],
    () => [dice.option('MAXLEN'), dice.count()],
  ]);
const otherList = (dice: Dice) => dice.key('list');

export const LISTS: Makers = {
  LPUSH: { make: on('list', values) },
  RPUSH: { make: on('list', values) },
  LPUSHX: { make: on('list', values) },
  RPUSHX: { make: on('list', values) },
  LPOP: { make: on('list', sometimes(count)) },
  RPOP: { make: on('list', sometimes(count)) },
  LLEN: { make: on('list') },
  LRANGE: { make: on('list', integer, integer) },
  LINDEX: { make: on('list', integer) },
  LSET: { make: on('list', integer, value) },
  LINSERT: { make: on('list', side, value, value) },
  LREM: { make: on('list', integer, value) },
  LTRIM: { make: on('list', integer, integer) },
  LPOS: { make: on('list', value, searchOptions) },
  LMOVE: { make: on('list', otherList, end, end) },
  RPOPLPUSH: { make: on('list', otherList) },
};

// ---- records of any type

const anyRecords = (dice: Dice) => dice.some(() => dice.anyRecord());
const conditions = (dice: Dice) =>
  dice.options(
    ['NX', 'XX', 'GT', 'LT'].map((name) => word(dice, name)),
    0.2,
  );
const expiring = (time: (dice: Dice) => string) => (dice: Dice) => [dice.anyRecord(), time(dice), ...conditions(dice)];
const oneRecord = (dice: Dice) => [dice.anyRecord()];

export const RECORDS: Makers = {
  DEL: { make: anyRecords },
  UNLINK: { make: anyRecords },
  EXISTS: { make: anyRecords },
  TOUCH: { make: anyRecords },
  TYPE: { make: (dice) => [dice.anyKey()] },
  EXPIRE: { make: expiring((dice) => dice.seconds()) },
  PEXPIRE: { make: expiring((dice) => dice.milliseconds()) },
  EXPIREAT: { make: expiring((dice) => dice.time()) },
  PEXPIREAT: { make: expiring((dice) => dice.timeInMilliseconds()) },
  TTL: { make: oneRecord, comparison: 'near seconds' },
  PTTL: { make: oneRecord, comparison: 'near milliseconds' },
  EXPIRETIME: { make: oneRecord, comparison: 'near seconds' },
  PEXPIRETIME: { make: oneRecord, comparison: 'near milliseconds' },
  PERSIST: { make: oneRecord },
  PFADD: { make: (dice) => [dice.estimate(), ...values(dice)], exactly: true },
  PFCOUNT: { make: oneRecord, exactly: true },
};
