import { catalogue } from '@claret/core';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Catalogue } from '../../scripts/catalogue.ts';
import { generateHandles } from '../../scripts/generate-handles.ts';
import { inProcessCluster } from '../testing/in-process-cluster.ts';

describe('the generated handles', () => {
  it('are up to date with the core', () => {
    const committed = readFileSync(new URL('./handles.ts', import.meta.url), 'utf8');
    expect(committed).toBe(generateHandles(JSON.parse(catalogue()) as Catalogue));
  });

  it('carry every kind of argument and result in both directions', async () => {
    const cluster = await inProcessCluster();
    const claret = await cluster.connect();
    const { on } = claret;
    const big = 2n ** 62n;
    await claret.transaction('Fill', (tx) => {
      tx.register('r').set('Zürich');
      tx.counter('c').add(big);
      tx.dict('d').set({ name: 'a', count: 3, ratio: 0.5, yes: true, ['__proto__']: 'p' });
      tx.set('s').add('x');
      tx.set('s').add('y');
      tx.topK('k').add('low', 1.5);
      tx.topK('k').add('high', 7);
    });
    const results = await claret.transact('Read', [
      on.register('r').get(),
      on.register('none').get(),
      on.counter('c').value(),
      on.dict('d').get('name', 'missing', 'ratio', 'yes'),
      on.set('s').contains('x'),
      on.set('s').members(10),
      on.set('s').members(10, 'x'),
      on.topK('k').max(),
      on.topK('nothing').max(),
      on.topK('k').top(10),
    ]);
    expect(results).toEqual([
      'Zürich',
      null,
      big,
      ['a', null, 0.5, true],
      true,
      ['x', 'y'],
      ['y'],
      ['high', 7],
      null,
      [
        ['high', 7],
        ['low', 1.5],
      ],
    ]);
    const [all] = await claret.transact('All', [on.dict('d').all()]);
    expect(Object.entries(all).sort()).toEqual(Object.entries({ name: 'a', count: 3, ratio: 0.5, yes: true, ['__proto__']: 'p' }).sort());
    expect(Object.getPrototypeOf(all)).toBe(Object.prototype);
    await cluster.stop();
  });

  it('take from a bounded counter only the amount that it holds', async () => {
    const cluster = await inProcessCluster();
    const claret = await cluster.connect();
    const { on } = claret;
    await claret.transaction('Stock', (tx) => void tx.boundedCounter('seats').increment(3));
    const sell = (n: number) =>
      claret.transaction('Sell', (tx) => {
        tx.boundedCounter('seats').decrement(n);
        tx.hyperLogLog('buyers').add(`buyer of ${n}`);
      });
    await sell(2);
    await expect(sell(2)).rejects.toMatchObject({
      code: 'below_bound',
      key: 'seats',
      operation: 'BoundedCounter.decrement',
      retryable: false,
      commitState: 'none',
    });
    const took = await claret.transact('Try', [on.boundedCounter('seats').tryDecrement(2), on.boundedCounter('more').tryDecrement(0)]);
    expect(took).toEqual([false, true]);
    expect(await claret.transact('Look', [on.boundedCounter('seats').value(), on.hyperLogLog('buyers').count()])).toEqual([1, 1]);
    await cluster.stop();
  });

  it('refuse a call that no shard accepts before anything is sent', async () => {
    const cluster = await inProcessCluster();
    const claret = await cluster.connect();
    const { on } = claret;
    const anything = (value: unknown) => value as never;
    const refused: [() => unknown, string][] = [
      [() => on.topK('k').add('a', Number.NaN), 'not_finite'],
      [() => on.topK('k').add('a', Infinity), 'not_finite'],
      [() => on.counter('c').add(Number.NaN), 'not_finite'],
      [() => on.counter('c').add(2 ** 53), 'out_of_range'],
      [() => on.counter('c').add(2n ** 63n), 'out_of_range'],
      [() => on.counter('c').add(0.5), 'wrong_argument_type'],
      [() => on.counter('c').add(anything('1')), 'wrong_argument_type'],
      [() => on.set('s').add(anything(1)), 'wrong_argument_type'],
      [() => on.set('s').add('\ud800'), 'invalid_utf8'],
      [() => on.set('\ud800').add('a'), 'invalid_utf8'],
      [() => on.register('r').set(anything(null)), 'wrong_argument_type'],
      [() => on.register('r').set(anything({})), 'wrong_argument_type'],
      [() => on.dict('d').set({ a: Number.NaN }), 'not_finite'],
      [() => on.dict('d').get(anything(undefined)), 'wrong_argument_type'],
      [() => claret.describe('s', 'Set.fly', []), 'unknown_operation'],
      [() => claret.describe('s', 'Set.add', []), 'wrong_argument_count'],
    ];
    for (const [call, code] of refused) expect(call, code).toThrow(expect.objectContaining({ code, commitState: 'none' }));
    await expect(claret.transaction('Bad', (tx) => void tx.counter('c').add(Number.NaN))).rejects.toMatchObject({ code: 'not_finite' });
    await cluster.stop();
  });
});
