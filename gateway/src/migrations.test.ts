// Records of an earlier version of a data type, in a cluster of real gateways that gets a later one under load.
import { connect } from '@claret/client';
import type { Claret } from '@claret/client';
import { boundedCounter, choose, counter, defineType, each, forEach, integer, shape, text, texts } from '@claret/client/types';
import type { DefinedType } from '@claret/client/types';
import { afterEach, expect, test } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from './testing/cluster.ts';
import type { TestCluster } from './testing/cluster.ts';

const closing: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const vote = { meaning: 'Adds votes.', parameters: { who: text('a candidate'), n: integer('how many') } };
const votesOf = { meaning: 'The votes of a candidate.', parameters: { who: text('a candidate') }, result: integer() };

const Poll = defineType({
  name: 'Poll',
  version: 1,
  meaning: 'Votes by candidate.',
  state: { votes: each(counter) },
  operations: {
    vote: {
      ...vote,
      require: (_, { n }) => [n.atLeast(-1_000).and(n.atMost(1_000)).orRefuse('many', 'at most 1,000 votes')],
      write: ({ votes }, { who, n }) => [votes.of(who).add(n)],
    },
    votes: { ...votesOf, answer: ({ votes }, { who }) => votes.of(who).value() },
  },
});

/** @param isCareful its migration goes over candidates with fewer than no votes */
const later = (isCareful: boolean) =>
  defineType({
    name: 'Poll',
    version: 2,
    meaning: 'Votes by candidate, and their sum.',
    state: { votes: each(counter), sum: boundedCounter },
    operations: {
      vote: {
        ...vote,
        require: (_, { n }) => [n.atLeast(0).and(n.atMost(1_000)).orRefuse('many', 'from 0 to 1,000 votes')],
        write: ({ votes, sum }, { who, n }) => [votes.of(who).add(n), sum.increment(n)],
      },
      votes: { ...votesOf, answer: ({ votes }, { who }) => votes.of(who).value() },
      sum: { meaning: 'All votes.', result: integer(), answer: ({ sum }) => sum.value() },
    },
    migrations: {
      2: ({ votes, sum }) => [
        forEach(votes.keys(), (who) => {
          const change = sum.increment(votes.of(who).value());
          return isCareful ? change.when(votes.of(who).value().atLeast(0)) : change;
        }),
      ],
    },
  });
const Poll2 = later(true);

async function start(): Promise<{ cluster: TestCluster; claret: Claret }> {
  const folder = mkdtempSync(join(tmpdir(), 'claret-migrations-'));
  closing.push(() => rmSync(folder, { recursive: true }));
  const cluster = await startCluster(2, { durability: 'sync' }, folder);
  closing.push(() => cluster.close());
  const claret = await connect({ addresses: cluster.gateways.map(({ member }) => member.grpc) });
  closing.push(() => claret.close(0));
  return { cluster, claret };
}

async function install(cluster: TestCluster, { definition }: DefinedType): Promise<[number, unknown]> {
  const answer = await fetch(`http://${cluster.gateways[1]!.member.rest}/v1/types`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ definition }),
  });
  return [answer.status, await answer.json()];
}

test('records are migrated when they are touched, under load, and stay so after restarts', async () => {
  const { cluster, claret } = await start();
  expect(await install(cluster, Poll)).toMatchObject([200, {}]);
  const keys = [0, 1].flatMap((shard) => [cluster.keyOn(shard, 'poll'), cluster.keyOn(shard, 'other')]);
  const untouched = cluster.keyOn(0, 'untouched');
  await claret.native.of(Poll, untouched).vote('ann', 41);
  let isOver = false;
  const cast = new Map<string, number>(keys.map((key) => [key, 0]));
  const voters = Array.from({ length: 12 }, async (_, i) => {
    while (!isOver) {
      const key = keys[i % keys.length]!;
      const who = `c${i % 3}`;
      if (i % 2 === 0) await claret.native.of(Poll, key).vote(who, 1);
      else await claret.transaction('Vote', (tx) => void tx.of(Poll, key).vote(who, 1));
      cast.set(key, cast.get(key)! + 1);
    }
  });
  await expect.poll(() => Math.min(...cast.values())).toBeGreaterThan(20);
  expect(await install(cluster, Poll2)).toMatchObject([200, { type: { name: 'Poll', version: 2 } }]);
  const after = new Map(cast);
  await expect.poll(() => keys.every((key) => cast.get(key)! > after.get(key)! + 20)).toBe(true);
  isOver = true;
  await Promise.all(voters);
  const read = async () => {
    const sums: number[] = [];
    for (const key of keys) {
      const poll = claret.on.of(Poll2, key);
      const [sum, ...votes] = await claret.transact('Read', [poll.sum(), ...['c0', 'c1', 'c2'].map((who) => poll.votes(who))]);
      expect(votes.reduce((all: number, some) => all + Number(some), 0)).toBe(Number(sum));
      sums.push(Number(sum));
    }
    return sums;
  };
  expect(await read()).toEqual(keys.map((key) => cast.get(key)));
  for (const shard of [0, 1]) await cluster.restart(shard);
  await cluster.untilConnected();
  expect(await claret.native.of(Poll2, untouched).sum()).toBe(41);
  expect(await read()).toEqual(keys.map((key) => cast.get(key)));
  await expect(claret.native.of(Poll2, untouched).vote('ann', -1)).rejects.toMatchObject({ code: 'Poll.many' });
});

