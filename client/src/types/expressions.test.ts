// Each method and function of symbolic values, and the expression that it becomes.

import { describe, expect, it } from 'vitest';
import type { Definition } from './definition.ts';
import {
  boolean,
  choose,
  concat,
  counter,
  defineType,
  dict,
  each,
  entries,
  greatest,
  integer,
  isAbsent,
  item,
  least,
  length,
  listOf,
  number,
  optional,
  power,
  ranked,
  rankedItem,
  register,
  scalar,
  scalars,
  scored,
  scoredSet,
  set,
  text,
  texts,
  topK,
} from './index.ts';
import { Kinded, type LikeOfKind, type ValueKind } from './kinds.ts';
import type { Arguments, Reading } from './source.ts';

const STATE = { count: counter, each: each(counter), dict, set, board: scoredSet, best: topK, one: register };
const PARAMETERS = {
  b: boolean(),
  i: integer(),
  j: integer(),
  n: number(),
  t: text(),
  s: scalar(),
  o: optional(),
  ts: texts(),
  ss: scalars(),
  es: entries(),
};
const [b, i, j, n, t, s, o, ts, ss, es] = Object.keys(PARAMETERS).map((_, at) => ['argument', at]);

type Args = Arguments<typeof PARAMETERS>;
type Fields = Reading<typeof STATE>;

function answerOf<K extends ValueKind>(kind: K, answer: (args: Args, fields: Fields) => LikeOfKind<K>): unknown {
  const type = defineType({
    name: 'Probe',
    version: 1,
    meaning: '',
    state: STATE,
    operations: {
      ask: { meaning: '', parameters: PARAMETERS, result: new Kinded(kind, ''), answer: (fields, args) => answer(args, fields) as never },
    },
  });
  return (JSON.parse(type.definition) as Definition).operations[0]!.answer;
}

describe('literals', () => {
  it('are written in the form of their kind', () => {
    expect(answerOf('boolean', () => true)).toBe(true);
    expect(answerOf('text', () => 'Zürich')).toBe('Zürich');
    expect(answerOf('integer', () => -5)).toBe(-5);
    expect(answerOf('integer', () => 5n)).toBe(5);
    expect(answerOf('integer', () => 2n ** 63n - 1n)).toEqual(['integer', '9223372036854775807']);
    expect(answerOf('integer', () => -(2n ** 63n))).toEqual(['integer', '-9223372036854775808']);
    expect(answerOf('number', () => 1.5)).toEqual(['number', 1.5]);
    expect(answerOf('number', () => 2)).toEqual(['number', 2]);
    expect(answerOf('number', () => -0)).toEqual(['number', 0]);
    expect(answerOf('scalar', () => 2)).toBe(2);
    expect(answerOf('scalar', () => 2.5)).toEqual(['number', 2.5]);
    expect(answerOf('scalar', () => 2n ** 60n)).toEqual(['integer', String(2n ** 60n)]);
    expect(answerOf('optional', () => null)).toBe(null);
    expect(answerOf('texts', () => ['a', 'b'])).toEqual(['list', 'a', 'b']);
    expect(answerOf('scalars', () => [1, null, 'b'])).toEqual(['list', 1, null, 'b']);
    expect(answerOf('entries', () => [['a', 1]])).toEqual(['list', ['list', 'a', 1]]);
    expect(answerOf('scored', () => [['a', 1]])).toEqual(['list', ['list', 'a', 1]]);
    expect(answerOf('ranked', () => [['a', 1]])).toEqual(['list', ['list', 'a', ['number', 1]]]);
    expect(answerOf('ranked_item', () => null)).toBe(null);
  });

  it('that no shard could take are refused', () => {
    const refused: [ValueKind, unknown, string][] = [
      ['integer', 1.5, 'an integer is wanted, and not 1.5'],
      ['integer', Number.NaN, 'an integer is wanted, and not NaN'],
      ['integer', 2 ** 53, 'beyond the safe integers'],
      ['integer', 2n ** 63n, 'beyond 64 bits'],
      ['integer', '1', 'an integer is wanted, and not "1"'],
      ['number', Infinity, 'not finite'],
      ['number', 1n, 'a number is wanted'],
      ['scalar', Number.NaN, 'not finite'],
      ['scalar', null, 'a scalar is wanted, and not null'],
      ['scalar', {}, 'a scalar is wanted, and not a value of the kind object'],
      ['text', '\ud800', 'half of a surrogate pair'],
      ['text', undefined, 'a text is wanted, and not undefined'],
      ['boolean', 1, 'a boolean is wanted'],
      ['texts', 'a', 'a list, each item a text is wanted'],
      ['texts', ['a', 1], 'a text is wanted, and not "1"'],
      ['entries', [['a']], 'a pair of a text and a scalar is wanted'],
      ['integer', Promise.resolve(1), 'a promise'],
      ['boolean', Symbol('x'), 'kind symbol'],
    ];
    for (const [kind, value, message] of refused) expect(() => answerOf(kind, () => value as never), message).toThrow(message);
  });
});

