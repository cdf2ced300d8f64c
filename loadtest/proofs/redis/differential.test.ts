// Redis clients find what they are used to: the door of a gateway gives the replies of redis-server, byte by byte, to random commands. The
// harness itself is tried on two redis-servers, and on replies that differ.
// CLARET_SEEDS=200 runs two hundred sequences of each kind; SEED=7 begins with the seed 7.

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { COMMAND_NAMES, randomSteps } from './commands.ts';
import { equal, firstDifference } from './differential.ts';
import { startDoor } from './door.ts';
import { LARGE_STEPS } from './large.ts';
import { firstReply, RawClient } from './raw-client.ts';
import { redisServer, startRedis, type Server } from './servers.ts';
import type { Comparison, Step } from './step.ts';

const STEPS = 2_000;
const seeds = Number(process.env['CLARET_SEEDS'] ?? 2);
const firstSeed = Number(process.env['SEED'] ?? 1);
const PROTOCOLS = ['2', '3'] as const;
const LONG_MS = 600_000;

async function client({ address }: Server, protocol: string): Promise<RawClient> {
  const connection = await RawClient.to(address);
  onTestFinished(() => connection.close());
  await connection.ask(['FLUSHALL']);
  await connection.ask(['HELLO', protocol]);
  return connection;
}

/** Where the two servers differ, with the seed that shows it. */
async function compare(one: Server, other: Server, protocol: string) {
  for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
    const [first, second] = [await client(one, protocol), await client(other, protocol)];
    const difference = await firstDifference(first, second, randomSteps(seed, STEPS));
    if (difference !== undefined) return { seed, ...difference };
  }
  return undefined;
}

describe.skipIf(redisServer === undefined)('beside redis-server', () => {
  let redis: Server;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());

  describe('the Redis door of a gateway', () => {
    let door: Server;
    beforeAll(async () => {
      door = await startDoor();
    });
    afterAll(() => door?.stop());

    test.each(PROTOCOLS)('gives the same replies in version %s of the protocol', { timeout: LONG_MS }, async (protocol) => {
      expect(await compare(redis, door, protocol)).toBeUndefined();
    });

    test.each(PROTOCOLS)('takes and answers thousands of members in version %s of the protocol', { timeout: LONG_MS }, async (protocol) => {
      expect(await firstDifference(await client(redis, protocol), await client(door, protocol), LARGE_STEPS)).toBeUndefined();
    });
  });

  describe('another redis-server', () => {
    let another: Server;
    beforeAll(async () => {
      another = await startRedis();
    });
    afterAll(() => another?.stop());

    test.each(PROTOCOLS)('gives the same replies in version %s of the protocol', { timeout: LONG_MS }, async (protocol) => {
      expect(await compare(redis, another, protocol)).toBeUndefined();
    });

    test('gives other replies if something was changed in it alone', async () => {
      const [first, second] = [await client(redis, '2'), await client(another, '2')];
      await second.ask(['SADD', 'set:a', 'one more']);
      const steps: Step[] = [
        { words: ['SADD', 'set:a', 'a'], comparison: 'bytes' },
        { words: ['GET', 'text'], comparison: 'bytes' },
        { words: ['SMEMBERS', 'set:a'], comparison: 'members' },
      ];
      expect(await firstDifference(first, second, steps)).toEqual({
        step: 2,
        command: '["SMEMBERS","set:a"]',
        first: '*1\r\n$1\r\na\r\n',
        second: expect.stringMatching(/^\*2\r\n/),
        before: ['["SADD","set:a","a"]'],
      });
    });
  });

  test('the commands are known to it, and most of them succeed', async () => {
    const connection = await client(redis, '2');
    let errors = 0;
    const steps = randomSteps(firstSeed, STEPS);
    for (const { words } of steps) {
      const { kind, line } = await connection.ask(words);
      if (kind === '-') errors++;
      expect(line).not.toMatch(/unknown command/);
    }
    expect(errors).toBeLessThan(steps.length / 2);
    expect(errors).toBeGreaterThan(steps.length / 20);
  });
});

