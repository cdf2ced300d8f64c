// Expressions that bind names and go over lists.

import { describe, expect, it } from 'vitest';
import { Refusal } from '../model.ts';
import { evaluate } from './expression.ts';
import { Meter, type Inner, type Json } from './inner.ts';

const value = (expression: Json, args: readonly Inner[] = []): Inner => evaluate(expression, { args, meter: new Meter() });
const list = (...items: Json[]): Json => ['list', ...items];
const local = (name: number): Json => ['local', name];

describe('an expression', () => {
  it.each<[what: string, expression: Json, result: Inner]>([
    ['let', ['let', 0, 3, ['+', local(0), local(0)]], 6n],
    ['let within let, of the same name', ['let', 0, 1, ['+', ['let', 0, 5, local(0)], local(0)]], 6n],
    ['map', ['map', 1, list(1, 2), ['*', local(1), 10]], [10n, 20n]],
    ['map within map', ['map', 0, list(1, 2), ['map', 1, list(3), list(local(0), local(1))]], [[[1n, 3n]], [[2n, 3n]]]],
    ['filter', ['filter', 0, list(1, 2, 3), ['<', 1, local(0)]], [2n, 3n]],
    ['find', ['find', 0, list(1, 2, 3), ['<', 1, local(0)]], 2n],
    ['find that finds nothing', ['find', 0, list(1), ['<', 1, local(0)]], null],
    ['find, which stops at the first', ['find', 0, list(1, 0), ['=', 1, ['/', 1, local(0)]]], 1n],
    ['sort', ['sort', 0, list(3, 1, 2), ['-', 0, local(0)]], [3n, 2n, 1n]],
    [
      'sort, which keeps the order of equal keys',
      ['sort', 0, list(list(1, 'a'), list(0, 'b'), list(1, 'c')), ['item', local(0), 0]],
      [
        [0n, 'b'],
        [1n, 'a'],
        [1n, 'c'],
      ],
    ],
    ['sort by integers and numbers', ['sort', 0, list(2, ['number', 1.5], 1), local(0)], [1n, 1.5, 2n]],
    ['sort by texts, in the order of UTF-8', ['sort', 0, list('😀', '\uffff', 'b'), local(0)], ['b', '\uffff', '😀']],
    ['fold', ['fold', 0, 1, list(1, 2, 3), 10, ['-', local(0), local(1)]], 4n],
    ['fold of nothing', ['fold', 0, 1, list(), 'none', local(1)], 'none'],
    ['range', ['range', 3], [0n, 1n, 2n]],
    ['range of nothing', ['range', 0], []],
    ['slice', ['slice', list(1, 2, 3), 1, 3], [2n, 3n]],
    ['slice beyond both ends', ['slice', list(1, 2), -5, 9], [1n, 2n]],
    ['slice that ends before it begins', ['slice', list(1, 2), 2, 1], []],
    ['join', ['join', list(1), list('a', null)], [1n, 'a', null]],
    ['replace', ['replace', list(1, 2), 1, 'b'], [1n, 'b']],
    ['reverse', ['reverse', list(1, 2)], [2n, 1n]],
    ['and its arguments', ['map', 0, ['argument', 0], ['concat', local(0), '!']], ['a!', 'b!']],
  ])('%s', (_what, expression, result) => {
    expect(value(expression, [['a', 'b']])).toEqual(result);
  });

  it.each<[what: string, expression: Json]>([
    ['a list that is none', ['map', 0, 1, local(0)]],
    ['an absent list', ['reverse', null]],
    ['join with what is no list', ['join', list(), 'a']],
    ['a condition that is none', ['filter', 0, list(1), local(0)]],
    ['keys of two kinds', ['sort', 0, list(1, 'a'), local(0)]],
    ['a single key that is none', ['sort', 0, list(true), local(0)]],
    ['a range below 0', ['range', -1]],
    ['a range of a number', ['range', ['number', 2]]],
    ['a range that is too long', ['range', 1_000_000_000]],
    ['no item to replace', ['replace', list(1), 1, 2]],
    ['an item before the first', ['replace', list(1), -1, 2]],
    ['a slice from a text', ['slice', list(1), 'a', 1]],
    ['too many steps', ['map', 0, ['range', 1_000], ['map', 1, ['range', 1_000], local(1)]]],
  ])('is refused for %s', (_what, expression) => {
    expect(() => value(expression)).toThrow(Refusal);
  });
});
