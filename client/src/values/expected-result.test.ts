import { describe, expect, it } from 'vitest';
import { expectedResult } from './expected-result.ts';
import type { Kind } from './values.ts';

const BIG = 2n ** 60n;

describe('an expected result', () => {
  it.each<[Kind, unknown, unknown]>([
    ['boolean', false, false],
    ['integer', 0, 0],
    ['integer', '-12', -12],
    ['integer', `+${BIG}`, BIG],
    ['number', 1.5, 1.5],
    ['text', '', ''],
    ['scalar', '12', '12'],
    ['scalar', 2.5, 2.5],
    ['optional', null, null],
    ['optional', false, false],
    ['texts', ['a', ''], ['a', '']],
    ['scalars', ['a', null, 1, false], ['a', null, 1, false]],
    ['entries', JSON.parse('{"__proto__":1,"a":"b"}'), JSON.parse('{"__proto__":1,"a":"b"}')],
    ['entries', [['a', true]], { a: true }],
    ['scored', [['a', `${BIG}`]], [['a', BIG]]],
    ['ranked', [['a', 0.5]], [['a', 0.5]]],
    ['ranked_item', ['a', 2], ['a', 2]],
    ['ranked_item', null, null],
  ])('of the kind %s may be %o in JSON', (kind, given, expected) => {
    expect(expectedResult(kind, given, 'json')).toEqual(expected);
  });

  it.each<[Kind, unknown]>([
    ['void', null],
    ['boolean', 0],
    ['boolean', null],
    ['integer', 1.5],
    ['integer', null],
    ['integer', 2 ** 53],
    ['integer', '1e3'],
    ['integer', ''],
    ['integer', `${2n ** 63n}`],
    ['integer', 2n ** 63n],
    ['number', '1'],
    ['number', Infinity],
    ['text', 1],
    ['text', '\ud800'],
    ['scalar', null],
    ['scalar', ['a']],
    ['optional', {}],
    ['optional', NaN],
    ['texts', 'a'],
    ['texts', ['a', null]],
    ['scalars', [[]]],
    ['entries', null],
    ['entries', { a: null }],
    ['entries', [['a']]],
    ['scored', [['a', 0.5]]],
    ['ranked', [['a', 1, 2]]],
    ['ranked_item', []],
  ])('of the kind %s is never %o', (kind, given) => {
    expect(expectedResult(kind, given, 'json')).toBeUndefined();
  });

  it('on the wire has integers, and texts that are none', () => {
    expect(expectedResult('integer', BIG, 'wire')).toBe(BIG);
    expect(expectedResult('integer', 7n, 'wire')).toBe(7);
    expect(expectedResult('number', 7n, 'wire')).toBe(7);
    expect(expectedResult('optional', BIG, 'wire')).toBe(BIG);
    expect(expectedResult('integer', '7', 'wire')).toBeUndefined();
    expect(expectedResult('scored', [['a', '7']], 'wire')).toBeUndefined();
  });

  it('has no negative zero, which callers cannot tell from zero', () => {
    for (const kind of ['integer', 'number', 'scalar', 'optional'] as const) expect(expectedResult(kind, -0, 'json')).toBe(0);
  });
});
