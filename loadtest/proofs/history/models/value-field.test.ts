// Records of types that have fields of the type Value.

import { describe, expect, it } from 'vitest';
import type { HistoryValue } from '@claret/client';
import { Refusal, type Model } from '../model.ts';
import { operation, update } from '../testing-values.ts';
import { Composed, ComposedType } from './composed.ts';
import { Counter } from './counter.ts';
import type { Json } from './inner.ts';
import { isHeld, type Shape } from './shape.ts';

const get = (field: number, key: Json): Json => ['read', field, key, 'get'];

/** A queue of names with a number each, and totals by key. */
const DEFINITION = {
  format: 1,
  name: 'Desk',
  version: 1,
  meaning: '',
  fields: [
    { name: 'queue', type: 'Value', each: false, shape: ['list', ['record', ['who', 'text'], ['n', 'integer']]], initial: ['list'] },
    { name: 'totals', type: 'Value', each: true, shape: 'integer', initial: 0 },
    { name: 'served', type: 'Counter', each: false },
  ],
  operations: [
    operation('come', ['text', 'integer'], {
      writes: [
        update(0, null, ['join', ['old'], ['list', ['list', ['argument', 0], ['argument', 1]]]]),
        update(1, ['argument', 0], ['+', ['old'], ['argument', 1]]),
        { field: 2, key: null, operation: 'add', arguments: [1], when: null },
      ],
    }),
    operation('serve', ['text'], {
      result: 'boolean',
      answer: ['not', ['absent', ['find', 0, get(0, null), ['=', ['item', ['local', 0], 0], ['argument', 0]]]]],
      writes: [update(0, null, ['filter', 0, ['old'], ['not', ['=', ['item', ['local', 0], 0], ['argument', 0]]]], ['answer'])],
    }),
    operation('twice', ['text'], {
      writes: [update(1, ['argument', 0], ['+', ['old'], 1]), update(1, ['argument', 0], ['*', ['old'], 10])],
    }),
    operation('divide', ['text', 'integer'], { writes: [update(1, ['argument', 0], ['/', ['argument', 1], ['old']])] }),
    operation('put', ['scalar'], { writes: [update(1, 'put', ['argument', 0])] }),
    operation('names', [], { result: 'texts', answer: ['map', 3, get(0, null), ['item', ['local', 3], 0]] }),
    operation('total', ['text'], { result: 'integer', answer: get(1, ['argument', 0]) }),
  ],
  commutes: [],
};

const desk = (): Composed => new Composed(new ComposedType(JSON.stringify(DEFINITION), () => new Counter()));

/** Commits the operation, as if it was alone. */
function run(model: Model, op: string, ...args: HistoryValue[]): HistoryValue | undefined {
  const result = model.execute(op, args, []) as HistoryValue | undefined;
  model.commit(op, args, result);
  return result;
}

