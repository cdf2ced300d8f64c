// `claret warranties` against a real cluster whose shards promise results.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connect, type Claret } from '../src/index.ts';
import { startCluster, type TestCluster } from '../../gateway/src/testing/cluster.ts';
import { claret, type Ended } from './testing.ts';

let cluster: TestCluster;
let reader: Claret;
beforeAll(async () => {
  cluster = await startCluster(2, { warranties: 'auto', warrantyUsesMin: 0 });
  reader = await connect({ addresses: cluster.gateways.map(({ member }) => member.grpc), name: 'auctions-1' });
});
afterAll(async () => {
  await reader.close();
  await cluster.close();
});

const run = (...words: string[]): Promise<Ended> =>
  claret(['warranties', ...words], { env: { CLARET_GATEWAY: cluster.gateways[0]!.member.rest } });

test('warranties shows what is promised of a record, to whom, and recalls it', async () => {
  const key = '{auction:42}:bids';
  expect((await run(key)).out).toMatch(/^\{auction:42\}:bids {2}no warranties · shard [01]\n$/);
  const before = reader.counters.warrantedAnswers;
  await vi.waitFor(async () => {
    await reader.transact('Top', [reader.on.topK(key).top(3)]);
    expect(reader.counters.warrantedAnswers).toBeGreaterThan(before);
  });
  const { code, out, err } = await run(key);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const [head, columns, row] = out.split('\n');
  expect(head).toMatch(/1 warranty · shard [01]$/);
  expect(columns).toMatch(/^operation +age +granted +uses +state +held by$/);
  expect(row).toMatch(/^TopK\.top 3 .* \d+ +\d+ +stands +auctions-1( \(silent for .*\))?$/);
  expect((await run(key, '--recall')).out).toContain('recalled, ends in');
  await vi.waitFor(async () => expect(JSON.parse((await run(key, '--json')).out)).toMatchObject({ key, warranties: [] }));
});

test('a key that is none is refused in words', async () => {
  expect(await run('x'.repeat(1_025))).toMatchObject({ code: 1, err: 'claret: A key has 1 byte to 1 KiB.\n' });
});
