// What computations must not do, and how that is noticed.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import { inProcessCluster, type InProcessCluster } from '../testing/in-process-cluster.ts';
import type { ComputationBody, Reader } from './reader.ts';

let cluster: InProcessCluster;
let claret: Claret;
beforeAll(async () => {
  cluster = await inProcessCluster();
  claret = await cluster.connect();
});
afterAll(() => cluster.stop());

const strict = <Result>(body: ComputationBody<[], Result>) => claret.computation('strict', { version: 1 }, body);
const IMPURE = { code: 'impure_computation', retryable: false };

describe('a computation', () => {
  it.each<[string, (read: Reader) => unknown]>([
    ['Date.now', () => Date.now()],
    ['Math.random', () => Math.random()],
    ['fetch', () => fetch('http://127.0.0.1:1')],
    ['setTimeout', () => new Promise((resolve) => void setTimeout(resolve, 1))],
    ['setInterval', () => clearInterval(setInterval(() => {}, 1))],
    ['setImmediate', () => new Promise((resolve) => void setImmediate(resolve))],
    ['Date.now after a read', async (read) => [await read.counter('a').value(), Date.now()]],
    ['`get` of another one', () => strict(() => 1).get()],
    ['`kept` of another one', () => strict(() => 1).kept()],
  ])('must not use %s', async (_what, body) => {
    await expect(strict(async (read) => body(read)).get()).rejects.toMatchObject(IMPURE);
    expect(Date.now(), 'the others may').toBeGreaterThan(0);
    await sleep(0);
  });

  it('must not change a record', async () => {
    const changing = strict(async (read) => (read as unknown as { counter(key: string): { add(n: number): unknown } }).counter('a').add(1));
    await expect(changing.get()).rejects.toMatchObject(IMPURE);
    await expect(claret.transaction('T', (tx) => tx.call(changing))).rejects.toMatchObject(IMPURE);
  });

  it('is run twice on the same results, which are its own', async () => {
    let runs = 0;
    const sorted = strict(async (read) => {
      runs++;
      const [one, two] = await Promise.all([read.set('none').members(10), read.set('none').members(10)]);
      one.push('mine');
      return [one, two];
    });
    expect(await sorted.get()).toEqual([['mine'], []]);
    expect([runs, sorted.explain().runs]).toEqual([2, 1]);
  });

  it('that gives two values for the same results fails, and nothing of it is kept', async () => {
    let n = 0;
    const counting = strict(async (read) => [await read.counter('a').value(), n++]);
    await expect(counting.get()).rejects.toMatchObject(IMPURE);
    expect(counting.explain().state).toBe('none');
    const wandering = strict(async (read) => await read.counter(`${n++}`).value());
    await expect(wandering.get()).rejects.toMatchObject(IMPURE);
  });

  it('may leave a read alone, but not depend on which of two comes first', async () => {
    const careless = strict(async (read) => {
      void read.counter('a').value();
      return 'done';
    });
    expect(await careless.get()).toBe('done');
    expect(careless.explain().members).toEqual([]);
    const racing = strict((read) => Promise.race([read.counter('a').value(), read.counter('b').value()]));
    await racing.get();
    expect(['none', 'unproven']).toContain(racing.explain().state);
  });

  it('in production is run twice now and then; a difference is reported, and nothing is kept of it any more', async () => {
    const other = await cluster.connect();
    const warnings: string[] = [];
    const onWarning = (warning: Error & { code?: string }) =>
      void (warning.code === 'impure_computation' && warnings.push(warning.message));
    process.on('warning', onWarning);
    let n = 0;
    const counting = other.computation('counting', { strict: false }, async (read, of: number) => [
      await read.counter('a').value(),
      of,
      n++,
    ]);
    for (let of = 0; of < 200; of++) await counting.get(of);
    await sleep(10);
    process.off('warning', onWarning);
    expect(warnings).toEqual(['The computation counting gave two values for the same results']);
    expect([counting.explain(199).state, other.computations.stats]).toMatchObject(['none', { impure: 1 }]);
  });

  it('keeps its numbers apart from those of others: by name, version and text', () => {
    const ids = [
      claret.computation('a', { version: 1 }, () => 1),
      claret.computation('a', { version: 2 }, () => 1),
      claret.computation('b', { version: 1 }, () => 1),
      claret.computation('a', { version: 1 }, () => 2),
    ].map((computation) => computation.explain().id);
    expect(new Set(ids).size).toBe(4);
    expect(claret.computation('a', { version: 1 }, () => 1).explain().id).toBe(ids[0]);
  });
});
