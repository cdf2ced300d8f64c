// What makes a definition, and what is refused.

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Definition } from './definition.ts';
import {
  boolean,
  boundedCounter,
  counter,
  DefinedType,
  defineType,
  DefinitionError,
  dict,
  each,
  integer,
  scored,
  set,
  text,
  type IntegerValue,
} from './index.ts';
import { FieldType } from './field-type.ts';

const COUNT = { meaning: '', result: integer(), answer: ({ count }: any) => count.value() };

/** A type that is well defined, with other members in place of its own. */
const define = (others: Record<string, unknown>): DefinedType =>
  defineType({
    name: 'Probe',
    version: 1,
    meaning: '',
    state: { count: counter, more: each(boundedCounter) },
    operations: { act: COUNT },
    ...others,
  } as never);

/** One that has this operation, called `act`. */
const withOperation = (operation: Record<string, unknown>): DefinedType => define({ operations: { act: { meaning: '', ...operation } } });
const definitionOf = (type: DefinedType): Definition => JSON.parse(type.definition) as Definition;
const operationIn = (type: DefinedType) => definitionOf(type).operations[0]!;

describe('a definition', () => {
  it('is canonical, and its hash is that of its text', () => {
    const type = define({ meaning: 'Zürich', operations: { act: { write: () => [], meaning: 'm' } } });
    expect(type.definition).toBe(
      '{"format":1,"name":"Probe","version":1,"meaning":"Zürich",' +
        '"fields":[{"name":"count","type":"Counter","each":false},{"name":"more","type":"BoundedCounter","each":true}],' +
        '"operations":[{"name":"act","meaning":"m","parameters":[],"result":"void","require":[],"answer":null,"writes":[]}],"commutes":[]}',
    );
    expect(type.hash).toBe(createHash('sha256').update(type.definition, 'utf8').digest('hex'));
    expect([type.name, type.version, type.meaning]).toEqual(['Probe', 1, 'Zürich']);
  });

  it('has what its functions return, in their order', () => {
    const type = withOperation({
      parameters: { n: integer('how many'), key: text() },
      result: boolean(),
      require: ({ count }: any, { n }: any) => [
        n.atLeast(1).orRefuse('too_few', 'n is 1 or more'),
        count.value().is(n).orRefuse('other', 'x'),
      ],
      answer: ({ more }: any, { key }: any) => more.of(key).atLeast(5),
      write: ({ count, more }: any, { n, key }: any, answer: any) => [count.add(n), more.of(key).decrement(1).when(answer).when(n.is(2))],
    });
    expect(operationIn(type)).toEqual({
      name: 'act',
      meaning: '',
      parameters: [
        { name: 'n', kind: 'integer', meaning: 'how many' },
        { name: 'key', kind: 'text', meaning: '' },
      ],
      result: 'boolean',
      require: [
        { that: ['<=', 1, ['argument', 0]], code: 'too_few', message: 'n is 1 or more' },
        { that: ['=', ['read', 0, null, 'value'], ['argument', 0]], code: 'other', message: 'x' },
      ],
      answer: ['read', 1, ['argument', 1], 'atLeast', 5],
      writes: [
        { field: 0, key: null, operation: 'add', arguments: [['argument', 0]], when: null },
        { field: 1, key: ['argument', 1], operation: 'decrement', arguments: [1], when: ['and', ['answer'], ['=', ['argument', 0], 2]] },
      ],
    });
  });

  it('has claims about two operations', () => {
    const type = define({
      operations: {
        ask: {
          meaning: '',
          parameters: { n: integer() },
          result: boolean(),
          answer: ({ more }: any, { n }: any) => more.of('x').atLeast(n),
        },
        act: { meaning: '', parameters: { m: integer() }, write: ({ more }: any, { m }: any) => [more.of('x').increment(m)] },
      },
      commutes: [
        { first: 'ask', second: 'act', when: (first: any, second: any) => first.answer.and(second.arguments.m.atLeast(0)) },
        { first: 'ask', second: 'ask', when: () => true },
      ],
    });
    expect(definitionOf(type).commutes).toEqual([
      { first: 'ask', second: 'act', when: ['and', ['answer', 0], ['<=', 0, ['argument', 1, 0]]] },
      { first: 'ask', second: 'ask', when: true },
    ]);
  });

  it('says of each operation what a client may rely on', () => {
    const { specs } = define({
      operations: {
        look: COUNT,
        act: { meaning: '', parameters: { n: integer() }, write: ({ count }: any, { n }: any) => [count.add(n)] },
        take: { ...COUNT, write: ({ count }: any) => [count.add(1)] },
      },
    });
    const safe = { mode: 0 };
    expect([...specs.values()]).toMatchObject([
      { name: 'Probe.look', operationClass: 'observe', result: 'integer', parameters: [], ...safe },
      { name: 'Probe.act', operationClass: 'mutate', result: 'void', parameters: ['integer'], ...safe },
      { name: 'Probe.take', operationClass: 'both', result: 'integer', parameters: [], ...safe },
    ]);
  });

  it('has the same codes each time it is made, and no other one has them', () => {
    const codes = (type: DefinedType) => [...type.specs.values()].map(({ code }) => code);
    const [one, again, other] = [define({}), define({}), define({ version: 2 })];
    expect(codes(again)).toEqual(codes(one));
    expect(codes(other)).not.toEqual(codes(one));
    for (const code of [...codes(one), ...codes(other)]) expect(code).toBeGreaterThan(0xffff);
  });
});

