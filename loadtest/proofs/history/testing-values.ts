// A type whose fields hold values, and whose operations use each operator of lists.

import { DefinedType, type Definition } from '@claret/client/types';

type Json = null | boolean | number | string | readonly Json[];

const argument = (place: number): Json => ['argument', place];
const local = (name: number): Json => ['local', name];
const OLD: Json = ['old'];
const QUEUE: Json = ['read', 0, null, 'get'];
const who = (name: number): Json => ['item', local(name), 0];
const count = (name: number): Json => ['item', local(name), 1];

/** A change of a value field, as a definition has it. */
export const update = (field: number, key: Json, value: Json, when: Json = null) => ({
  field,
  key,
  operation: 'update',
  arguments: [value],
  when,
});

/** A void operation, with other members in place of its own. */
export const operation = (name: string, kinds: readonly string[], rest: object) => ({
  name,
  meaning: '',
  parameters: kinds.map((kind, i) => ({ name: `p${i}`, kind, meaning: '' })),
  result: 'void',
  require: [],
  answer: null,
  writes: [],
  ...rest,
});

const QUEUE_SHAPE: Json = ['list', ['record', ['who', 'text'], ['count', 'integer'], ['note', ['maybe', 'scalar']]]];

const CHANGES = [
  operation('come', ['text', 'integer', 'optional'], {
    writes: [
      update(0, null, ['slice', ['join', OLD, ['list', ['list', argument(0), argument(1), argument(2)]]], 0, 12]),
      update(1, argument(0), ['+', OLD, argument(1)]),
      { field: 3, key: null, operation: 'add', arguments: [1], when: null },
    ],
  }),
  operation('serve', ['text'], {
    result: 'boolean',
    answer: ['not', ['absent', ['find', 0, QUEUE, ['=', who(0), argument(0)]]]],
    writes: [update(0, null, ['filter', 0, OLD, ['not', ['=', who(0), argument(0)]]], ['answer'])],
  }),
  operation('sortByCount', [], { writes: [update(0, null, ['sort', 5, OLD, count(5)])] }),
  operation('sortByNote', [], { writes: [update(0, null, ['sort', 5, OLD, ['item', local(5), 2]])] }),
  operation('turn', [], { writes: [update(0, null, ['reverse', OLD])] }),
  operation('exchange', ['integer', 'integer'], {
    writes: [update(0, null, ['replace', OLD, argument(0), ['list', 'z', argument(1), null]])],
  }),
  operation('cut', ['integer', 'integer'], { writes: [update(0, null, ['slice', OLD, argument(0), argument(1)])] }),
  operation('twice', ['text'], { writes: [update(1, argument(0), ['+', OLD, 1]), update(1, argument(0), ['*', OLD, 10])] }),
  operation('divide', ['text', 'integer'], { writes: [update(1, argument(0), ['/', argument(1), OLD])] }),
  operation('scale', ['text', 'number'], { writes: [update(2, argument(0), ['*', OLD, argument(1)])] }),
  operation('putTotal', ['scalar'], { writes: [update(1, 'put', argument(0))] }),
  operation('putMean', ['number'], { writes: [update(2, 'put', argument(0))] }),
  operation('pass', [], {
    result: 'scalars',
    answer: ['map', 0, ['slice', ['reverse', ['join', QUEUE, QUEUE]], 1, 4], who(0)],
    writes: [update(0, null, ['if', ['<', 2, ['length', ['answer']]], ['slice', OLD, 1, 99], OLD])],
  }),
];

const LOOKS = [
  operation('names', [], { result: 'texts', answer: ['map', 3, QUEUE, who(3)] }),
  operation('squares', ['integer'], {
    result: 'scalars',
    answer: ['map', 3, ['filter', 2, QUEUE, ['<', count(2), argument(0)]], ['let', 7, count(3), ['*', local(7), local(7)]]],
  }),
  operation('sum', [], { result: 'integer', answer: ['fold', 0, 1, QUEUE, 0, ['+', local(0), count(1)]] }),
  operation('first', ['integer'], { result: 'optional', answer: ['item', ['find', 0, QUEUE, ['<', argument(0), count(0)]], 0] }),
  operation('pairs', ['integer'], {
    result: 'integer',
    answer: ['fold', 0, 1, ['range', argument(0)], 0, ['+', local(0), ['length', ['map', 2, ['range', local(1)], local(1)]]]],
  }),
  operation('total', ['text'], { result: 'integer', answer: ['read', 1, argument(0), 'get'] }),
  operation('third', ['text'], { result: 'number', answer: ['/', ['read', 2, argument(0), 'get'], 3] }),
];

export const Desk = new DefinedType({
  format: 1,
  name: 'Desk',
  version: 1,
  meaning: '',
  fields: [
    { name: 'queue', type: 'Value', each: false, shape: QUEUE_SHAPE, initial: ['list'] },
    { name: 'totals', type: 'Value', each: true, shape: 'integer', initial: 3 },
    { name: 'means', type: 'Value', each: true, shape: 'number', initial: ['number', 1.5] },
    { name: 'served', type: 'Counter', each: false },
  ],
  operations: [...CHANGES, ...LOOKS],
  commutes: [],
} as unknown as Definition);
