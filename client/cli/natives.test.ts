// Operations outside any transaction, `--native`, against a real cluster of two shards.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster, type TestCluster } from '../../gateway/src/testing/cluster.ts';
import { claret } from './testing.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster(2);
});
afterAll(() => cluster.close());

const run = (...words: string[]) => claret([...words, '--native'], { env: { CLARET_GATEWAY: cluster.gateways[0]!.member.rest } });
const begun = () => cluster.gateways.reduce((sum, { host }) => sum + host.counters().begun, 0);

test('an operation is executed outside any transaction', async () => {
  const before = begun();
  expect(await run('BoundedCounter.increment', 'stock', '5')).toEqual({ code: 0, out: 'ok\n', err: '' });
  expect(await run('BoundedCounter.tryDecrement', 'stock', '2')).toEqual({ code: 0, out: 'true\n', err: '' });
  const { out } = await run('BoundedCounter.value', 'stock', '--json');
  expect(JSON.parse(out)).toEqual({ key: 'stock', operation: 'BoundedCounter.value', result: 3 });
  expect(begun()).toBe(before);
});

test('an operation that is refused reports the reason', async () => {
  const { code, err } = await run('BoundedCounter.decrement', 'empty', '4', '--json');
  expect([code, JSON.parse(err).error]).toMatchObject([1, { code: 'below_bound', commit_state: 'none', exit_code: 1 }]);
});

test.each([
  ['--id', '--id <id>'],
  ['--label', '--label <label>'],
])('%s belongs to transactions', async (option, shown) => {
  expect(await run('Counter.add', 'either-or', '1', option, 'x')).toEqual({
    code: 2,
    out: '',
    err: `claret: Option '--native' cannot be used with option '${shown}'.\n        Usage: claret Counter.add KEY N\n`,
  });
});