describe('the methods of values', () => {
  it('compute with integers and numbers', () => {
    expect(answerOf('integer', (a) => a.i.plus(1).minus(a.j).times(2n).dividedBy(3).modulo(a.j))).toEqual([
      '%',
      ['/', ['*', ['-', ['+', i, 1], j], 2], 3],
      j,
    ]);
    expect(answerOf('number', (a) => a.n.plus(1).minus(a.i).times(0.5).dividedBy(2).modulo(a.n))).toEqual([
      '%',
      ['/', ['*', ['-', ['+', n, ['number', 1]], i], ['number', 0.5]], ['number', 2]],
      n,
    ]);
    expect(answerOf('number', (a) => a.i.plus(a.n))).toEqual(['+', i, n]);
    expect(answerOf('number', (a) => a.i)).toEqual(['+', i, ['number', 0]]);
    expect(answerOf('number', (a) => a.i.toNumber())).toEqual(['+', i, ['number', 0]]);
    expect(answerOf('integer', (a) => a.n.floor())).toEqual(['floor', n]);
    expect(answerOf('number', (a) => power(2, a.i))).toEqual(['power', ['number', 2], ['+', i, ['number', 0]]]);
    expect(answerOf('integer', (a) => least(a.i, a.j, 3))).toEqual(['min', ['min', i, j], 3]);
    expect(answerOf('number', (a) => greatest(a.n, 3))).toEqual(['max', n, ['number', 3]]);
    expect(() => answerOf('integer', (a) => a.i.times(0.5))).toThrow('an integer is wanted, and not 0.5');
    expect(() => answerOf('integer', (a) => a.n as never)).toThrow('an integer is wanted, and not a number');
    expect(() => answerOf('integer', () => least())).toThrow('of no values');
    expect(() => answerOf('integer', (a) => least(a.t as never))).toThrow('integers or numbers are wanted');
  });

  it('compare', () => {
    expect(answerOf('boolean', (a) => a.i.lessThan(a.j))).toEqual(['<', i, j]);
    expect(answerOf('boolean', (a) => a.i.atMost(1.5))).toEqual(['<=', i, ['number', 1.5]]);
    expect(answerOf('boolean', (a) => a.i.greaterThan(a.n))).toEqual(['<', n, i]);
    expect(answerOf('boolean', (a) => a.n.atLeast(1))).toEqual(['<=', ['number', 1], n]);
    expect(answerOf('boolean', (a) => a.t.lessThan('m'))).toEqual(['<', t, 'm']);
    expect(answerOf('boolean', (a) => a.t.is('x'))).toEqual(['=', t, 'x']);
    expect(answerOf('boolean', (a) => a.s.isNot(a.o))).toEqual(['not', ['=', s, o]]);
    expect(answerOf('boolean', (a) => a.o.is(null))).toEqual(['=', o, null]);
    expect(answerOf('boolean', (a) => a.b.and(a.i.is(1)).or(false).not())).toEqual(['not', ['or', ['and', b, ['=', i, 1]], false]]);
    expect(() => answerOf('boolean', (a) => a.t.lessThan(1 as never))).toThrow('a text is wanted');
    expect(() => answerOf('boolean', (a) => a.b.and(a.i as never))).toThrow('a boolean is wanted, and not an integer');
  });

  it('choose', () => {
    expect(answerOf('integer', (a) => choose(a.b, 1, a.i))).toEqual(['if', b, 1, i]);
    expect(answerOf('number', (a) => choose(a.b, 1, a.n))).toEqual(['if', b, ['number', 1], n]);
    expect(answerOf('number', (a) => choose(a.b, a.i, a.n))).toEqual(['if', b, ['+', i, ['number', 0]], n]);
    expect(answerOf('text', (a) => choose(a.b, 'yes', 'no'))).toEqual(['if', b, 'yes', 'no']);
    expect(answerOf('optional', (a) => choose(a.b, a.s, null))).toEqual(['if', b, s, null]);
    expect(answerOf('optional', (a) => choose(true, a.t, null))).toEqual(['if', true, t, null]);
    expect(() => answerOf('text', (a) => choose(a.b, 'yes', 1 as never) as never)).toThrow('a text is wanted, and not "1"');
    expect(() => answerOf('text', (a) => choose(a.b, {} as never, 'no') as never)).toThrow('symbolic value is wanted');
  });

  it('look into what may be absent, into lists, pairs and texts', () => {
    expect(answerOf('scalar', (a) => a.o.orElse('none'))).toEqual(['or_else', o, 'none']);
    expect(answerOf('integer', (a) => a.o.orElse(0).asInteger().plus(1))).toEqual(['+', ['or_else', o, 0], 1]);
    expect(answerOf('number', (a) => a.s.asNumber())).toEqual(['+', s, ['number', 0]]);
    expect(answerOf('text', (a) => a.s.asText())).toEqual(s);
    expect(answerOf('boolean', (a) => a.o.present().asBoolean())).toEqual(o);
    expect(answerOf('boolean', (a) => a.o.isAbsent())).toEqual(['absent', o]);
    expect(answerOf('boolean', (a) => isAbsent(item(a.ts, a.i)))).toEqual(['absent', ['item', ts, i]]);
    expect(answerOf('text', (a) => a.ts.item(0).orElse(''))).toEqual(['or_else', ['item', ts, 0], '']);
    expect(answerOf('scalar', (a) => a.ss.item(0).present())).toEqual(['item', ss, 0]);
    expect(answerOf('text', (a) => a.es.item(1).present().first())).toEqual(['item', ['item', es, 1], 0]);
    expect(answerOf('scalar', (a) => a.es.item(1).present().second())).toEqual(['item', ['item', es, 1], 1]);
    expect(answerOf('integer', (a) => length(a.ts).plus(a.t.length()))).toEqual(['+', ['length', ts], ['length', t]]);
    expect(answerOf('text', (a) => concat('a', a.i, a.t))).toEqual(['concat', ['concat', 'a', i], t]);
    expect(answerOf('text', (a) => concat(a.i))).toEqual(['concat', i, '']);
    expect(answerOf('text', (a) => concat(a.t))).toEqual(t);
    expect(answerOf('text', () => concat())).toBe('');
    expect(answerOf('texts', (a) => listOf(a.t, a.s.asText()))).toEqual(['list', t, s]);
    expect(() => answerOf('text', (a) => a.o as never)).toThrow('a text is wanted, and not a scalar or nothing: orElse');
    expect(() => answerOf('text', (a) => a.s as never)).toThrow('a text is wanted, and not a scalar: asInteger');
    expect(() => answerOf('texts', () => listOf('a' as never))).toThrow('a list of symbolic values');
  });

  it('read fields', () => {
    expect(answerOf('integer', (_, f) => f.count.value())).toEqual(['read', 0, null, 'value']);
    expect(answerOf('integer', (a, f) => f.each.of(a.t).value())).toEqual(['read', 1, t, 'value']);
    expect(answerOf('integer', (_, f) => f.each.of('x').value())).toEqual(['read', 1, 'x', 'value']);
    expect(answerOf('optional', (a, f) => f.dict.get([a.t]).item(0))).toEqual(['item', ['read', 2, null, 'get', ['list', t]], 0]);
    expect(answerOf('scalars', (a, f) => f.dict.get(a.ts))).toEqual(['read', 2, null, 'get', ts]);
    expect(answerOf('entries', (_, f) => f.dict.all())).toEqual(['read', 2, null, 'all']);
    expect(answerOf('texts', (_, f) => f.set.members(10))).toEqual(['read', 3, null, 'members', 10, null]);
    expect(answerOf('texts', (a, f) => f.set.members(10, a.t))).toEqual(['read', 3, null, 'members', 10, t]);
    expect(answerOf('scored', (_, f) => f.board.range(0, 9))).toEqual(['read', 4, null, 'range', 0, 9]);
    expect(answerOf('number', (_, f) => f.best.max().present().second())).toEqual(['item', ['read', 5, null, 'max'], 1]);
    expect(answerOf('ranked', (_, f) => f.best.top(3))).toEqual(['read', 5, null, 'top', 3]);
    expect(answerOf('optional', (_, f) => f.one.get())).toEqual(['read', 6, null, 'get']);
    expect(() => answerOf('integer', (_, f) => (f.count.value as any)(1))).toThrow('Counter.value takes 0 arguments, not 1');
    expect(() => answerOf('boolean', (a, f) => f.set.contains(a.i as never))).toThrow('Set.contains, argument 1: a text is wanted');
    expect(() => answerOf('integer', (a, f) => f.each.of(a.i as never).value())).toThrow('the key of a field: a text is wanted');
  });
});

