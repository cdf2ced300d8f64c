// Operations that go by their names, on real shards. The type here lends the names of built-in operations, so every shard knows it.

import { describe, expect, it } from 'vitest';
import { descriptions } from '../descriptions.ts';
import { operationSpecs } from '../generated/handles.ts';
import { inProcessCluster } from '../testing/in-process-cluster.ts';
import { NAMED_CODES, type OperationSpec } from '../values/operation-spec.ts';
import type { Integer, Scalar } from '../values/values.ts';
import { OwnType } from './own-type.ts';

interface Operations {
  increment: { args: [string, Integer]; result: void };
  put: { args: [Record<string, Scalar>]; result: Integer };
  get: { args: [string[]]; result: (Scalar | null)[] };
  all: { args: []; result: Record<string, Scalar> };
}

/** `name`: of the type whose operations are meant. */
class Borrowed extends OwnType<Operations> {
  readonly name: string;
  readonly specs: ReadonlyMap<string, OperationSpec>;

  constructor(name: string, first: number) {
    super();
    this.name = name;
    const borrowed = ['increment', 'put', 'get', 'all'].map((each, i): [string, OperationSpec] => {
      const spec = operationSpecs.get(`Dict.${each}`)!;
      return [each, { ...spec, name: `${name}.${each}`, code: first + i }];
    });
    this.specs = new Map(borrowed);
  }
}

const Type = new Borrowed('Dict', NAMED_CODES + 1);
const Unknown = new Borrowed('Nowhere', NAMED_CODES + 257);

describe('a type of the application', () => {
  it('has operations in transactions, lists, natives and watches', async () => {
    const cluster = await inProcessCluster();
    const claret = await cluster.connect();
    await claret.transaction('Fill', async (tx) => {
      const record = tx.of(Type, 'a');
      expect(await record.put({ x: 1, ['__proto__']: 'p' })).toBe(2);
      record.increment('n', 2n ** 60n);
    });
    const { on } = claret;
    const all = { x: 1, ['__proto__']: 'p', n: 2n ** 60n };
    expect(await claret.transact('Read', [on.of(Type, 'a').get(['x', 'none']), on.dict('a').all()])).toEqual([[1, null], all]);
    expect(await claret.native.of(Type, 'a').all()).toEqual(all);
    await claret.native.of(Type, 'a').increment('x', 1);
    const seen = await new Promise((resolve) => {
      const watch = claret.watch([on.of(Type, 'a').get(['x'])], (change) => {
        watch.close();
        resolve(change.value);
      });
    });
    expect(seen).toEqual([2]);
    expect(await claret.transaction('Look', (tx) => tx.perform(on.of(Type, 'a').get(['x'])))).toEqual([2]);
    expect(await claret.transaction('Snapshot', (tx) => tx.of(Type, 'a').get(['x']), { isolation: 'snapshot' })).toEqual([2]);
    await cluster.stop();
  });

  it('is read by computations, which it cannot change', async () => {
    const cluster = await inProcessCluster();
    const claret = await cluster.connect();
    await claret.native.of(Type, 'a').increment('x', 1);
    const sum = claret.computation('sum', { version: 1 }, async (read, key: string) => {
      const [x, y] = (await read.of(Type, key).get(['x', 'y'])) as (number | null)[];
      return (x ?? 0) + (y ?? 0);
    });
    expect([await sum.get('a'), await sum.get('a')]).toEqual([1, 1]);
    await claret.native.of(Type, 'a').increment('y', 5);
    expect(await sum.get('a')).toBe(6);
    const changes = claret.computation('changes', { version: 1 }, (read, key: string) => read.of(Type, key).put({ x: 2 }));
    await expect(changes.get('a')).rejects.toMatchObject({ code: 'impure_computation' });
    await cluster.stop();
  });

  it('goes through crowds: its results are never guessed', async () => {
    const cluster = await inProcessCluster();
    const claret = await cluster.connect({ combining: 'always' });
    const add = (n: number) => claret.transaction('Add', (tx) => void tx.of(Type, 'hot').increment('n', n));
    const raise = () =>
      claret.transaction('Raise', async (tx) => {
        const [n] = (await tx.of(Type, 'hot').get(['n'])) as [number | null];
        tx.of(Type, 'hot').increment('m', (n ?? 0) >= 0 ? 1 : 0);
      });
    await Promise.all(Array.from({ length: 200 }, (_, i) => (i % 2 === 0 ? add(i) : raise())));
    expect(await claret.native.of(Type, 'hot').all()).toEqual({ n: 9_900, m: 100 });
    await cluster.stop();
  });

  it('that the cluster does not have is refused', async () => {
    const cluster = await inProcessCluster();
    const claret = await cluster.connect();
    await expect(claret.native.of(Unknown, 'a').all()).rejects.toMatchObject({ code: 'unknown_type' });
    await expect(claret.transaction('X', (tx) => void tx.of(Unknown, 'a').increment('x', 1))).rejects.toMatchObject({
      code: 'unknown_type',
    });
    await cluster.stop();
  });

  it('is checked before anything is sent', () => {
    const anything = (value: unknown) => value as never;
    const record = descriptions.of(Type, 'a');
    const refused: [() => unknown, string][] = [
      [() => record.increment('x', 0.5), 'wrong_argument_type'],
      [() => record.increment('x', 2n ** 63n), 'out_of_range'],
      [() => record.increment(anything(1), 1), 'wrong_argument_type'],
      [() => (record.increment as any)('x'), 'wrong_argument_count'],
      [() => (record.increment as any)('x', 1, 2), 'wrong_argument_count'],
      [() => descriptions.of(Type, '\ud800').all(), 'invalid_utf8'],
      [() => descriptions.of(Type, anything(1)).all(), 'wrong_argument_type'],
    ];
    for (const [call, code] of refused) expect(call, code).toThrow(expect.objectContaining({ code, commitState: 'none' }));
  });

  it('has handles with its operations and nothing else', () => {
    const handle = descriptions.of(Type, 'a') as unknown as Record<string, unknown>;
    for (const name of ['then', 'constructor', 'toString', '__proto__', 'issuer', 'key']) expect(handle[name], name).toBe(undefined);
    expect('increment' in handle).toBe(true);
    expect(() => {
      handle['increment'] = null;
    }).toThrow(TypeError);
  });
});
