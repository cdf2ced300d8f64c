// The warranties of a record over REST, at the gateway of its shard and at another one.
import { connect } from '@claret/client';
import type { Claret } from '@claret/client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';

let cluster: TestCluster;
let claret: Claret;
beforeAll(async () => {
  cluster = await startCluster(2, { warranties: 'auto', warrantyUsesMin: 0, warrantyTermMs: 5_000 });
  claret = await connect({ addresses: [cluster.gateways[0]!.member.grpc], name: 'reader' });
});
afterAll(async () => {
  await claret.close();
  await cluster.close();
});

const ask = (method: 'GET' | 'DELETE', key: string, gateway = 0) =>
  cluster.gateways[gateway]!.rest.inject({
    method,
    url: `/v1/admin/warranties?key=${encodeURIComponent(key)}`,
    headers: method === 'DELETE' ? { 'content-type': 'application/json' } : {},
  });

/** Reads until that is answered from memory. */
async function learn(read: () => Promise<unknown>): Promise<void> {
  const before = claret.counters.warrantedAnswers;
  await vi.waitFor(async () => {
    await read();
    expect(claret.counters.warrantedAnswers).toBeGreaterThan(before);
  });
}

test('a record’s warranties are listed with their arguments and holders, whichever gateway is asked', async () => {
  const key = cluster.keyOn(1, 'board');
  await claret.transact('Fill', [claret.on.topK(key).add('a', 5), claret.on.topK(key).add('b', 7)]);
  await learn(() => claret.transact('Top', [claret.on.topK(key).top(2)]));
  const standing = {
    operation: 'TopK.top',
    arguments: [2],
    age_ms: expect.any(Number),
    recalled_ago_ms: null,
    ends_in_ms: null,
    granted: expect.any(Number),
    uses: expect.any(Number),
    holders: [{ session: 'reader', grants: expect.any(Number), lost: false, silent_ms: expect.any(Number), lapses_in_ms: null }],
  };
  for (const gateway of [0, 1]) {
    expect((await ask('GET', key, gateway)).json()).toEqual({ key, shard: 1, warranties: [standing] });
  }
});

test.each([0, 1])('they are recalled at gateway %i, end once they are returned, and are promised again', async (gateway) => {
  const key = cluster.keyOn(1, `recalled-${gateway}`);
  const read = () => claret.transact('Count', [claret.on.counter(key).value()]);
  await learn(read);
  const [recalled] = (await ask('DELETE', key, gateway)).json().warranties;
  expect(recalled).toMatchObject({ operation: 'Counter.value', arguments: [] });
  expect(recalled.ends_in_ms).toBeGreaterThan(0);
  expect(recalled.holders[0].lapses_in_ms).toBeGreaterThan(0);
  await vi.waitFor(async () => expect((await ask('GET', key)).json().warranties).toEqual([]));
  await learn(read);
});

test('a record without warranties has none; a key that is none is refused as a problem', async () => {
  const key = cluster.keyOn(0, 'nothing');
  for (const method of ['GET', 'DELETE'] as const) {
    expect((await ask(method, key)).json()).toEqual({ key, shard: 0, warranties: [] });
  }
  const long = await ask('GET', 'x'.repeat(1_025));
  expect([long.statusCode, long.headers['content-type'], long.json().code]).toEqual([400, 'application/problem+json', 'invalid_key']);
  expect((await ask('GET', '')).json().code).toBe('invalid_request');
  const formless = await cluster.gateways[0]!.rest.inject({ method: 'DELETE', url: `/v1/admin/warranties?key=${key}` });
  expect([formless.statusCode, formless.json().code]).toEqual([415, 'unsupported_media_type']);
});

test('a shard that does not answer is named', async () => {
  const key = cluster.keyOn(1, 'away');
  await cluster.gateways[1]!.close();
  const answer = await ask('GET', key);
  expect([answer.statusCode, answer.json().code]).toEqual([503, 'shard_unavailable']);
  await cluster.restart(1);
});
