// Topics over a real store.
import type { Claret } from '@claret/client';
import { inProcessCluster, type InProcessCluster } from '@claret/client/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { WatchedRecords } from './records.ts';
import { Topics, type Look } from './topic.ts';

let cluster: InProcessCluster;
let claret: Claret;
beforeAll(async () => {
  cluster = await inProcessCluster({ shards: 2 });
  claret = await cluster.connect({ name: 'test' });
});
afterAll(() => cluster.stop());

const unexpected = (error: unknown): never => {
  throw error;
};
const add = (key: string, n: number) => claret.transact('Add', [claret.on.counter(key).add(n)]);
const counter = (key: string) => ({
  event: 'count',
  key,
  compose: (look: Look) => look(claret.on.counter(key).value()),
  data: (value: number | bigint) => ({ value: Number(value) }),
});

describe('A topic', () => {
  test('is computed and encoded once, however many follow, and released with the last follower', async () => {
    const records = new WatchedRecords(claret);
    const topics = new Topics(records, unexpected);
    const compose = vi.fn(counter('a').compose);
    const told: number[] = [];
    const ends = Array.from({ length: 1_000 }, (_, i) => topics.get({ ...counter('a'), compose }).follow(() => told.push(i)));
    expect(topics.size).toBe(1);
    expect(records.size).toBe(1);
    await vi.waitFor(() => expect(told).toHaveLength(1_000));
    expect(compose.mock.calls.length).toBeLessThan(4);
    const topic = topics.get(counter('a'));
    expect(topic.text).toMatch(/^event: count\ndata: \{"server_time_ms":\d+,"value":0\}\n\n$/);
    expect(topic.text).toBe(topic.text);
    for (const end of ends) end();
    expect(topics.size).toBe(0);
    records.close();
  });

  test('of a record that is written all the time notifies ten times a second at most, and ends with the newest state', async () => {
    const records = new WatchedRecords(claret);
    const topic = new Topics(records, unexpected).get(counter('b'));
    let told = 0;
    const end = topic.follow(() => told++);
    const began = performance.now();
    for (let i = 0; i < 500; i++) {
      await add('b', 1);
      if (i % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await vi.waitFor(() => expect(topic.text).toContain('"value":500'));
    await vi.waitFor(() => expect(told).toBeGreaterThan(2));
    expect(told).toBeLessThan(3 + (performance.now() - began) / 100);
    end();
    records.close();
  });

  test('does not notify of a change that does not show', async () => {
    const records = new WatchedRecords(claret);
    const topic = new Topics(records, unexpected).get({ ...counter('c'), data: (value) => ({ many: Number(value) >= 10 }) });
    let told = 0;
    const end = topic.follow(() => told++);
    await vi.waitFor(() => expect(told).toBe(1));
    await add('c', 5);
    await vi.waitFor(() => expect(topic.seen).toBe(5));
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(told).toBe(1);
    await add('c', 5);
    await vi.waitFor(() => expect(told).toBe(2));
    end();
    records.close();
  });

  test('makes no event while it is only looked at', async () => {
    const records = new WatchedRecords(claret);
    const data = vi.fn(counter('looked at').data);
    const topic = new Topics(records, unexpected).get({ ...counter('looked at'), data });
    const end = topic.follow(() => undefined);
    await add('looked at', 1);
    await vi.waitFor(() => expect(topic.seen).toBe(1));
    const before = data.mock.calls.length;
    for (let n = 2; n < 5; n++) topic.renew();
    expect(topic.seen).toBe(1);
    expect(data.mock.calls.length).toBe(before);
    expect(topic.text).toContain('"value":1');
    expect(data.mock.calls.length).toBe(before + 1);
    end();
    records.close();
  });

  test('may look at other records each time, and keeps its state until a new one has answered', async () => {
    const records = new WatchedRecords(claret);
    await add('other', 7);
    const { event, data } = counter('d');
    const compose = (look: Look) => {
      const first = look(claret.on.counter('first').value());
      return first === 1 ? look(claret.on.counter('other').value()) : first;
    };
    const topic = new Topics(records, unexpected).get({ event, key: 'd', compose, data });
    const seen: unknown[] = [];
    const end = topic.follow(() => seen.push(topic.seen));
    await vi.waitFor(() => expect(topic.seen).toBe(0));
    await add('first', 1);
    await vi.waitFor(() => expect(topic.seen).toBe(7));
    expect(records.size).toBe(2);
    await vi.waitFor(() => expect(seen).toEqual([0, 7]));
    end();
    records.close();
  });

  test('that cannot be computed reports it once, keeps its state, and is computed again when it can be', async () => {
    const records = new WatchedRecords(claret);
    const errors: string[] = [];
    const topics = new Topics(records, (error, topic) => errors.push(`${topic}: ${(error as Error).message}`));
    const compose = (look: Look) => {
      const value = look(claret.on.counter('e').value());
      if (value === 1 || value === 2) throw new Error('not a value');
      return value;
    };
    const topic = topics.get({ ...counter('e'), compose });
    const end = topic.follow(() => undefined);
    await vi.waitFor(() => expect(topic.seen).toBe(0));
    await add('e', 1);
    await vi.waitFor(() => expect(errors).toEqual(['count e: not a value']));
    await add('e', 1);
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(errors).toHaveLength(1);
    expect(topic.seen).toBe(0);
    expect(topic.text).toContain('"value":0');
    await add('e', 1);
    await vi.waitFor(() => expect(topic.seen).toBe(3));
    end();
    expect(topics.size).toBe(0);
    records.close();
    await vi.waitFor(() => expect(records.size).toBe(0));
  });

  test('notifies the others when one of its followers fails', async () => {
    const records = new WatchedRecords(claret);
    const onError = vi.fn();
    const topic = new Topics(records, onError).get(counter('f'));
    const failing = topic.follow(() => unexpected(new Error('mine')));
    const told = vi.fn();
    const end = topic.follow(told);
    await vi.waitFor(() => expect(told).toHaveBeenCalledOnce());
    expect(onError).toHaveBeenCalledExactlyOnceWith(new Error('mine'), 'count f');
    failing();
    end();
    records.close();
  });
});