test('a migration that some record could not survive is found before the type is replaced', async () => {
  const { cluster, claret } = await start();
  await install(cluster, Poll);
  await claret.native.of(Poll, 'poll').vote('ann', -3);
  const [status, problem] = await install(cluster, later(false));
  expect([status, problem]).toMatchObject([422, { code: 'type_broken', report: { failure: { law: 'migrations' } } }]);
  expect(JSON.stringify(problem)).toMatch(/vote\(/);
  expect(await claret.native.of(Poll, 'poll').votes('ann')).toBe(-3);
});

const BAD = 123_457;

test('a record that the laws did not think of is quarantined alone, and can be deleted', async () => {
  const { cluster, claret } = await start();
  const Names = defineType({
    name: 'Names',
    version: 1,
    meaning: '',
    state: { sizes: each(counter) },
    operations: {
      add: {
        meaning: '',
        parameters: { name: text(), n: integer() },
        require: (_, { n }) => [n.atLeast(0).and(n.atMost(200_000)).orRefuse('large', 'a size is up to 200,000')],
        write: ({ sizes }, { name, n }) => [sizes.of(name).add(n)],
      },
    },
  });
  const Names2 = defineType({
    name: 'Names',
    version: 2,
    meaning: '',
    state: { sizes: each(counter), sum: counter },
    operations: {
      add: {
        meaning: '',
        parameters: { name: text(), n: integer() },
        require: (_, { n }) => [n.atLeast(0).and(n.atMost(200_000)).orRefuse('large', 'a size is up to 200,000')],
        write: ({ sizes }, { name, n }) => [sizes.of(name).add(n)],
      },
      names: { meaning: '', result: texts(), answer: ({ sum }) => [choose(sum.value().is(0), 'none', 'some')] },
    },
    // Divides by 0 for a size that the definition does not name, and that no random record has.
    migrations: {
      2: ({ sizes, sum }) => [
        forEach(sizes.keys(), (name) =>
          sum.add(
            shape.integer.of(1).dividedBy(
              sizes
                .of(name)
                .value()
                .times(sizes.of(name).value())
                .minus(BAD * BAD),
            ),
          ),
        ),
      ],
    },
  });
  expect(await install(cluster, Names)).toMatchObject([200, {}]);
  await claret.native.of(Names, 'bad').add('x', BAD);
  await claret.native.of(Names, 'good').add('x', 1);
  expect(await install(cluster, Names2)).toMatchObject([200, {}]);
  const quarantined = { code: 'record_quarantined', retryable: false };
  await expect(claret.native.of(Names2, 'bad').names()).rejects.toMatchObject(quarantined);
  await expect(claret.transact('Add', [claret.on.of(Names2, 'bad').add('y', 1)])).rejects.toMatchObject(quarantined);
  expect(await claret.native.of(Names2, 'good').names()).toEqual(['none']);
  await cluster.restart(0);
  await cluster.restart(1);
  await cluster.untilConnected();
  await expect(claret.native.of(Names2, 'bad').names()).rejects.toMatchObject(quarantined);
  expect(await claret.native.record('bad').delete()).toBe(true);
  expect(await claret.native.of(Names2, 'bad').names()).toEqual(['none']);
});