test('the same seed makes the same commands, and every command comes up', () => {
  expect(randomSteps(3, 100)).toEqual(randomSteps(3, 100));
  expect(randomSteps(3, 100)).not.toEqual(randomSteps(4, 100));
  const made = new Set(randomSteps(5, 5_000).map(({ words }) => words[0]!.toUpperCase()));
  expect([...made].toSorted()).toEqual([...COMMAND_NAMES].toSorted());
});

test.each<[Comparison, string, string, boolean]>([
  ['bytes', '*2\r\n:1\r\n:2\r\n', '*2\r\n:2\r\n:1\r\n', false],
  ['members', '*2\r\n:1\r\n:2\r\n', '*2\r\n:2\r\n:1\r\n', true],
  ['members', '~2\r\n:1\r\n:2\r\n', '*2\r\n:1\r\n:2\r\n', false],
  ['members', '*2\r\n:1\r\n:1\r\n', '*2\r\n:1\r\n:2\r\n', false],
  ['pairs', '*4\r\n:1\r\n:2\r\n:3\r\n:4\r\n', '*4\r\n:3\r\n:4\r\n:1\r\n:2\r\n', true],
  ['pairs', '*4\r\n:1\r\n:2\r\n:3\r\n:4\r\n', '*4\r\n:3\r\n:2\r\n:1\r\n:4\r\n', false],
  ['scan of members', '*2\r\n$1\r\n0\r\n*2\r\n:1\r\n:2\r\n', '*2\r\n$1\r\n0\r\n*2\r\n:2\r\n:1\r\n', true],
  ['scan of members', '*2\r\n$1\r\n0\r\n*1\r\n:1\r\n', '*2\r\n$1\r\n7\r\n*1\r\n:1\r\n', false],
  ['shape', '*2\r\n$1\r\na\r\n$2\r\nbc\r\n', '*2\r\n$1\r\nd\r\n$1\r\na\r\n', true],
  ['shape', '*1\r\n$1\r\na\r\n', '*1\r\n$-1\r\n', false],
  ['shape', '-ERR one\r\n', '-ERR other\r\n', false],
  ['near seconds', ':1000\r\n', ':999\r\n', true],
  ['near seconds', ':1\r\n', ':-1\r\n', false],
  ['near milliseconds', ':100000\r\n', ':90000\r\n', false],
])('compared as %s, %j and %j are equal: %s', (comparison, one, other, expected) => {
  expect(equal(firstReply(one)!, firstReply(other)!, comparison)).toBe(expected);
});

const REPLIES = [
  '+OK\r\n',
  '-ERR no\r\n',
  ':12\r\n',
  '$-1\r\n',
  '$0\r\n\r\n',
  '$4\r\na\r\nb\r\n',
  '*-1\r\n',
  '*0\r\n',
  '*2\r\n*1\r\n:1\r\n$1\r\na\r\n',
  '_\r\n',
  '#t\r\n',
  ',1.5\r\n',
  '(123456789012345678901\r\n',
  '=5\r\ntxt:a\r\n',
  '!5\r\nERR a\r\n',
  '%2\r\n+a\r\n:1\r\n+b\r\n*1\r\n:2\r\n',
  '~1\r\n+a\r\n',
  '>2\r\n+message\r\n+a\r\n',
  '|1\r\n+ttl\r\n:1\r\n:5\r\n',
];
test.each(REPLIES)('the end of the reply %j is found, and no earlier', (reply) => {
  for (let length = 0; length < reply.length; length++) expect(firstReply(reply.slice(0, length))).toBeUndefined();
  expect(firstReply(reply)?.raw).toBe(reply);
  expect(firstReply(`${reply}+behind\r\n`)?.raw).toBe(reply);
});
