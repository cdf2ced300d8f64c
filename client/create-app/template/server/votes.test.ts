// The transaction, tried on a running cluster (CLARET_GATEWAYS). The polls are the tests' own, and are deleted afterwards.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';

import { connect } from '@claret/client';

import { choicesOf, keys, react, vote } from './votes.ts';

const { CLARET_GATEWAYS = '127.0.0.1:7401', CLARET_TOKEN = '' } = process.env;

const claret = await connect({ addresses: CLARET_GATEWAYS.split(','), token: CLARET_TOKEN, name: 'poll test' });
after(() => claret.close());

const OPTIONS = ['a', 'b', 'c'];
const anyOption = () => OPTIONS[Math.floor(Math.random() * OPTIONS.length)]!;

async function votesOf(poll: string): Promise<number[]> {
  const votes = await claret.transact(
    'Votes',
    OPTIONS.map((option) => claret.on.counter(keys.votes(poll, option)).value()),
  );
  return votes.map(Number);
}

async function forget(poll: string, voters: string[]): Promise<void> {
  const all = [
    ...OPTIONS.map((option) => keys.votes(poll, option)),
    ...voters.map((voter) => keys.choice(poll, voter)),
    keys.reacted(poll, 'x'),
  ];
  await Promise.all(all.map((key) => claret.native.record(key).delete()));
}

test('a person has one vote, and may change it', async () => {
  const poll = `test-${randomUUID()}`;
  try {
    await vote(claret, poll, 'ann', 'a');
    await vote(claret, poll, 'bob', 'a');
    assert.deepEqual(await votesOf(poll), [2, 0, 0]);
    await vote(claret, poll, 'ann', 'c');
    await vote(claret, poll, 'ann', 'c'); // sent again: it is the same vote
    assert.deepEqual(await votesOf(poll), [1, 0, 1]);
    assert.deepEqual(await choicesOf(claret, [poll], 'ann'), ['c']);
    assert.deepEqual(await choicesOf(claret, [poll], 'cleo'), [null]);
  } finally {
    await forget(poll, ['ann', 'bob']);
  }
});

test('200 people who change their minds at once are counted once each', async () => {
  const poll = `test-${randomUUID()}`;
  const voters = Array.from({ length: 200 }, () => randomUUID());
  try {
    // Each of them votes three times at once, as if from three windows.
    await Promise.all([1, 2, 3].flatMap(() => voters.map((voter) => vote(claret, poll, voter, anyOption()))));
    const choices = await Promise.all(voters.map(async (voter) => (await choicesOf(claret, [poll], voter))[0]));
    const votes = await votesOf(poll);
    assert.equal(
      votes.reduce((sum, each) => sum + each),
      voters.length,
    );
    assert.deepEqual(
      votes,
      OPTIONS.map((option) => choices.filter((choice) => choice === option).length),
    );
  } finally {
    await forget(poll, voters);
  }
});

test('every reaction counts', async () => {
  const poll = `test-${randomUUID()}`;
  try {
    await Promise.all(Array.from({ length: 50 }, () => react(claret, poll, 'x')));
    assert.equal(await claret.native.counter(keys.reacted(poll, 'x')).value(), 50);
  } finally {
    await forget(poll, []);
  }
});