describe('limits', () => {
  const members = (count: number, member: unknown): Record<string, unknown> =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}`, member]));
  const nothing = { meaning: '', write: () => [] };

  it('hold for the number of each part', () => {
    const state = (count: number) => define({ state: members(count, counter), operations: { act: nothing } });
    const operations = (count: number) => define({ operations: members(count, nothing) });
    const parameters = (count: number) => withOperation({ parameters: members(count, integer()), write: () => [] });
    const require = (count: number) =>
      withOperation({
        parameters: { b: boolean() },
        write: () => [],
        require: (_: any, { b }: any) => Array(count).fill(b.orRefuse('no', 'no')),
      });
    const write = (count: number) => withOperation({ write: (fields: any) => Array(count).fill(fields.count.add(1)) });
    const limits: [(count: number) => unknown, number, string][] = [
      [state, 16, '17 fields'],
      [operations, 32, '33 operations'],
      [parameters, 16, '17 parameters'],
      [require, 16, '17 conditions'],
      [write, 16, '17 changes'],
    ];
    for (const [make, max, message] of limits) {
      expect(() => make(max), message).not.toThrow();
      expect(() => make(max + 1), message).toThrow(message);
    }
    expect(() => define({ state: {} })).toThrow('it has no fields');
    expect(() => define({ operations: {} })).toThrow('it has no operations');
  });

  it('hold for the nodes of one operation together', () => {
    const sum = (n: IntegerValue, times: number): IntegerValue => (times === 0 ? n : sum(n, times - 1).plus(sum(n, times - 1)));
    const half = (more: number) =>
      withOperation({
        parameters: { n: integer() },
        write: ({ count }: any, { n }: any) => [
          count.add(sum(n, 7)),
          count.add(sum(n, 7)),
          count.add(sum(n, 7)),
          ...Array(more).fill(count.add(sum(n, 5))),
        ],
      });
    expect(() => half(3)).not.toThrow();
    expect(() => half(4)).toThrow('act: write: the operation has more than 1000 nodes');
  });

  it('hold for texts and the whole', () => {
    expect(() => define({ meaning: 'ü'.repeat(500) })).not.toThrow();
    expect(() => define({ meaning: 'x'.repeat(501) })).toThrow('Probe: the meaning has more than 500 characters');
    expect(() => define({ meaning: undefined })).toThrow('the meaning is a text, and it is missing');
    expect(() => define({ meaning: '\ud800' })).toThrow('half of a surrogate pair');
    expect(() => withOperation({ parameters: { n: integer('x'.repeat(501)) }, write: () => [] })).toThrow(
      'the meaning of the parameter n has more',
    );
    const long = { meaning: 'x'.repeat(500), parameters: members(16, integer('x'.repeat(500))), write: () => [] };
    expect(() => define({ operations: members(7, long) })).not.toThrow();
    expect(() => define({ operations: members(8, long) })).toThrow(/the definition takes \d+ bytes, and at most 65536/);
    for (const version of [0, -1, 1.5, 2 ** 31, '1', undefined])
      expect(() => define({ version }), String(version)).toThrow('the version is an integer');
  });
});

describe('names', () => {
  const BAD = ['A', '1', '', 'a-b', 'a.b', 'ä', '_a', `a${'b'.repeat(40)}`, '__proto__'];
  const TAKEN = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf', 'prototype', 'then'];

  it('are those that every part of the platform takes', () => {
    for (const name of ['probe', '', 'P-', 'Ä', `P${'b'.repeat(40)}`, 1, undefined, null]) {
      expect(() => define({ name }), String(name)).toThrow('the name of a type begins with a capital');
    }
    for (const name of ['Counter', 'UIdGenerator', 'Record']) expect(() => define({ name })).toThrow(`${name} is a built-in type`);
    expect(() => define({ name: `P${'b'.repeat(39)}` })).not.toThrow();
    const parts: ((name: string) => unknown)[] = [
      (name) => define({ state: { count: counter, [name]: counter }, operations: { act: COUNT } }),
      (name) => define({ operations: { [name]: COUNT } }),
      (name) => withOperation({ parameters: { [name]: integer() }, write: () => [] }),
      (name) => withOperation({ parameters: { b: boolean() }, write: () => [], require: (_: any, { b }: any) => [b.orRefuse(name, 'no')] }),
    ];
    for (const part of parts) {
      expect(() => part(`a${'B_1'.repeat(13)}`)).not.toThrow();
      for (const name of BAD) expect(() => part(name), name).toThrow('a name begins with a small letter');
      for (const name of TAKEN) expect(() => part(name), name).toThrow('means something else in JavaScript');
    }
  });

  it('of no object but the one that was written count', () => {
    const inherited = Object.create({ act: COUNT }) as object;
    expect(() => define({ operations: inherited })).toThrow('plain object');
    expect(() => define({ operations: { act: COUNT, __proto__: { other: COUNT } } })).toThrow('plain object');
    expect(() => define({ state: { count: counter, __proto__: { other: counter } } })).toThrow('plain object');
    expect(() => define({ operations: [COUNT] })).toThrow('plain object');
    expect(() => define({ operations: new Map([['act', COUNT]]) })).toThrow('plain object');
    expect(() => define({ operations: { [Symbol('act')]: COUNT } })).toThrow('not symbols');
    expect(() => define({ commutes: [{ first: 'toString', second: 'constructor', when: () => true }] })).toThrow('names of operations');
    expect(Object.keys(definitionOf(define({ operations: Object.assign(Object.create(null), { act: COUNT }) })).operations)).toHaveLength(
      1,
    );
  });

  it('that mean nothing are mistakes', () => {
    expect(() => define({ operation: {} })).toThrow('"operation" is none of the members of a type');
    expect(() => withOperation({ ...COUNT, writes: () => [] })).toThrow('Probe: act: "writes" is none of the members of an operation');
    expect(() => define({ commutes: [{ first: 'act', second: 'act', if: () => true }] })).toThrow('claim 1: "if" is none');
    expect(() => define(null as never)).not.toThrow();
    expect(() => defineType(null as never)).toThrow(DefinitionError);
  });
});

describe('functions', () => {
  it('change fields in write alone, and read them elsewhere', () => {
    expect(() => withOperation({ write: ({ count }: any) => [count.add(count.value())] })).toThrow(
      'Probe: act: write: Counter.value reads a field, and what is written may depend on the arguments and the answer only',
    );
    expect(() => withOperation({ write: ({ count, more }: any) => [count.add(1).when(more.of('x').atLeast(1))] })).toThrow(
      'BoundedCounter.atLeast reads',
    );
    expect(() => withOperation({ write: ({ more }: any) => [more.of(more.of('x').value()).increment(1)] })).toThrow(
      'BoundedCounter.value reads',
    );
    expect(() => withOperation({ ...COUNT, answer: ({ count }: any) => count.add(1) })).toThrow(
      'act: answer: Counter.add changes a field: that belongs in write',
    );
    expect(() => withOperation({ require: ({ count }: any) => [count.add(1)], write: () => [] })).toThrow(
      'act: require: Counter.add changes',
    );
    for (const part of ['answer', 'write']) {
      const take = ({ more }: any) => more.of('x').tryDecrement(1);
      expect(() => withOperation({ result: boolean(), answer: () => true, [part]: take })).toThrow(
        'BoundedCounter.tryDecrement both answers and changes',
      );
    }
  });

  it('give nothing on to each other but the answer', () => {
    let kept: any;
    const keeping = ({ count }: any) => (kept = count.value());
    const leaks: [string, Record<string, unknown>][] = [
      [
        'a value of Probe.act, answer is used in another function',
        { ...COUNT, answer: keeping, write: ({ count }: any) => [count.add(kept)] },
      ],
      ['is used in another function', { ...COUNT, answer: keeping, write: ({ count }: any) => [count.add(1).when(kept.is(1))] }],
      [
        'a field of Probe.act, answer is used in another function',
        { ...COUNT, answer: (fields: any) => ((kept = fields), fields.count.value()), write: () => [kept.count.add(1)] },
      ],
      [
        'a change of Probe.act, write is returned by another function',
        { write: ({ count }: any) => [(kept = typeof kept?.when === 'function' ? kept : count.add(1))] },
      ],
    ];
    for (const [message, operation] of leaks) {
      kept = undefined;
      expect(() => withOperation(operation), message).toThrow(message);
    }
    withOperation({ ...COUNT, answer: keeping });
    expect(() => kept.plus(1)).toThrow('is used after it has returned');
  });

  it('that do not follow from what they are given are caught', () => {
    let calls = 0;
    const why = 'its functions return something else when they run again';
    expect(() => withOperation({ write: ({ count }: any) => [count.add(calls++)] })).toThrow(why);
    expect(() => withOperation({ ...COUNT, answer: () => Date.now() * 1000 + calls++ })).toThrow(why);
    expect(() => withOperation({ write: ({ count }: any) => (calls++ % 2 === 0 ? [] : [count.add(1)]) })).toThrow(why);
    const claim = { first: 'act', second: 'act', when: () => calls++ % 2 === 0 };
    expect(() => define({ operations: { act: COUNT }, commutes: [claim] })).toThrow('claim 1: `when` returns something else');
  });

  it('return what they are to return', () => {
    const refused: [string, Record<string, unknown>][] = [
      ['write: it returns a promise', { write: async () => [] }],
      ['write: it returns no list of changes', { write: ({ count }: any) => count.add(1) }],
      ['write: it returns a list of changes of fields, and this is none', { write: () => [1] }],
      ['require: it returns no list of conditions', { ...COUNT, require: () => true }],
      [
        "require: a condition lacks what it refuses with: condition.orRefuse('code', 'message')",
        { ...COUNT, require: ({ count }: any) => [count.value().is(1)] },
      ],
      ['answer: an integer is wanted, and not a promise', { ...COUNT, answer: async () => 1 }],
      ['answer: it is no function', { ...COUNT, answer: 1 }],
      ['it has an answer without a result', { answer: () => 1 }],
      ['it has a result without an answer', { result: integer(), write: () => [] }],
      ['its result has no kind', { ...COUNT, result: integer }],
      ['it neither answers nor writes', { require: () => [] }],
      ['the parameter n has no kind that a parameter can have', { parameters: { n: scored() }, write: () => [] }],
      ['the parameter n has no kind', { parameters: { n: 'integer' }, write: () => [] }],
      [
        'act: write: oh',
        {
          write: () => {
            throw new Error('oh');
          },
        },
      ],
    ];
    for (const [message, operation] of refused) expect(() => withOperation(operation), message).toThrow(message);
    const failure = new RangeError('oh');
    const failing = () =>
      withOperation({
        write: () => {
          throw failure;
        },
      });
    expect(failing).toThrow(expect.objectContaining({ name: 'DefinitionError', message: 'Probe: act: write: oh', cause: failure }));
  });

  it('are given fields and arguments that nobody can change, and nothing else', () => {
    const seen: object[] = [];
    const look = (...given: object[]) => (seen.push(...given), []);
    withOperation({ parameters: { n: integer() }, write: look });
    for (const given of seen.filter((each) => each !== undefined)) {
      expect(Object.isFrozen(given) && Object.getPrototypeOf(given) === null).toBe(true);
    }
    expect(() => withOperation({ write: ({ nothing }: any) => [nothing.add(1)] })).toThrow(
      'act: write: Cannot read properties of undefined',
    );
  });

  it('of claims read no fields and use the answers that there are', () => {
    const act = { meaning: '', write: ({ count }: any) => [count.add(1)] };
    const claim = (when: unknown) => define({ operations: { act }, commutes: [{ first: 'act', second: 'act', when }] });
    expect(() => claim((first: any) => first.answer.not())).toThrow('claim 1: when: Cannot read properties of undefined');
    expect(() => claim(() => 1)).toThrow('claim 1: when: a boolean is wanted');
    expect(() => claim(true)).toThrow('`when` is a function of the two operations');
    expect(() => define({ commutes: {} })).toThrow('`commutes` is a list');
  });
});

it('fields have built-in types, one for all or one for each key', () => {
  expect(() => define({ state: { count: 'Counter' } })).toThrow('the field count has no type');
  expect(() => each('Counter' as never)).toThrow('`each` takes a built-in type');
  expect(() => each(each(counter) as never)).toThrow('`each` takes a built-in type');
  for (const type of [counter, dict, set]) expect(type).toBeInstanceOf(FieldType);
});
