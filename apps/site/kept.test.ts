// Values in memory, over real shards: what they cost in messages and runs, under the conditions of the cluster.
import { CalmEnvironment, inProcessCluster, type InProcessCluster } from '@claret/client/testing';
import type { Claret, Computation } from '@claret/client';
import { COST_HEADER, readCost } from '@claret/ui/site/cost.ts';
import Fastify from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { reportCost } from './cost.ts';
import type { App } from './http.ts';
import { kept } from './kept.ts';
import { applyDeadlines } from './overload/deadline.ts';
import { begunAt, setWarranties } from './testing/warranties.ts';

let cluster: InProcessCluster;
let claret: Claret;
let writer: Claret;
let app: App;
let sum: Computation<[one: string, other: string], number>;

beforeEach(async () => {
  cluster = await inProcessCluster({ shards: 2, environment: new CalmEnvironment() });
  [claret, writer] = [await cluster.connect({ name: 'site' }), await cluster.connect({ name: 'writer' })];
  sum = claret.computation('Sum', {}, async (read, ...names) => {
    const values = await Promise.all(names.map((name) => read.counter(name).value()));
    return values.reduce<number>((all, value) => all + Number(value), 0);
  });
  app = Fastify() as unknown as App;
  applyDeadlines(app, claret);
  reportCost(app);
  app.get('/sum', async (request) => {
    const read = async (own: Claret) => {
      const [one, other] = await Promise.all(['a', 'b'].map((name) => own.transact('ReadSum', [own.on.counter(name).value()])));
      return Number(one![0]) + Number(other![0]);
    };
    return { sum: await kept(request, 'ReadSum', sum, ['a', 'b'], read) };
  });
});
afterEach(async () => {
  await app.close();
  await cluster.stop();
});

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const add = () => writer.transact('Add', [writer.on.counter('a').add(1)]);

async function ask() {
  const begun = begunAt(cluster);
  const answer = await app.inject('/sum');
  const [row] = readCost(String(answer.headers[COST_HEADER]));
  return {
    sum: answer.json<{ sum: number }>().sum,
    begun: begunAt(cluster) - begun,
    operations: row?.operations,
    warranted: row?.warranted,
  };
}

test('Without warranties, no computation runs', async () => {
  for (let n = 0; n < 5; n++) expect(await ask()).toEqual({ sum: 0, begun: 2, operations: 2, warranted: 0 });
  expect(claret.computations.stats.runs).toBe(0);
});

test('Once the results are promised, the value is in memory, and one change costs one reading of what has changed', async () => {
  await setWarranties(cluster, 'auto', claret);
  for (let changes = 0; changes < 5; changes++) {
    await vi.waitFor(async () => expect((await ask()).begun).toBe(0));
    for (let n = 0; n < 2; n++) expect(await ask()).toEqual({ sum: changes, begun: 0, operations: 2, warranted: 2 });
    const { hits, runs } = { ...claret.computations.stats };
    expect(await ask()).toEqual({ sum: changes, begun: 0, operations: 2, warranted: 2 });
    expect(claret.computations.stats).toMatchObject({ hits: hits + 1, runs });
    await add();
    expect(await ask()).toEqual({ sum: changes + 1, begun: 1, operations: 2, warranted: 1 });
  }
});

test('A value that is another one each time is never computed, and costs what its readings cost', async () => {
  await setWarranties(cluster, 'auto', claret);
  for (let n = 0; n < 5; n++) {
    expect(await ask()).toMatchObject({ sum: n, operations: 2 });
    await add();
  }
  expect(claret.computations.stats.runs).toBe(0);
});

test('A change is seen by every request after it, while others are answered', async () => {
  await setWarranties(cluster, 'auto', claret, writer);
  let [acknowledged, stale] = [0, 0];
  let writing = true;
  const reading = Array.from({ length: 4 }, async () => {
    while (writing) {
      const least = acknowledged;
      if ((await ask()).sum < least) stale++;
      await pause(1);
    }
  });
  for (let n = 0; n < 30; n++) {
    await add();
    acknowledged++;
    await pause(10);
  }
  writing = false;
  await Promise.all(reading);
  expect(stale).toBe(0);
  expect(claret.computations.stats.hits).toBeGreaterThan(10);
});
