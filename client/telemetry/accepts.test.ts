import { describe, expect, test } from 'vitest';
import { LIST_MAX, TEXT_MAX, accepts } from './accepts.ts';
import { amount, count, either, flag, list, map, number, object, oneOf, optional, orNull, pair, text } from './schema.ts';

describe('a schema accepts exactly the values of its type', () => {
  test.each([
    ['text', text(), ['', 'a', 'x'.repeat(TEXT_MAX)], [1, null, 'x'.repeat(TEXT_MAX + 1)]],
    ['flag', flag(), [true, false], [0, 'true', null]],
    ['number', number(), [0, -1.5, 1e15], ['1', NaN, Infinity, -Infinity, 1e16, -1e16]],
    ['amount', amount(), [0, 0.5, 1e15], [-1, NaN, Infinity]],
    ['count', count(undefined, { maximum: 3 }), [0, 3], [0.5, 4, -1, '1']],
    ['oneOf', oneOf(['a', 'b']), ['a', 'b'], ['c', 0, null, 'toString']],
    ['list', list(count()), [[], [1, 2]], [{ length: 0 }, [1, 'a'], Array.from({ length: LIST_MAX + 1 }, () => 0)]],
    ['pair', pair(count(), text()), [[1, 'a']], [[1], ['a', 1], []]],
    ['map', map(count()), [{}, { a: 1, __proto__: null }], [[], { a: 'b' }, null, { ['x'.repeat(TEXT_MAX + 1)]: 1 }]],
    ['orNull', orNull(text()), [null, 'a'], [undefined, 1]],
    ['either', either(object({ a: text() }), object({ b: count() })), [{ a: 'x' }, { b: 1 }], [{}, { b: 'x' }]],
    ['object', object({ a: text(), b: optional(count()) }), [{ a: '' }, { a: '', b: 1, c: 2 }], [{}, { a: '', b: 'x' }, 'a', null]],
  ])('%s', (_, schema, valid, invalid) => {
    for (const value of valid) expect([value, accepts<unknown>(schema, value)]).toEqual([value, true]);
    for (const value of invalid) expect([value, accepts<unknown>(schema, value)]).toEqual([value, false]);
  });
});

test('a missing member that has a default is filled in', () => {
  const value = {};
  expect(accepts(object({ a: count(undefined, { default: 0 }) }), value)).toBe(true);
  expect(value).toEqual({ a: 0 });
});

test('a schema is JSON Schema: optional members are not required', () => {
  expect(JSON.parse(JSON.stringify(object({ a: text('a name'), b: optional(orNull(count())) })))).toEqual({
    type: 'object',
    properties: {
      a: { type: 'string', description: 'a name' },
      b: { anyOf: [{ type: 'integer', minimum: 0 }, { type: 'null' }] },
    },
    required: ['a'],
  });
});