describe('a record with values', () => {
  it('computes each value from the one before', () => {
    const model = desk();
    run(model, 'come', 'ann', 2);
    run(model, 'come', 'bob', 3);
    run(model, 'come', 'ann', 5);
    expect(model.execute('names', [], [])).toEqual(['ann', 'bob', 'ann']);
    expect(run(model, 'serve', 'ann')).toBe(true);
    expect(run(model, 'serve', 'ann')).toBe(false);
    expect(model.execute('names', [], [])).toEqual(['bob']);
  });

  it('has one value for each key, each of them initial at first', () => {
    const model = desk();
    run(model, 'come', 'ann', 2);
    run(model, 'come', 'bob', 3);
    run(model, 'come', 'ann', 5);
    expect(['ann', 'bob', 'cy'].map((who) => model.execute('total', [who], []))).toEqual([7, 3, 0]);
  });

  it('sees in an update what the earlier writes of its operation have changed, and in an answer what was committed', () => {
    const model = desk();
    run(model, 'twice', 'ann');
    expect(model.execute('total', ['ann'], [])).toBe(10);
    expect(model.execute('total', ['ann'], [{ op: 'twice', args: ['ann'], result: undefined }])).toBe(10);
  });

  it('refuses an update that fails behind those of its transaction', () => {
    const model = desk();
    const divide = (own: Parameters<Model['execute']>[2]) => model.execute('divide', ['ann', 6], own);
    expect(() => divide([])).toThrow(Refusal);
    expect(() => divide([{ op: 'come', args: ['ann', 3], result: undefined }])).not.toThrow();
    expect(() => divide([{ op: 'come', args: ['bob', 3], result: undefined }])).toThrow(Refusal);
  });

  it('refuses a value of another shape', () => {
    const model = desk();
    run(model, 'put', 7);
    expect(model.execute('total', ['put'], [])).toBe(7);
    for (const wrong of ['a', 0.5, true]) expect(() => model.execute('put', [wrong], [])).toThrow(Refusal);
  });

  it('is quarantined in that value alone once an update fails when it is committed', () => {
    const model = desk();
    run(model, 'come', 'ann', 3);
    model.commit('put', ['a'], undefined);
    const before = model.clone();
    model.commit('put', [7], undefined);
    expect(model.equals(before)).toBe(true);
    expect(() => model.execute('total', ['put'], [])).toThrow(Refusal);
    expect(() => model.execute('put', [7], [])).toThrow(Refusal);
    expect(model.execute('total', ['ann'], [])).toBe(3);
    expect(model.equals(desk())).toBe(false);
  });

  it('has copies that do not change each other', () => {
    const first = desk();
    run(first, 'come', 'ann', 1);
    const second = first.clone();
    expect(second.equals(first)).toBe(true);
    run(first, 'come', 'bob', 1);
    expect(second.equals(first)).toBe(false);
    expect(second.execute('names', [], [])).toEqual(['ann']);
    expect(first.execute('names', [], [])).toEqual(['ann', 'bob']);
  });

  it('is equal to one that has come to the same values in another way', () => {
    const [one, other] = [desk(), desk()];
    for (const who of ['ann', 'bob']) run(one, 'come', who, 1);
    for (const who of ['bob', 'ann', 'bob']) run(other, 'come', who, 1);
    expect(one.equals(other)).toBe(false);
    for (const model of [one, other]) for (const who of ['ann', 'bob']) run(model, 'serve', who);
    run(one, 'come', 'bob', 1);
    run(one, 'serve', 'bob');
    expect(one.equals(other)).toBe(true);
  });
});

describe('a shape', () => {
  const person: Shape = ['record', ['name', 'text'], ['age', ['maybe', 'integer']]];

  it.each<[Shape, Parameters<typeof isHeld>[1], boolean]>([
    ['boolean', true, true],
    ['boolean', null, false],
    ['integer', 1n, true],
    ['integer', 1, false],
    ['number', 1, true],
    ['number', 1n, false],
    ['text', 'a', true],
    ['text', 'é'.repeat(32 * 1024 - 8), true],
    ['text', 'é'.repeat(32 * 1024 - 7), false],
    ['scalar', 'a', true],
    ['scalar', 1n, true],
    ['scalar', 0.5, true],
    ['scalar', false, true],
    ['scalar', null, false],
    ['scalar', [], false],
    [['maybe', 'text'], null, true],
    [['maybe', 'text'], 1n, false],
    [['list', 'integer'], [], true],
    [['list', 'integer'], [1n, 'a'], false],
    [['list', 'integer'], null, false],
    [['list', 'integer'], Array.from({ length: 4095 }, () => 1n), true],
    [['list', 'integer'], Array.from({ length: 4096 }, () => 1n), false],
    [person, ['ann', null], true],
    [person, ['ann', 7n], true],
    [person, ['ann'], false],
    [person, ['ann', 7n, 8n], false],
    [person, [7n, 'ann'], false],
    [['list', person], [['ann', null]], true],
  ])('%j', (shape, value, fits) => {
    expect(isHeld(shape, value)).toBe(fits);
  });
});
