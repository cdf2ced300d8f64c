// `claret moves` against a real cluster of two shards: slots that move, and what is wrong with a command line.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster, type TestCluster } from '../../gateway/src/testing/cluster.ts';
import { claret, type Ended } from './testing.ts';

// On a busy machine a move takes its time.
let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster(2, { durability: 'sync' });
});
afterAll(() => cluster.close());

const run = (...words: string[]): Promise<Ended> => claret(words, { env: { CLARET_GATEWAY: cluster.gateways[0]!.member.rest } });
const json = async (...words: string[]): Promise<any> => JSON.parse((await run(...words, '--json')).out);

test('moves shows slots that move, moves some and waits for it', async () => {
  expect(await run('moves')).toEqual({ code: 0, out: 'No slots have moved since the gateways started.\n', err: '' });
  const { moves } = await json('moves', '--slots', '16380-16383', '--to', '0');
  expect(moves).toMatchObject([{ from: 1, to: 0, slots: { first: 16_380, last: 16_383 }, phase: 'done' }]);
  expect((await run('moves')).out).toContain('1 → 0');
  await run('moves', '--slots', '16380-16383', '--to', '1');
  const { shards } = await json('shards');
  expect(shards[1].slots.at(-1)).toMatchObject({ first: 16_380, last: 16_383 });
  expect(shards[1].slot_count).toBe(8_192);
  expect((await run('shards')).out, 'runs that adjoin are one').toMatch(/ 8,192 {2}8192-16383 {2}serving/);
});

test('a command line that names no move says what is missing', async () => {
  expect(await run('moves', '--from', '0')).toMatchObject({
    code: 2,
    err: 'claret: A move needs the shard that takes the slots.\n        Give it as --to SHARD.\n',
  });
  expect((await run('moves', '--to', '0', '--slots', 'some')).err).toContain("--slots takes FIRST-LAST, not 'some'");
  expect(await run('moves', '--to', '1', '--slots', '8000-8200')).toMatchObject({ code: 1 });
  expect((await run('moves', '--call-off', '0-1-none')).err).toContain('No move 0-1-none is under way at shard 0');
});
