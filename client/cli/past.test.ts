// Operations on the past, `--at`, against a real cluster that keeps it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster, type TestCluster } from '../../gateway/src/testing/cluster.ts';
import { claret } from './testing.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster(2, { pastMs: 60_000 });
});
afterAll(() => cluster.close());

const run = (...words: string[]) => claret(words, { env: { CLARET_GATEWAY: cluster.gateways[0]!.member.rest } });

test('an operation reads a record as it was at a timestamp, at a time, and some time ago', async () => {
  const { committed_at } = JSON.parse((await run('Register.set', 'greeting', 'hello', '--json')).out);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const then = new Date().toISOString();
  await new Promise((resolve) => setTimeout(resolve, 20));
  await run('Register.set', 'greeting', 'goodbye');
  expect(await run('Register.get', 'greeting')).toMatchObject({ code: 0, out: 'goodbye\n' });
  expect(await run('Register.get', 'greeting', '--at', committed_at)).toMatchObject({ code: 0, out: 'hello\n', err: '' });
  expect(await run('Register.get', 'greeting', '--at', then)).toMatchObject({ code: 0, out: 'hello\n' });
  expect(JSON.parse((await run('Register.get', 'greeting', '--at', '1m', '--json')).out)).toMatchObject({ result: null });
});

test('what cannot be read is refused in words', async () => {
  expect(await run('Register.set', 'greeting', 'x', '--at', '1s', '--json')).toMatchObject({
    code: 1,
    err: expect.stringContaining('not_read_only'),
  });
  expect(await run('Register.get', 'greeting', '--at', 'yesterday')).toMatchObject({
    code: 2,
    err: expect.stringContaining("--at takes how long ago ('10s')"),
  });
  expect(await run('Register.get', 'greeting', '--at', '1s', '--native')).toMatchObject({ code: 2 });
});