it('kinds have a meaning, or none', () => {
  expect([ranked(), rankedItem('the best'), scored()].map(({ kind, meaning }) => [kind, meaning])).toEqual([
    ['ranked', ''],
    ['ranked_item', 'the best'],
    ['scored', ''],
  ]);
});

it('a symbolic value is none of JavaScript', () => {
  const misuses: ((a: Args) => unknown)[] = [
    (a) => `${a.t as never}`,
    (a) => (a.i as never as number) + 1,
    (a) => (a.i as never as number) < 1,
    (a) => (a.t as never as string) == 'x', // oxlint-disable-line eqeqeq
    (a) => Number(a.i),
    (a) => String(a.t),
    (a) => JSON.stringify({ a: a.t }),
    (a) => ({ [a.t as never as string]: 1 }),
    (a) => [a.t].join('-'),
  ];
  for (const misuse of misuses) {
    expect(() => answerOf('boolean', (a) => [misuse(a)].length > 0), String(misuse)).toThrow(
      /that only a shard knows is used as one of JavaScript/,
    );
  }
});

it('a value that is used again and again is refused before it fills the memory', () => {
  const doubled = (a: Args, times: number) => {
    let value = a.i;
    for (let at = 0; at < times; at++) value = value.plus(value);
    return value;
  };
  expect(() => answerOf('integer', (a) => doubled(a, 8))).not.toThrow();
  expect(() => answerOf('integer', (a) => doubled(a, 1_000))).toThrow('more than 1000 nodes');
  const nested = (a: Args, times: number) => {
    let value = a.i;
    for (let at = 0; at < times; at++) value = value.plus(1);
    return value;
  };
  expect(() => answerOf('integer', (a) => nested(a, 63))).not.toThrow();
  expect(() => answerOf('integer', (a) => nested(a, 64))).toThrow('nested deeper than 64');
});
