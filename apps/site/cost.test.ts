// The transaction costs that answers report: a server with a few routes, over real shards.
import { inProcessCluster, untilWaiting, type InProcessCluster } from '@claret/client/testing';
import type { Claret } from '@claret/client';
import { COST_HEADER, COST_LABELS_MAX, readCost, type TransactionCost } from '@claret/ui/site/cost.ts';
import Fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { reportCost } from './cost.ts';
import { applyDeadlines } from './overload/deadline.ts';
import type { App } from './http.ts';

let cluster: InProcessCluster;
let claret: Claret;
let app: App;
let late: Promise<unknown>;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

beforeEach(async () => {
  cluster = await inProcessCluster({ shards: 2 });
  claret = await cluster.connect();
  app = Fastify() as unknown as App;
  applyDeadlines(app, claret);
  reportCost(app);
  app.get('/bid', async ({ claret: own }) => {
    await own.transact('Prices', [own.on.dict('prices').get('first')]);
    await own.transaction('Bid', async (tx) => {
      tx.topK('bids').add('one', 1);
      tx.counter('count').add(1);
    });
    return {};
  });
  app.get('/timeline', async ({ claret: own }) => {
    await Promise.all(['a', 'b', 'c'].map((post) => own.transact('ViewPost', [own.on.dict(post).all()])));
    return {};
  });
  app.get('/refused', async ({ claret: own }) => {
    await own.transaction('Bid', async (tx) => {
      await tx.topK('bids').max();
      throw Object.assign(new Error('too low'), { statusCode: 409 });
    });
  });
  app.get('/nothing', async () => ({}));
  app.get('/many', async ({ claret: own }) => {
    for (let i = 0; i < 3 * COST_LABELS_MAX; i++) await own.transact(`Größe ${i} ${'x'.repeat(100)}`.slice(0, i % 2 === 0 ? 12 : 60), []);
    return {};
  });
  app.get('/late', async ({ claret: own }) => {
    await own.transact('Now', []);
    late = own.transaction('Late', async (tx) => {
      await tx.counter('count').value();
      await pause(20);
    });
    return {};
  });
});

afterEach(async () => {
  await app.close();
  await cluster.stop();
});

async function costOf(url: string): Promise<TransactionCost[] | null> {
  const header = (await app.inject(url)).headers[COST_HEADER];
  return header === undefined ? null : readCost(String(header));
}

const unhindered = {
  warranted: 0,
  locks_waited: 0,
  waited_us: 0,
  retries: 0,
  body_runs: expect.any(Number),
  forecasts_out: 0,
  turn_waited_us: 0,
  batched: 0,
  batch_members: 0,
  chains_broken: 0,
  duration_ms: expect.any(Number),
};

describe('An answer', () => {
  test('reports the cost of each kind of transaction behind it', async () => {
    const cost = await costOf('/bid');
    expect(cost).toEqual([
      { label: 'Prices', count: 1, operations: 1, ...unhindered },
      { label: 'Bid', count: 1, operations: 2, ...unhindered },
    ]);
    for (const { duration_ms } of cost!) expect(duration_ms).toBeGreaterThan(0);
  });

  test('adds up the transactions of one label', async () => {
    expect(await costOf('/timeline')).toEqual([{ label: 'ViewPost', count: 3, operations: 3, ...unhindered }]);
  });

  test('reports costs also if it is an error', async () => {
    expect((await app.inject('/refused')).statusCode).toBe(409);
    expect(await costOf('/refused')).toMatchObject([{ label: 'Bid', count: 1, operations: 1 }]);
  });

  test('without transactions reports nothing', async () => {
    expect(await costOf('/nothing')).toBeNull();
  });

  test('reports the transactions of its own request alone', async () => {
    const costs = await Promise.all(Array.from({ length: 20 }, (_, i) => costOf(i % 2 === 0 ? '/bid' : '/timeline')));
    costs.forEach((cost, i) => {
      expect(cost?.map(({ label, count }) => [label, count])).toEqual(
        i % 2 === 0
          ? [
              ['Prices', 1],
              ['Bid', 1],
            ]
          : [['ViewPost', 3]],
      );
    });
  });

  test('reports how many operations needed no message', async () => {
    const conditions = { locks: 'abstract', phasing: true, combining: 'off', warranties: 'auto' } as const;
    for (const shard of cluster.shards) shard.setConditions(conditions, performance.timeOrigin + performance.now(), performance.now());
    expect(await costOf('/timeline')).toMatchObject([{ operations: 3, warranted: 0 }]);
    await vi.waitFor(async () => expect(await costOf('/timeline')).toMatchObject([{ operations: 3, warranted: 3 }]));
  });

  test('reports locks that were waited for', async () => {
    const other = await cluster.connect();
    let read = () => {};
    const has_read = new Promise<void>((resolve) => (read = resolve));
    const viewing = other.transaction('ViewAuction', async (tx) => {
      await tx.topK('bids').top(3);
      read();
      await untilWaiting(cluster.shards);
      await pause(10);
    });
    await has_read;
    const cost = await costOf('/bid');
    await viewing;
    expect(cost).toMatchObject([{ locks_waited: 0 }, { label: 'Bid', locks_waited: 1 }]);
    expect(cost![1]!.waited_us).toBeGreaterThan(3_000);
  });

  test('has a header of bounded size, in ASCII, that leaves nothing out', async () => {
    const header = String((await app.inject('/many')).headers[COST_HEADER]);
    expect(header).toMatch(/^[\x20-\x7e]*$/);
    expect(header.length).toBeLessThan(8 * 1024);
    expect(JSON.parse(header)).toHaveLength(COST_LABELS_MAX);
    const cost = readCost(header);
    expect(cost[0]!.label).toBe('Größe 0 xxxx');
    expect(cost.at(-1)!.label).toBe('others');
    expect(cost.reduce((sum, { count }) => sum + count, 0)).toBe(3 * COST_LABELS_MAX);
  });

  test('does not report transactions that end after it, and neither does the next answer', async () => {
    expect((await costOf('/late'))?.map(({ label }) => label)).toEqual(['Now']);
    const next = costOf('/bid');
    await late;
    expect((await next)?.map(({ label }) => label)).toEqual(['Prices', 'Bid']);
  });
});
