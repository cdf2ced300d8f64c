// Conditional reads over REST at two real gateways: with the tag of an earlier answer, at once and after a wait.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AWAITED_CHANGES_MAX } from '../transaction/awaited-changes.ts';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';
import { entityTag, isKnown, waitMsOf } from './conditional.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster(2);
});
afterAll(() => cluster.close());

const url = (key: string, operation = 'value') => `/v1/records/${encodeURIComponent(key)}?type=counter&operation=${operation}`;
const read = (key: string, headers: Record<string, string> = {}) => cluster.gateways[0]!.rest.inject({ url: url(key), headers });
const add = (key: string, amount: number, gateway = 1) =>
  cluster.gateways[gateway]!.rest.inject({
    method: 'POST',
    url: `/v1/records/${encodeURIComponent(key)}`,
    payload: { type: 'counter', operation: 'add', arguments: [amount] },
  });
const tagOf = async (key: string) => String((await read(key)).headers.etag);
const watches = () => cluster.gateways.reduce((sum, { host }) => sum + host.counters().watches, 0);

test('an answer has a tag, the same for the same result, and another for another', async () => {
  const first = await tagOf('tagged');
  expect(first).toMatch(/^"[\w-]{16}"$/);
  expect(await tagOf('also zero')).toBe(first);
  await add('tagged', 1);
  expect(await tagOf('tagged')).not.toBe(first);
});

test('a result that the caller has is not sent again', async () => {
  const known = await tagOf('same');
  const answer = await read('same', { 'if-none-match': known });
  expect([answer.statusCode, answer.body, answer.headers.etag]).toEqual([304, '', known]);
  await add('same', 1);
  expect((await read('same', { 'if-none-match': known })).json()).toMatchObject({ key: 'same', value: 1 });
});

describe.each([0, 1])('a caller who waits, for a record of shard %i,', (shard) => {
  const wait = (key: string, known: string, seconds: number) => read(key, { 'if-none-match': known, prefer: `wait=${seconds}` });

  test('is answered once the result is another one', async () => {
    const key = cluster.keyOn(shard, 'awaited');
    const answer = wait(key, await tagOf(key), 60);
    await expect.poll(watches).toBe(1);
    await add(key, 3);
    expect((await answer).json()).toMatchObject({ key, value: 3 });
    await expect.poll(watches).toBe(0);
  });

  test('waits on while changes leave the result as it was', async () => {
    const key = cluster.keyOn(shard, 'back');
    const answer = wait(key, await tagOf(key), 60);
    await expect.poll(watches).toBe(1);
    const payload = { operations: [1, -1].map((by) => ({ key, type: 'counter', operation: 'add', arguments: [by] })) };
    await cluster.gateways[1]!.rest.inject({ method: 'POST', url: '/v1/transactions', payload });
    await add(key, 5);
    expect((await answer).json()).toMatchObject({ value: 5 });
  });

  test('misses no change that comes between two requests', async () => {
    const key = cluster.keyOn(shard, 'between');
    const known = await tagOf(key);
    await add(key, 1);
    expect((await wait(key, known, 60)).json()).toMatchObject({ value: 1 });
  });

  test('is told after the wait that nothing has changed', async () => {
    const key = cluster.keyOn(shard, 'quiet');
    expect((await wait(key, await tagOf(key), 1)).statusCode).toBe(304);
    await expect.poll(watches).toBe(0);
  });
});

test('a caller who waits for what has been is refused, and so is one who waits for no time', async () => {
  for (const [at, prefer] of [
    ['&at=2026-11-27T15:00:00.000Z', 'wait=5'],
    ['', 'wait=soon'],
  ]) {
    const answer = await cluster.gateways[0]!.rest.inject({ url: url('strict') + at, headers: { prefer: prefer! } });
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_request']);
  }
});

test('no more than a limit wait, and all are answered when the gateway closes', async () => {
  const own = await startCluster(1);
  const { rest, host } = own.gateways[0]!;
  const tag = String((await rest.inject(url('crowded'))).headers.etag);
  const wait = () => rest.inject({ url: url('crowded'), headers: { 'if-none-match': tag, prefer: 'wait=60' } });
  const waiting = Array.from({ length: AWAITED_CHANGES_MAX }, wait);
  await expect.poll(() => host.counters().watches).toBe(AWAITED_CHANGES_MAX);
  const refused = await wait();
  expect([refused.statusCode, refused.json()]).toEqual([429, expect.objectContaining({ code: 'overloaded', retryable: true })]);
  await own.close();
  expect(new Set((await Promise.all(waiting)).map(({ statusCode }) => statusCode))).toEqual(new Set([304]));
});

test('a caller who goes away does not wait any more', async () => {
  const key = cluster.keyOn(1, 'left');
  const leaves = new AbortController();
  const headers = { 'if-none-match': await tagOf(key), prefer: 'wait=60' };
  const answer = fetch(`http://${cluster.gateways[0]!.member.rest}${url(key)}`, { headers, signal: leaves.signal }).catch(
    (error: Error) => error.name,
  );
  await expect.poll(watches).toBe(1);
  leaves.abort();
  expect(await answer).toBe('AbortError');
  await expect.poll(watches).toBe(0);
});

test('tags are compared as HTTP says, and times are limited', () => {
  const tag = entityTag({ a: 1 });
  expect([`W/${tag}`, `"x", ${tag}`, '*', '"x"', undefined].map((header) => isKnown(tag, header))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
  expect(['wait=20', 'respond-async, wait=7', 'wait=999', 'return=minimal', undefined].map(waitMsOf)).toEqual([
    20_000, 7_000, 60_000, 0, 0,
  ]);
});
